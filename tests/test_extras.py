"""A package that is not installed is named, with the extra that installs it."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

import climbfast as cf
from climbfast.extras import import_pyagrum, require


def test_what_is_installed_is_no_error():
    require("numpy", "plots", "a picture")


def test_what_is_not_installed():
    with pytest.raises(cf.MissingPackageError) as raised:
        require("no_such_package", "plots", "a picture")
    assert str(raised.value) == 'a picture needs the package no_such_package; pip install "climbfast[plots]"'
    assert isinstance(raised.value, ImportError)
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_pyagrum_is_imported_where_its_warnings_would_be_errors():
    code = 'from climbfast.extras import import_pyagrum; import_pyagrum("exchange", "a test").BayesNet()'
    assert subprocess.run([sys.executable, "-W", "error", "-c", code], check=False).returncode == 0


def test_without_pyagrum_the_message_names_the_extra(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(
        cf.MissingPackageError, match=r'a test needs the package pyagrum; pip install "climbfast\[formats'
    ):
        import_pyagrum("formats", "a test")
