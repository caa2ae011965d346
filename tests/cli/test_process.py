"""The command as a process of its own: pipes, streams, import costs. Each costs a second, so they are few."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time

import pytest

CLIMBFAST = [sys.executable, "-m", "climbfast"]


def climbfast(*arguments, **options):
    return subprocess.run(
        [*CLIMBFAST, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8", timeout=120, **options
    )


@pytest.fixture
def broken_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


def test_page_in_a_pipe_without_unicode_and_home(health, tmp_path):
    environment = {name: text for name, text in os.environ.items() if name not in ("HOME", "FORCE_COLOR")}
    environment |= {"PYTHONIOENCODING": "ascii", "COLUMNS": "20"}
    path = tmp_path / "names.csv"
    path.write_text(f"é,{'n' * 300}\n" + "0,0\n1,1\n0,0\n1,1\n" * 20, encoding="utf-8")
    ran = climbfast("test", path, "--x", "é", "--y", "n" * 300, env=environment)
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[0] == rf"\xe9 and {'n' * 300}: dependent by sci"
    assert "\x1b" not in ran.stdout


@pytest.mark.skipif(os.name == "nt", reason="standard input is no file there")
def test_data_in_a_pipe_and_json_in_another(health, refused):
    arguments = ("blanket", "-", "--format", "csv", "--target", "heart_disease", "--json")
    ran = climbfast(*arguments, input=health.read_text())
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["target"] == "heart_disease"
    said = refused("blanket", "-", "--target", "a")
    assert said == "climbfast: standard input has no suffix; say what it is, such as --format csv\n"


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes")
def test_a_slow_pipe_is_announced_and_interrupted(tmp_path):
    pipe = tmp_path / "slow.csv"
    os.mkfifo(pipe)
    command = [*CLIMBFAST, "blanket", str(pipe), "--target", "a"]
    environment = {name: value for name, value in os.environ.items() if name != "CLIMBFAST_PROGRESS"}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **streams, text=True, env=environment) as process:
        assert process.stderr.readline() == f"climbfast: reading {pipe}\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == "climbfast: interrupted\n"
    assert process.returncode == 130


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file with 8 GB of text, whose reading takes a minute."""
    path = tmp_path_factory.mktemp("large") / "large.csv.gz"
    path.write_bytes(gzip.compress(b"x,y\n") + gzip.compress(b"0,1\n1,1\n" * 1_000_000, 1) * 1_000)
    return path


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT for one process")
@pytest.mark.parametrize("seconds", [0.05, 1.0])
def test_reading_a_large_file_is_interrupted(large, seconds, tmp_path):
    small = tmp_path / "small.csv"
    small.write_text("a,b\n1,2\n2,1\n")
    program = f"import climbfast as cf; cf.read({str(small)!r}); print(flush=True); cf.read({str(large)!r})"
    command = [sys.executable, "-W", "ignore", "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        time.sleep(seconds)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().endswith("KeyboardInterrupt\n")
    assert time.monotonic() - begun < 15, "it is less than half a second on an idle machine"


def test_refusal_is_one_line(tmp_path):
    ran = climbfast("blanket", tmp_path / "none.csv", "--target", "a")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"climbfast: {tmp_path / 'none.csv'}: there is no such file\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes break in another way there")
@pytest.mark.parametrize("arguments", [["--version"], ["blanket", "--help"]])
def test_nobody_reads(arguments, broken_pipe):
    ran = subprocess.run([*CLIMBFAST, *arguments], stdout=broken_pipe, stderr=subprocess.PIPE, text=True, timeout=120)
    assert (ran.returncode, ran.stderr) == (141, "")


@pytest.mark.skipif(os.name == "nt", reason="pipes break in another way there")
def test_nobody_reads_what_is_wrong(broken_pipe):
    ran = subprocess.run([*CLIMBFAST, "frobnicate"], stdout=subprocess.PIPE, stderr=broken_pipe, timeout=120)
    assert (ran.returncode, ran.stdout) == (2, b"")


