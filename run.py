"""One command for each task, in a virtual environment of its own: python3 run.py TASK.

TASK is demo, test, check, docs, lowest, bench, speed or wheel. Needs nothing but Python 3.11 or later. The environment
is ``.venv`` beside this file; it is made at the first task and brought up to date when pyproject.toml changes.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
# One worker more than processors, since tests of processes wait for them, up to four. A file's tests stay together, so
# that what they share is made once, and files come in the order of tests/conftest.py: long ones first.
WORKERS = ("-n", str(min((os.cpu_count() or 1) + 1, 4)), "--dist", "loadfile", "--no-loadscope-reorder")
LOWEST_VERSIONS_END = (3, 13)  # numba 0.60, the lowest version, ends before
FOR_TESTS = ("pytest", "pytest-xdist[psutil]", "hypothesis", "jsonschema")
FRAMES = ("pandas", "pyarrow")
# By extras, the tests in which a dependency does the work. Those of exchange ask for a newer numpy.
OF_DEPENDENCIES = {
    ("formats", "plots", "report", "sklearn", "cluster"): (
        "tests/cli/test_main.py",
        "tests/cli/test_help_pages.py",
        "tests/cli/test_completion.py",
        "tests/cli/test_render.py",
        "tests/dataset/test_frames.py",
        "tests/dataset/test_files.py",
        "tests/dataset/test_statistical_files.py",
        "tests/dataset/test_r_files.py",
        "tests/plots/test_drawing.py",
        "tests/plots/test_saving.py",
        "tests/report/test_target_page.py",
        "tests/test_sklearn.py",
        "tests/test_dask_tasks.py",
    ),
    ("exchange", "plots"): ("tests/exchange",),
}
# What the lowest versions do wrong by themselves: a check of scikit-learn 1.6 subtracts a fraction from whole numbers,
# and numpy 1.26 gives other times for those that Python cannot hold.
FAULTS_OF_LOWEST = ("check_positive_only_tag_during_fit", "test_times_that_python_cannot_hold and cells4")
IN_THIS_FOLDER = "import sys; sys.path[:0] = ['.', 'kernels']; from climbfast.cli import main; sys.exit(main())"


def demo() -> None:
    """Find a blanket in the built-in example network."""
    set_up("")
    run("-m", "climbfast", "demo")


def test() -> None:
    """Run the suite compiled, and its kernels once more interpreted."""
    set_up("[dev]")
    run("-m", "climbfast", "warm")  # else every worker would compile all kernels
    run("-m", "pytest", *WORKERS)
    run("-m", "pytest", *WORKERS, "tests/kernels", NUMBA_DISABLE_JIT="1")


def check() -> None:
    """Check style, types and the directions of imports."""
    set_up("[dev]")
    run("-m", "ruff", "check")
    run("-m", "ruff", "format", "--check")
    run("-m", "mypy")
    run("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")
    check_lowest_versions()


def check_lowest_versions() -> None:
    """Run the example with the lowest versions that pyproject.toml allows, in an environment of its own."""
    if not has_lowest_versions():
        return
    import tomllib

    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    lowest = [dependency.replace(">=", "==") for dependency in dependencies]
    folder = ENVIRONMENT / "lowest"
    stamp = folder / "installed"
    if not stamp.exists() or stamp.read_text() != str(lowest):
        venv.create(folder, with_pip=True)
        run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", *lowest, python=python_in(folder))
        stamp.write_text(str(lowest))
    for arguments in (["--help"], ["blankets", "--help"], ["warm"], ["demo"]):
        run("-c", IN_THIS_FOLDER, *arguments, python=python_in(folder))


def has_lowest_versions() -> bool:
    """Say whether the lowest versions can be tried with this Python, and why if they cannot."""
    if sys.version_info < LOWEST_VERSIONS_END:
        return True
    print("the lowest versions are not tried: numba 0.60 does not support this Python", file=sys.stderr)
    return False


def docs() -> None:
    """Build the site of documentation in build/docs; a warning, such as of a broken link, is an error."""
    set_up("[dev]")
    run("-m", "sphinx", "-q", "-W", "--keep-going", "-n", "docs", "build/docs")
    print("the site begins in build/docs/index.html")


def lowest() -> None:
    """Run a part of the suite with the lowest versions of all dependencies, also those of extras."""
    if not has_lowest_versions():
        return
    import tomllib

    development = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["dev"]
    for_tests, frames = (
        [requirement for requirement in development if requirement.startswith(tuple(f"{name}>" for name in names))]
        for names in (FOR_TESTS, FRAMES)
    )
    for extras, tests in OF_DEPENDENCIES.items():
        folder = ENVIRONMENT / f"lowest-{extras[0]}"
        if not python_in(folder).exists():
            venv.create(folder, with_pip=True)
        python = python_in(folder)
        run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv", *for_tests, python=python)
        asked = [word for extra in extras for word in ("--extra", extra)]
        resolution = ("--quiet", "--resolution", "lowest-direct", "--requirement", "pyproject.toml", *asked, *frames)
        run("-m", "uv", "pip", "install", "--python", str(python), *resolution, python=python)
        # Old packages warn about what newer ones of others call old.
        run(
            "-m", "pytest", "-q", *WORKERS, "-o", "filterwarnings=default",
            "-k", " and ".join(f"not ({fault})" for fault in FAULTS_OF_LOWEST), *tests,
            python=python, PYTHONPATH=os.pathsep.join((".", "kernels")),
        )  # fmt: skip


def bench() -> None:
    """Run the benchmarks, each beside the roofline loop."""
    set_up("[dev]")
    run("-m", "pytest", "bench")


def speed() -> None:
    """Say whether anything has become slower than the baseline kept with the code."""
    set_up("[dev]")
    run("-m", "bench.tools.check")


def wheel() -> None:
    """Make a wheel in dist that carries compiled kernels for this Python and numba."""
    set_up("")
    run("-m", "bench.tools.ship_kernels")
    run("-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", "dist", ".")


def set_up(extra: str) -> None:
    """Make the environment and install climbfast in it, editable, unless that was done for this pyproject.toml."""
    state = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + extra.encode()).hexdigest()
    stamp = ENVIRONMENT / f"installed{extra}"
    if stamp.exists() and stamp.read_text() == state:
        return
    if not python_in(ENVIRONMENT).exists():
        print(f"making the virtual environment {ENVIRONMENT.name}", file=sys.stderr)
        venv.create(ENVIRONMENT, with_pip=True)
    print(f"installing climbfast{extra} in {ENVIRONMENT.name}", file=sys.stderr)
    run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", f".{extra}")
    stamp.write_text(state)


def python_in(environment: Path) -> Path:
    """Return the Python of a virtual environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run(*arguments: str, python: Path | None = None, **variables: str) -> None:
    """Run the environment's Python from the root of the project; stop at the first failure."""
    done = subprocess.run(
        [python or python_in(ENVIRONMENT), *arguments], cwd=ROOT, env=os.environ | variables, check=False
    )
    if done.returncode:
        sys.exit(done.returncode)


TASKS: dict[str, Callable[[], None]] = {
    task.__name__: task for task in (demo, test, check, docs, lowest, bench, speed, wheel)
}

if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit(f"climbfast needs Python 3.11 or later; this is {sys.version.split()[0]}")
    if len(sys.argv) != 2 or sys.argv[1] not in TASKS:
        sys.exit(f"usage: python3 run.py {' | '.join(TASKS)}")
    TASKS[sys.argv[1]]()
