"""What the pages of documentation show runs, and prints what they say, block after block, in a folder of its own."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import math
import multiprocessing
import re
import shlex
import shutil
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import typer

import climbfast as cf
from climbfast.batch import pool
from climbfast.cli import main
from climbfast.cli.commands import command_line

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(page for page in DOCS.rglob("*.md") if "generated" not in page.parts)]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
WITHOUT_RUNNING = ("dowhy", "distributed", "dask_jobqueue", "dask_kubernetes")
"""What code needs that does not run here: another environment, or other machines."""
OF_OTHER_PROGRAMS = ("bench", "dask", "--nthreads")
"""What stands in lines with options that are not those of climbfast."""
WITHOUT_EXAMPLE = {"explanations/limits.md", "explanations/references.md"}


class Block(NamedTuple):
    """A part of a page between fences; a directive has its name in braces as the language."""

    language: str
    line: int
    text: str


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page from top to bottom."""
    text = page.read_text("utf-8")
    for fence in re.finditer(r"^```(\S*)[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Block(fence[1], text.count("\n", 0, fence.start()) + 1, fence[2])


def identity(page: Path) -> str:
    return page.relative_to(DOCS if DOCS in page.parents else ROOT).as_posix()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a reader begins: the table of the examples, and nothing else."""
    shutil.copy(ROOT / "examples" / "data" / "patients.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(pool, "SECONDS_FOR_PROCESSES", math.inf)  # which a busy machine expects sooner
    return tmp_path


@pytest.fixture
def workers(page: Path) -> Iterator[None]:
    """Where a page starts workers of dask, start them from one process that has imported what they need."""
    if "LocalCluster(" not in page.read_text("utf-8") or "forkserver" not in multiprocessing.get_all_start_methods():
        yield
        return
    importlib.import_module("distributed")  # whose settings must be there before one is changed
    with importlib.import_module("dask").config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        yield


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of sockets that dask closes later than pytest looks
@pytest.mark.usefixtures("folder", "workers")
@pytest.mark.parametrize("page", PAGES, ids=identity)
def test_what_is_shown_runs(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)  # a reader sees them, and goes on
        for block in blocks(page):
            if block.language == "pycon":
                example = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
                said: list[str] = []
                assert runner.run(example, out=said.append, clear_globs=False).failed == 0, "".join(said)
                names = example.globs
            elif block.language in ("sh", "console"):
                for command, expected in commands(block):
                    run(command, expected, capsys)


def commands(block: Block) -> Iterator[tuple[str, str | None]]:
    """The commands of a block, of a session on a console with what they print; the others with few replicates."""
    if block.language == "sh":
        text = re.sub(r"(--bootstrap|--replicates) \d+", r"\1 3", block.text)
        yield from ((line.partition("  #")[0], None) for line in text.splitlines())
    yield from re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ ).*\n?)*)", block.text, re.MULTILINE)


def run(command: str, expected: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command of climbfast; of other programs only see that they are there."""
    program, *arguments = shlex.split(command)
    if program == "pip":
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
        asked = [extra for found in re.findall(r"\[(.*?)\]", command) for extra in found.split(",")]
        assert arguments[0] == "install" and {*asked} <= {*extras}, command
    elif program.startswith("python"):
        assert_is_there(arguments)
    else:
        assert program == "climbfast", command
        capsys.readouterr()
        assert main(arguments) == 0, command + "\n" + capsys.readouterr().err
        if expected is not None:
            printed = capsys.readouterr().out
            assert doctest.OutputChecker().check_output(expected, printed, FLAGS), f"{command}\n{printed}"


def assert_is_there(arguments: list[str]) -> None:
    if arguments[0] == "-m":
        assert importlib.util.find_spec(arguments[1]), arguments
    else:
        task = (ROOT / "run.py").read_text("utf-8").partition(f"def {arguments[1]}(")[1]
        assert arguments[0] == "run.py" and task, arguments


@pytest.mark.parametrize("page", PAGES, ids=identity)
def test_blocks_say_what_they_are(page: Path) -> None:
    """Code that does not run is at least code, and commands that do not run have options that exist."""
    for block in blocks(page):
        assert block.language, f"{page.name}, line {block.line}: a block without a language"
        if block.language == "python":
            assert any(name in block.text for name in WITHOUT_RUNNING), f"{page.name}, line {block.line}: use pycon"
            ast.parse(block.text)
        for line in block.text.splitlines() if block.language == "text" else ():
            for command in line.split(" | "):
                if command.startswith("climbfast "):
                    parse(command)


def parse(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    typer.main.get_command(command_line([name])).commands[name].make_context(name, arguments)  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", PAGES, ids=identity)
def test_pages_of_tasks_have_examples(page: Path) -> None:
    name = identity(page)
    if page.stem == "index" or name in WITHOUT_EXAMPLE or page.parent.name not in ("start", "howto", "explanations"):
        return
    assert {block.language for block in blocks(page)} & {"pycon", "sh", "console"}, "the page has no example"


def test_options_and_names_in_the_text_exist() -> None:
    commands = typer.main.get_command(command_line()).commands.values()  # type: ignore[attr-defined]
    options = {name for command in commands for each in command.params for name in (*each.opts, *each.secondary_opts)}
    options |= {"--help", "--version", "--install-completion", "--show-completion"}
    for page in PAGES:
        for line in page.read_text("utf-8").splitlines():
            assert all(hasattr(cf, name) for name in re.findall(r"\bcf\.(\w+)", line)), f"{page.name}: {line}"
            if not any(word in line for word in OF_OTHER_PROGRAMS):
                assert {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", line)} <= options, f"{page.name}: {line}"


@pytest.mark.parametrize("page", PAGES, ids=identity)
def test_links_lead_somewhere(page: Path) -> None:
    """Also without a build: to a page, or to one that is made."""
    for link in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if "://" not in link:
            target = (page.parent / link).resolve()
            assert target.exists() or "generated" in target.parts, f"{page.name}: {link}"
