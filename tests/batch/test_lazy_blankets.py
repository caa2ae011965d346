"""Blankets of a run are put together when they are asked for."""

from __future__ import annotations

import gc
import pickle
import weakref

import pytest

import climbfast as cf
from tests.batch.runs import run
from tests.factories import quiet_codes


@pytest.fixture(scope="module")
def health():
    return cf.load_example().sample(3_000, seed=2)


def test_named_when_asked_for(health):
    """A blanket is put together once; the result keeps names, packed results and the data, its copy only blankets."""
    copied_data = quiet_codes(health.codes.copy())
    codes, found = weakref.ref(copied_data.codes), run(copied_data)
    assert found.data is copied_data
    del copied_data
    gc.collect()
    assert found["c03"] is found["c03"] is found.found[3]
    assert found["c03"].data is found.data
    copied = pickle.loads(pickle.dumps(found))
    assert copied == found
    assert dict(copied.how) == dict(found.how)
    assert codes() is not None
    del found
    gc.collect()
    assert codes() is None
