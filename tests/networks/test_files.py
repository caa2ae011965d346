"""Network files by their suffix; those of other programs are in test_foreign."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.errors import NetworkError


@pytest.mark.parametrize("name", ["n.bif", "N.BIF", "n.bif.gz"])
def test_bif(tmp_path, name):
    cf.load_example().write_bif(tmp_path / name)
    assert cf.read_network(tmp_path / name) == cf.load_example()


def test_another_suffix(tmp_path):
    with pytest.raises(NetworkError, match=r"n\.csv: unknown suffix; known are \.bif, \.bif\.gz, \.net, "):
        cf.read_network(tmp_path / "n.csv")