@pytest.mark.skipif(os.name == "nt", reason="a shell closes the streams")
def test_closed_streams(tmp_path):
    """What belongs on standard error must not end up in the JSON on standard output."""
    path = tmp_path / "constant.csv"
    path.write_text("a,b,c\n" + "0,0,5\n0,1,5\n1,0,5\n1,1,5\n" * 5)
    command = f"'{sys.executable}' -m climbfast test '{path}' --x a --y b --json 2>&-"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["x"] == "a"


def test_a_cache_that_cannot_be_written_is_a_warning(health, tmp_path):
    (tmp_path / "file").touch()
    environment = os.environ | {"CLIMBFAST_CACHE_DIR": str(tmp_path / "file"), "NUMBA_DISABLE_JIT": "0"}
    environment.pop("HOME", None)
    # Stopped before the first compilation, which would take its time.
    code = f"""
import sys
from climbfast.cli import main
from climbfast.cli.options import reading
def read(*_, **__):
    from climbfast_kernels import _jit
    raise ZeroDivisionError
reading.read = read
sys.exit(main(["blanket", {str(health)!r}, "--target", "ecg"]))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=environment)
    fault, warning = sorted(ran.stderr.splitlines())  # the warning comes first where the command takes long
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "ZeroDivisionError" in fault
    assert warning.startswith("warning: compiled kernels cannot be kept in ")


def test_help_imports_the_typed_command_and_nothing_heavy():
    code = """
import sys
from climbfast.cli import main
main(["blanket", "--help"])
heavy = {"numba", "polars", "narwhals", "networkx", "joblib", "pandas"}
commands = {name for name in sys.modules if name.startswith("climbfast.cli.commands.")}
sys.exit(", ".join(heavy & set(sys.modules) | commands))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.stderr == "climbfast.cli.commands.blanket\n"


def test_nothing_is_left_to_compile_after_warm():
    """Compare what numba has loaded after ``warm`` with what it has after every kind of use."""
    code = """
import sys, pkgutil, importlib, numba
import climbfast as cf, climbfast_kernels
from climbfast.cli import main
def loaded():
    names = [module.name for module in pkgutil.iter_modules(climbfast_kernels.__path__)]
    modules = [importlib.import_module(f"climbfast_kernels.{name}") for name in names]
    return {(m.__name__, name, s) for m in modules for name, f in vars(m).items()
            if isinstance(f, numba.core.dispatcher.Dispatcher) for s in f.overloads}
assert main(["warm"]) == 0
before = loaded()
data = cf.load_example().sample(300, 1)
wide = cf.Dataset.from_frame({"a": [i % 2 for i in range(2700)], "b": [i % 3 for i in range(2700)],
                              "wide": [i // 15 for i in range(2700)], "c": [i % 5 % 2 for i in range(2700)]})
for table, target in ((data, "fatigue"), (wide, "a")):
    for test in (cf.SCI(min_bits=1), cf.G2(min_rows_per_df=5), cf.X2(df="adjusted"), cf.CMI(cutoff=0.02)):
        cf.markov_blanket(table, target, test=test, max_given=None)
        cf.pc(table, test)
        cf.markov_blankets(table, test=test, n_jobs=1, progress=False)
        cf.test(table, *table.names[:2], table.names[2:4], test)
        cf.test(table, *table.names[:2], (), test)
    cf.causal_graph(table, "best")
    for score in (cf.BDeu(2, 0), cf.BIC(2), cf.AIC(), cf.FNML(), cf.QNML()):
        cf.orient(cf.fges(table, score, max_degree=3), table, method="global")
assert {str(t.codes.dtype) for t in (data, wide)} == {"uint8"}
new = {(m, n) for m, n, _ in loaded() - before}
sys.exit(f"not warm: {new}" if new else 0)
"""
    environment = os.environ | {"PYTHONWARNINGS": "ignore", "NUMBA_DISABLE_JIT": "0"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env=environment)
    assert ran.returncode == 0, ran.stderr
    assert "kernels: " in ran.stderr
