"""Compiled kernels that come with the package are used where they fit, and nobody notices them elsewhere."""

from __future__ import annotations

import json
import shutil

import numba
import pytest

from bench.tools.ship_kernels import compile_for, ship
from climbfast_kernels import _cache_folder, _shipped
from climbfast_kernels._jit import INTERPRETED
from climbfast_kernels._shipped import FAMILIES, INDEX
from tests.kernels.compiling_processes import printed, run

V4, V3 = FAMILIES
REGRET = "from climbfast_kernels.regret import log2_regret\nprint(log2_regret(3, 1000))\n"
compiled_only = pytest.mark.skipif(
    INTERPRETED or not _shipped.families_of_host(), reason="nothing is compiled, or this is no processor of a family"
)


@pytest.fixture(scope="module")
def kernels():
    """One compiled kernel, by its name."""
    return compile_for(_shipped.families_of_host()[0], ("-c", REGRET))


@pytest.fixture
def shipped(kernels, tmp_path, monkeypatch):
    """The folder of an archive with that kernel."""
    monkeypatch.setattr(_shipped, "FOLDER", tmp_path / "compiled")
    _shipped._archive.cache_clear()
    ship(_shipped.families_of_host()[0], kernels)
    yield tmp_path / "compiled"
    _shipped._archive.cache_clear()


def with_archives(folder, program: str = REGRET) -> str:
    found = f"_shipped.FOLDER = Path({str(folder)!r})"
    return f"from pathlib import Path\nfrom climbfast_kernels import _shipped\n{found}\n{program}"


def features_of(family: _shipped.Family) -> str:
    return ",".join(f"+{feature}" for feature in family.needs) + ",-sse4a"


@pytest.mark.parametrize(
    ("features", "families"),
    [
        (features_of(V4), [V4, V3]),
        (features_of(V3), [V3]),
        (features_of(V4).replace("+avx512vpopcntdq", "-avx512vpopcntdq"), [V3]),
        (features_of(V3).replace("+avx2", "-avx2"), []),
        ("", []),
    ],
)
def test_a_processor_is_of_the_families_whose_features_it_has(monkeypatch, features, families):
    monkeypatch.setattr(_shipped, "get_host_cpu_features", lambda: features)
    assert _shipped.families_of_host() == families


@compiled_only
def test_a_kernel_that_fits_is_loaded_and_kept(shipped, kernels, tmp_path):
    cache = tmp_path / "cache"
    [value] = printed(with_archives(shipped), cache)
    assert [file.name for file in cache.rglob("*.*")] == [
        file.name for file in cache.rglob("regret.log2_regret-*.kernel")
    ]
    shutil.rmtree(shipped)
    assert printed(REGRET, cache) == [value]


@compiled_only
def test_nothing_is_compiled_where_nothing_can_be_kept(shipped, tmp_path):
    (tmp_path / "file").touch()
    found = run(with_archives(shipped, f"import numba\nnumba.njit(lambda: 1)()\n{REGRET}"), tmp_path / "file")
    assert found.returncode == 0
    assert float(found.stdout) > 1


@compiled_only
def test_what_does_not_fit_is_ignored(shipped, kernels, monkeypatch):
    [name] = kernels
    assert _shipped.shipped_kernel(name) == kernels[name]
    assert _shipped.shipped_kernel("other") is None

    def ignored() -> bool:
        _shipped._archive.cache_clear()
        return _shipped.shipped_kernel(name) is None

    for changed, attribute, value in (
        (numba, "__version__", "0.0.1"),
        (_cache_folder, "hash_of_sources", lambda: "other"),
        (_shipped, "get_host_cpu_features", lambda: "+sse2"),
        (_shipped, "get_process_triple", lambda: "x86_64-unknown-none"),
        (numba.config, "CPU_NAME", "generic"),
        (numba.config, "CPU_FEATURES", "+sse2"),
    ):
        with monkeypatch.context() as context:
            context.setattr(changed, attribute, value)
            assert ignored()
    assert not ignored()


@compiled_only
@pytest.mark.parametrize("damage", [lambda content: content[:-1], lambda content: content[::-1], lambda _: b""])
def test_a_damaged_archive_is_ignored(shipped, kernels, damage):
    [archive] = shipped.glob("*.zip")
    archive.write_bytes(damage(archive.read_bytes()))
    assert _shipped.shipped_kernel(*kernels) is None
    archive.unlink()
    _shipped._archive.cache_clear()
    assert _shipped.shipped_kernel(*kernels) is None


@compiled_only
@pytest.mark.parametrize("index", ["", "{}", "[]", '{"archives": 3}'])
def test_a_damaged_index_is_ignored(shipped, kernels, index):
    (shipped / INDEX).write_text(index)
    assert _shipped.shipped_kernel(*kernels) is None


@compiled_only
def test_a_damaged_kernel_in_an_archive_is_compiled(shipped, kernels, tmp_path):
    [(name, kernel)] = kernels.items()
    ship(_shipped.families_of_host()[0], {name: kernel[:-50] + bytes(50)})
    first, *_, value = printed(with_archives(shipped), tmp_path / "cache")
    assert first == "compiles log2_regret"
    assert printed(REGRET, tmp_path / "cache") == [value]


@compiled_only
def test_archives_from_other_sources_are_removed(shipped, kernels):
    [archive] = shipped.glob("*.zip")
    family = _shipped.families_of_host()[0]
    ship(family._replace(name="other"), kernels)
    assert len([*shipped.glob("*.zip")]) == len(json.loads((shipped / INDEX).read_text())["archives"]) == 2
    (shipped / INDEX).write_text('{"sources": "other", "archives": {}}')
    ship(family, kernels)
    assert [*shipped.glob("*.zip")] == [archive]
