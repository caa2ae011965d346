"""How other packages are asked, with a file in the place of one."""

from __future__ import annotations

import sys

import pytest

from bench.accuracy import peers
from bench.accuracy.peers import PEERS, Peer, PeerError, peer_answer
from bench.accuracy.samples import sample

FILE = """
import sys
sys.path.insert(0, {folder!r})
from answer import main

def chain(names, codes):
    assert codes.shape == (300, len(names)), codes.shape
    return lambda: names, lambda found: (list(zip(found, found[1:]))[:2], [(found[3], found[4])])

def failing(names, codes):
    raise ValueError("no such data")

main({{"chain": chain, "failing": failing}})
"""


@pytest.fixture
def package(monkeypatch, tmp_path):
    folder = str(peers.HERE)
    (tmp_path / "with_a_package.py").write_text(FILE.format(folder=folder))
    monkeypatch.setattr(peers, "HERE", tmp_path)
    monkeypatch.setattr(peers, "python_of", lambda *_: sys.executable)
    monkeypatch.setattr(peers, "PEERS", {name: Peer("a-package", name) for name in ("chain", "failing")})


def test_the_answer_has_names_and_kinds_of_edges(package):
    of = sample("random:7", 300, 1)
    names = of.data.names
    found, seconds = peer_answer("chain", of)
    assert set(found.directed) == {(names[0], names[1]), (names[1], names[2])}
    assert {*found.undirected[0]} == {names[3], names[4]}
    assert found.names == of.truth.names
    assert 0 <= seconds < 1


def test_a_failure_says_why(package):
    with pytest.raises(PeerError, match="no such data"):
        peer_answer("failing", sample("random:7", 300, 1))


def test_every_peer_has_a_file():
    files = {path.name for path in peers.HERE.glob("with_*.py")}
    assert {f"with_{peer.package.replace('-', '_')}.py" for peer in PEERS.values()} == files
