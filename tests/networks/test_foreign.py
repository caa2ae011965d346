"""Files of other programs: read as what was written, refused in one sentence, and nothing is printed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

import climbfast as cf
from climbfast.errors import GraphError, MissingPackageError, NetworkError
from climbfast.extras import import_pyagrum
from climbfast.networks import foreign
from climbfast.networks.files import FORMATS
from climbfast.networks.foreign import read_foreign

NETWORK = cf.Network(
    "weather",
    {"rain": ("no", "light", "heavy"), "sprinkler": ("off", "on"), "wet": ("dry", "wet"), "slippery": ("no", "yes")},
    {"sprinkler": ("rain",), "wet": ("rain", "sprinkler"), "slippery": ("wet",)},
    {
        "rain": [0.5, 0.375, 0.125],
        "sprinkler": [[0.25, 0.75], [0.5, 0.5], [1, 0]],
        "wet": [[[1, 0], [0.25, 0.75]], [[0.125, 0.875], [0, 1]], [[0.0625, 0.9375], [0.5, 0.5]]],
        "slippery": [[1, 0], [0.25, 0.75]],
    },
)

# As JavaBayes writes it: without the properties of pyAgrum, and with labels of several words.
XMLBIF = """<?xml version="1.0"?>
<BIF VERSION="0.3"><NETWORK><NAME>dog</NAME>
<VARIABLE TYPE="nature"><NAME>family-out</NAME><OUTCOME>true</OUTCOME><OUTCOME>weiß, &lt;nicht&gt;</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>light-on</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME></VARIABLE>
<DEFINITION><FOR>light-on</FOR><GIVEN>family-out</GIVEN><TABLE>0.75 0.25 0.125 0.875</TABLE></DEFINITION>
<DEFINITION><FOR>family-out</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>
</NETWORK></BIF>
"""

HUGIN = """net { node_size = (80 40); }
node A { label = "a title"; position = (1 2); states = ("[18, 35)" "35 +"); }
node B { states = ("yes/no" "Größe" "x"); }
potential ( A ) { data = ( 0.25 0.75 ); }
potential ( B | A ) { data = (( 0.5 0.25 0.25 )( 0.125 0.875 0 )); }
"""


FORK_FOR_EACH = """
import os, sys
from climbfast.extras import import_pyagrum
from climbfast.networks.foreign import answer

