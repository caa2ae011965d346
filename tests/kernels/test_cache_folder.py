"""Compiled kernels are kept where a change of any source empties the place."""

from __future__ import annotations

import os
import stat
import sys

import llvmlite
import numba
import pytest

from climbfast_kernels import _cache_folder

private_cache = _cache_folder.private_cache.__wrapped__  # anew at each call


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A folder that stands for the one with the sources of the kernels."""
    monkeypatch.setattr(_cache_folder, "__file__", str(tmp_path / "_jit.py"))
    for name in ("_jit.py", "counts.py", "bits.py"):
        (tmp_path / name).write_text(f"# {name}\n")
    return tmp_path


def test_the_cache_is_keyed_by_every_source(sources):
    seen = [_cache_folder.cache_directory()]
    (sources / "counts.py").write_text("# edited\n")
    seen.append(_cache_folder.cache_directory())
    (sources / "bits.py").rename(sources / "bitmaps.py")
    seen.append(_cache_folder.cache_directory())
    (sources / "scores.py").write_text("# new\n")
    seen.append(_cache_folder.cache_directory())
    assert len(set(seen)) == 4
    assert _cache_folder.cache_directory() == seen[-1]


@pytest.mark.parametrize("compiler", [numba, llvmlite])
def test_the_cache_is_keyed_by_the_versions_of_the_compilers(sources, monkeypatch, compiler):
    before = _cache_folder.cache_directory()
    monkeypatch.setattr(compiler, "__version__", "0.0.1")
    assert _cache_folder.cache_directory() != before


@pytest.mark.parametrize(("setting", "other"), [("USING_SVML", "yes"), ("OPT", 1), ("BOUNDSCHECK", 1)])
def test_the_cache_is_keyed_by_how_numba_compiles(sources, monkeypatch, setting, other):
    before = _cache_folder.cache_directory()
    monkeypatch.setattr(numba.config, setting, other)
    assert _cache_folder.cache_directory() != before


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these have a place of their own")
def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.delenv("CLIMBFAST_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert _cache_folder.cache_directory().parent == tmp_path / ".cache" / "climbfast"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert _cache_folder.cache_directory().parent == tmp_path / "xdg" / "climbfast"
    monkeypatch.setenv("CLIMBFAST_CACHE_DIR", str(tmp_path / "chosen"))
    assert _cache_folder.cache_directory().parent == tmp_path / "chosen" / "climbfast"


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    """The folder for the kernels of all versions, which the next call makes private."""
    monkeypatch.setenv("CLIMBFAST_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(_cache_folder, "_warned_of_cache", False)
    return tmp_path / "climbfast"


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="the folder lies in the user's profile")


@posix_only
def test_the_folder_is_made_for_this_user_alone(chosen):
    chosen.mkdir(mode=0o755)
    directory = private_cache()
    assert directory == _cache_folder.cache_directory()
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in (chosen, directory)} == {0o700}


@posix_only
def test_a_folder_into_which_others_could_put_files_is_refused(chosen, monkeypatch):
    chosen.mkdir()
    chosen.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="other users can write to"):
        assert private_cache() is None
    chosen.chmod(0o700)
    chosen.parent.chmod(0o777)
    monkeypatch.setattr(_cache_folder, "_warned_of_cache", False)
    with pytest.warns(RuntimeWarning, match="other users can replace files in"):
        assert private_cache() is None
    chosen.parent.chmod(0o1777)
    assert private_cache() is not None


@posix_only
def test_a_link_is_refused(chosen, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    chosen.symlink_to(tmp_path / "elsewhere")
    with pytest.warns(RuntimeWarning, match="is a link or no folder"):
        assert private_cache() is None


@posix_only
def test_a_folder_of_another_user_is_refused(chosen, monkeypatch):
    chosen.mkdir(mode=0o700)
    owner = os.geteuid()
    lstat = _cache_folder.Path.lstat
    of_others = os.stat_result([owner + 1 if i == stat.ST_UID else value for i, value in enumerate(chosen.stat())])
    monkeypatch.setattr(_cache_folder.Path, "lstat", lambda path: of_others if path == chosen else lstat(path))
    with pytest.warns(RuntimeWarning, match="belongs to another user"):
        assert private_cache() is None
