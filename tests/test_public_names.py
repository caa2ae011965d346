"""The names of ``climbfast`` itself, which are imported when they are asked for."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import climbfast as cf

SOURCE = Path(cf.__file__)


def test_names_come_from_the_modules_that_type_checkers_see():
    block = next(part for part in ast.parse(SOURCE.read_text(encoding="utf-8")).body if isinstance(part, ast.If))
    assert ast.unparse(block.test) == "TYPE_CHECKING"
    seen = {(part.module, tuple(name.name for name in part.names)) for part in block.body}
    assert seen == set(cf._NAMES_OF_MODULES.items())


def test_every_name_is_there():
    for name in cf.__all__:
        assert getattr(cf, name) is getattr(sys.modules.get(cf._MODULE_OF_NAME.get(name, "climbfast")), name)
    assert set(cf.__all__) == {*cf._MODULE_OF_NAME, "__version__"}


def test_names_are_offered_before_they_are_imported():
    code = "import sys, climbfast; print(*dir(climbfast)); sys.exit('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, "the import of climbfast has imported numpy"
    assert set(cf.__all__) <= set(ran.stdout.split())


def test_what_is_not_there_is_said():
    with pytest.raises(AttributeError, match="module 'climbfast' has no attribute 'markov_blankett'"):
        cf.markov_blankett  # noqa: B018


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process for each module would take a minute")
def test_any_module_may_be_imported_first():
    """Each in a process that has imported nothing else of climbfast: a circle of imports fails in some orders only."""
    code = f"""
import importlib, os, sys
import numpy
for module in {sorted(set(cf._NAMES_OF_MODULES))}:
    child = os.fork()
    if not child:
        try:
            importlib.import_module(module)
            os._exit(0)
        except BaseException as error:
            print(module, repr(error), flush=True)
            os._exit(1)
    os.waitpid(child, 0)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