import_pyagrum("formats", "a test")
for line in sys.stdin:
    suffix, path, answered = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if child == 0:
        os.dup2(os.open(answered, os.O_WRONLY | os.O_CREAT), 1)
        answer(suffix, path)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Fork:
    """In the place of a process that reads: a fork of one that has imported pyAgrum, which takes most of the time."""

    def __init__(self, server: subprocess.Popen[str], suffix: str, path: str) -> None:
        assert server.stdin is not None
        assert server.stdout is not None
        self.answered = Path(f"{path}.answered")
        server.stdin.write(f"{suffix}\t{path}\t{self.answered}\n")
        server.stdin.flush()
        self.returncode = int(server.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def communicate(self) -> tuple[bytes, None]:
        return self.answered.read_bytes(), None


@pytest.fixture(scope="module")
def server() -> Iterator[subprocess.Popen[str]]:
    streams: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", FORK_FOR_EACH], text=True, **streams) as process:
        yield process


@pytest.fixture
def forks(server, monkeypatch) -> None:
    monkeypatch.setattr(foreign, "start_python", lambda _, *asked, **streams: Fork(server, *asked))


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    pyagrum = import_pyagrum("exchange", "a test")
    for suffix in ("net", "dsl", "xdsl", "bifxml", "uai"):
        pyagrum.saveBN(NETWORK.to_pyagrum(), str(folder / f"w.{suffix}"))
    (folder / "w.xml").write_bytes((folder / "w.bifxml").read_bytes())
    return folder


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("suffix", [".net", ".dsl", ".xdsl", ".bifxml", ".xml"])
def test_what_pyagrum_writes_is_read(written, suffix, capfd, monkeypatch):
    found = cf.read_network(written / f"w{suffix}")
    assert found.name in ("weather", "w")
    assert dict(found.states) == dict(NETWORK.states)
    assert set(found.arcs) == set(NETWORK.arcs)
    for node, parents in found.parents.items():
        order = [NETWORK.parents[node].index(parent) for parent in parents]
        np.testing.assert_allclose(found.tables[node], NETWORK.tables[node].transpose([*order, len(order)]), atol=1e-6)
    assert capfd.readouterr() == ("", "")
    monkeypatch.setattr(foreign, "read_foreign", lambda *_: found)  # a graph is read in the same way
    assert {*cf.read_graph(written / f"w{suffix}").directed} == {*NETWORK.arcs}


@pytest.mark.usefixtures("forks")
def test_uai_has_numbers_for_names(written):
    found = cf.read_network(written / "w.uai")
    assert (found.name, set(found.nodes)) == ("w", {"0", "1", "2", "3"})
    assert sorted(len(states) for states in found.states.values()) == [2, 2, 2, 3]


@pytest.mark.usefixtures("forks")
def test_xmlbif_of_another_program(tmp_path):
    (tmp_path / "dog.xmlbif").write_text(XMLBIF, encoding="utf-8")
    found = cf.read_network(tmp_path / "dog.xmlbif")
    assert found.states == {"family-out": ("true", "weiß, <nicht>"), "light-on": ("0", "1")}
    assert found.tables["light-on"].tolist() == [[0.75, 0.25], [0.125, 0.875]]


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_labels_of_hugin(tmp_path, encoding):
    (tmp_path / "h.net").write_text(HUGIN, encoding=encoding)
    found = cf.read_network(tmp_path / "h.net")
    assert found.states == {"A": ("[18, 35)", "35 +"), "B": ("yes/no", "Größe", "x")}
    assert found.tables["B"].tolist() == [[0.5, 0.25, 0.25], [0.125, 0.875, 0]]


def odd_files() -> Iterator[tuple[str, bytes]]:
    """All that is odd, for one suffix of each reader of pyAgrum."""
    suffixes = {reader: suffix for suffix, reader in FORMATS.items()}
    for suffix in sorted(suffixes.values()):
        yield from ((suffix, content) for content in (b"", b"hello { } <a>", b"\xff\x00"))


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize(("suffix", "content"), list(odd_files()))
def test_what_is_no_network_is_refused_in_one_sentence(tmp_path, capfd, suffix, content):
    path = tmp_path / f"odd{suffix}"
    path.write_bytes(content)
    with pytest.raises(
        NetworkError, match=rf"odd{suffix}: (not a readable {suffix[1:]} file|pyAgrum crashed)"
    ) as caught:
        cf.read_network(path)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_process_that_is_no_fork_answers_the_same(written, tmp_path, capfd):
    assert dict(cf.read_network(written / "w.net").states) == dict(NETWORK.states)
    (tmp_path / "half.uai").write_bytes((written / "w.uai").read_bytes()[:40])
    with pytest.raises(NetworkError, match=r"half\.uai: not a readable uai file"):
        cf.read_network(tmp_path / "half.uai")  # of this one pyAgrum prints what it thinks
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("suffix", [".net", ".dsl", ".xdsl", ".bifxml", ".uai"])
def test_half_a_file_is_refused(written, tmp_path, suffix, monkeypatch):
    content = (written / f"w{suffix}").read_bytes()
    (tmp_path / f"half{suffix}").write_bytes(content[: len(content) // 2])
    with pytest.raises(NetworkError, match=rf"half{suffix}: ") as refused:
        cf.read_network(tmp_path / f"half{suffix}")

    def refuse(*_):
        raise refused.value

    monkeypatch.setattr(foreign, "read_foreign", refuse)
    with pytest.raises(GraphError, match=rf"half{suffix}: "):
        cf.read_graph(tmp_path / f"half{suffix}")


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(NetworkError, match=r"absent\.net cannot be read: No such file"):
        cf.read_network(tmp_path / "absent.net")
    with pytest.raises(NetworkError, match=r"cannot be read: Is a directory"):
        read_foreign(tmp_path, ".net")
    with pytest.raises(NetworkError, match="null"):
        cf.read_network(tmp_path / "a\0b.net")


def test_a_pipe_is_read(written, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=((written / "w.net").read_bytes(),))
    writer.start()
    assert set(cf.read_graph(pipe, format="net").names) == set(NETWORK.nodes)
    writer.join()


def test_without_pyagrum_the_message_says_what_installs_it(written, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(
        MissingPackageError, match=r'network in \.net needs the package pyagrum; pip install "climbfast\['
    ):
        cf.read_network(written / "w.net")
