"""Whoever does the work, and however joblib is told to: the same blankets, and a word on who it was."""

from __future__ import annotations

import joblib
import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor

import climbfast as cf
from climbfast.batch import pool as batch_pool
from climbfast.batch.packed_results import PackedResult
from climbfast.batch.passes import UnitResults
from climbfast.local.getpcd import getpcd
from climbfast_kernels._jit import INTERPRETED
from tests.batch.runs import Counting, Stopping, found_alone, without_cost
from tests.factories import draw_codes, quiet, quiet_codes


def found(data, targets=None, **options):
    return cf.markov_blankets(data, targets, progress=False, **options)


def bare(blankets):
    return {name: without_cost(blanket) for name, blanket in blankets.items()}


@pytest.fixture(scope="module")
def health():
    return cf.load_example().sample(1000, 1)


@pytest.fixture(scope="module")
def wide():
    """Columns of two to twelve levels, of which few lean on another."""
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 5, 500, seed=2, lean=0.6))


@pytest.fixture(scope="module")
def serial(health):
    return found(health, n_jobs=1)


@pytest.fixture(scope="module")
def wide_serial(wide):
    return found(wide, n_jobs=1)


class TestTheSameAsOneByOne:
    @pytest.mark.parametrize(
        "test", [cf.X2(), cf.CMI(cutoff=0.01), cf.G2(df="adjusted", min_rows_per_df=5), cf.SCI(min_bits=3)], ids=repr
    )
    @pytest.mark.parametrize("method", ["climb", "hiton-mb", "iamb"])
    def test_every_test(self, health, method, test):
        assert bare(found(health, method=method, test=test, n_jobs=1)) == found_alone(health, method=method, test=test)

    @pytest.mark.parametrize(
        "options",
        [
            {"neighbors": "mmpc"},
            {"neighbors": "si-hiton-pc", "symmetry": "and"},
            pytest.param({"neighbors": getpcd}, id="a search of one's own"),
            {"method": "pcmb", "orient": True},
            {"method": "gs", "orient": True},
            {"max_given": 1},
            {"max_given": None},
            {"min_margin": 20.0},
            {"node_budget": 1},
            {"counting": "dense"},
        ],
        ids=str,
    )
    def test_every_option(self, health, options):
        assert bare(found(health, **options)) == found_alone(health, **options)

    def test_columns_of_many_levels(self, wide, wide_serial):
        assert bare(wide_serial) == found_alone(wide)

    def test_targets_are_a_set(self, health):
        assert list(found(health, ["sleep", "ecg", "sleep"])) == ["ecg", "sleep"]
        assert list(found(health, "sleep")) == ["sleep"]

    @pytest.mark.parametrize("rows", [1, 2])
    def test_hardly_any_rows(self, rows):
        data = quiet_codes(draw_codes([2, 3, 1], rows))
        assert bare(found(data)) == found_alone(data)

    def test_one_column(self):
        assert found(quiet({"a": [0, 1, 0]}))["a"].members == ()


class TestTheSameHoweverItIsRun:
    @pytest.mark.skipif(INTERPRETED, reason="each process takes its time")
    @pytest.mark.parametrize("method", ["climb", "iamb"])
    def test_processes_that_hand_over_lists_alone(self, health, method):
        """multiprocessing returns no generator; the journal gets its units nevertheless while the run goes on."""
        units = Counting()
        with joblib.parallel_config(backend="multiprocessing", n_jobs=2):
            blankets = cf.markov_blankets(health, method=method, progress=units)
        assert dict(blankets) == dict(found(health, method=method, n_jobs=1))
        assert units.units["blankets"] == health.columns
        assert blankets.how["backend"] == "processes"

    def test_frames_and_names_of_any_kind(self, serial, health):
        names = {name: (i, name) if i % 2 else i for i, name in enumerate(health.names)}
        table = {names[name]: health.codes[health.index(name)] for name in health.names}
        other = found(quiet(table))
        assert {x: set(b.members) for x, b in other.items()} == {
            names[x]: {names[y] for y in b.members} for x, b in serial.items()
        }


class TestWorkers:
    def how(self, data, **options):
        how = found(data, **options).how
        return how["workers"], how["backend"], how["why"]

    def test_by_the_size_of_the_job(self, health, monkeypatch):
        assert self.how(health, n_jobs=2) == (1, "serial", "a job too small for more than one worker")
        assert self.how(health, n_jobs=1) == (1, "serial", "one worker")
        assert self.how(health, targets=["sleep"], n_jobs=2) == (1, "serial", "one target")
        monkeypatch.setattr(batch_pool, "SECONDS_FOR_THREADS", 0.0)
        assert self.how(health, n_jobs=2) == (2, "threads", "every pass is compiled, so threads rarely wait")
        with joblib.parallel_config(n_jobs=3):
            assert self.how(health) == (3, "threads", "every pass is compiled, so threads rarely wait")
            assert self.how(health, n_jobs=2)[0] == 2
        if not INTERPRETED:
            monkeypatch.setattr(batch_pool, "SECONDS_FOR_PROCESSES", 0.0)
            assert self.how(health, n_jobs=2) == (2, "processes", "a job large enough for processes")

    @pytest.mark.parametrize(
        ("config", "workers", "backend"),
        [
            ({"backend": "threading", "n_jobs": 3}, 3, "threads"),
            ({"prefer": "threads", "n_jobs": 3}, 3, "threads"),
            ({"require": "sharedmem", "n_jobs": 3}, 3, "threads"),
            ({"backend": "threading", "n_jobs": 1}, 1, "serial"),
            ({"backend": "sequential"}, 1, "serial"),
            ({"backend": "loky", "n_jobs": 1}, 1, "serial"),
        ],
        ids=str,
    )
    def test_parallel_config_decides(self, health, serial, config, workers, backend):
        with joblib.parallel_config(**config):
            blankets = found(health)
        assert (blankets.how["workers"], blankets.how["backend"]) == (workers, backend)
        assert dict(blankets) == dict(serial)

    def test_a_run_inside_a_run_of_joblib(self, health, serial):
        with joblib.parallel_config(backend="threading"):
            inner = joblib.Parallel(n_jobs=2)(joblib.delayed(found)(health) for _ in range(2))
        assert [dict(blankets) for blankets in inner] == [dict(serial)] * 2

    @pytest.mark.parametrize("n_jobs", [0, True, 1.5, "all"])
    def test_a_number_of_workers_that_is_none(self, health, n_jobs):
        with pytest.raises(cf.OptionError, match="n_jobs is"):
            found(health, n_jobs=n_jobs)


def look_at(job, units, *arrays):
    """In the place of a pass: say which arrays are maps of files, of which ones, and whether they are read-only."""
    mapped = [isinstance(array, np.memmap) for array in arrays]
    files = sorted(str(array.filename) for array in arrays if isinstance(array, np.memmap))
    names = np.frombuffer("\n".join(files).encode(), dtype=np.uint8).astype(np.int64)
    flags = [len(mapped), *mapped, *(array.flags.writeable for array in arrays), *(array.nbytes for array in arrays)]
    return UnitResults(tuple((unit, PackedResult(np.array([*flags, *names]), np.zeros(0))) for unit in units), 0)


@pytest.mark.skipif(INTERPRETED, reason="each process takes its time")
class TestMemoryMaps:
    def seen(self, monkeypatch, data, **config):
        """What the workers see of the arrays, task by task."""

        class Seen(Exception):  # noqa: N818  # it is no error
            pass

        run_pass = batch_pool.PassRunner.run_pass
        seen = []

        def spied(runner, name, work, units, arrays, most_per_task=1):
            packed = run_pass(runner, "screen", look_at, range(8), arrays, 1)
            seen.extend(each.ints.tolist() for each in packed.values())
            raise Seen

        monkeypatch.setattr(batch_pool.PassRunner, "run_pass", spied)
        get_reusable_executor().shutdown()  # one that is there already keeps its folder
        with joblib.parallel_config(backend="loky", n_jobs=2, **config), pytest.raises(Seen):
            found(data)
        many = seen[0][0]
        return [
            (task[1 : many + 1], task[many + 1 : 2 * many + 1], task[2 * many + 1 : 3 * many + 1],
             bytes(task[3 * many + 1 :]).decode().split("\n"))
            for task in seen
        ]  # fmt: skip

    def test_large_arrays_are_written_once_and_mapped_read_only(self, wide, monkeypatch):
        tasks = self.seen(monkeypatch, wide)
        mapped, writeable, sizes, files = tasks[0]
        assert all(task[3] == files for task in tasks)
        assert [bool(m) for m in mapped] == [size > batch_pool.BYTES_IN_MEMORY_MAPS for size in sizes]
        assert sum(mapped) >= 2
        assert not any(w for w, m in zip(writeable, mapped, strict=True) if m)

    def test_parallel_config_says_where_and_from_what_size(self, wide, monkeypatch, tmp_path):
        _, _, _, files = self.seen(monkeypatch, wide, temp_folder=str(tmp_path))[0]
        assert all(name.startswith(str(tmp_path)) for name in files)
        monkeypatch.undo()
        assert not any(self.seen(monkeypatch, wide, max_nbytes=None)[0][0])
        monkeypatch.undo()
        assert all(self.seen(monkeypatch, wide, max_nbytes=1)[0][0])


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "says"),
        [
            ({"targets": []}, "there are no targets"),
            ({"method": "magic"}, "no method named 'magic'"),
            ({"method": "mmpc"}, "finds neighbors"),
            ({"min_bits": 3, "test": "g2"}, "min_bits is for sci"),
            ({"min_bits": -1}, "min_bits is -1"),
            ({"counting": "fingers"}, "counting is 'fingers'"),
            ({"symmetry": "xor"}, "symmetry is 'xor'"),
            ({"progress": None}, "progress is None"),
        ],
    )
    def test_options(self, health, options, says):
        with pytest.raises(cf.OptionError, match=says):
            cf.markov_blankets(health, **{"progress": False} | options)

    def test_a_test_that_is_an_object(self, health):
        with pytest.raises(cf.OptionError, match="by its name or options"):
            found(health, test=cf.Tester(health))

    def test_an_unknown_target(self, health):
        with pytest.raises(cf.UnknownColumnError, match="'sleep'"):
            found(health, ["sleeep"])


class TestInterrupted:
    @pytest.mark.parametrize("backend", ["sequential", "threading", "loky", "multiprocessing"])
    def test_it_says_how_to_go_on(self, wide, wide_serial, tmp_path, backend):
        if INTERPRETED and backend != "sequential":
            return
        journal = tmp_path / "run.journal"
        with joblib.parallel_config(backend=backend, n_jobs=2), pytest.raises(cf.Interrupted) as caught:
            cf.markov_blankets(wide, progress=Stopping(20), journal=journal)
        assert isinstance(caught.value, KeyboardInterrupt)
        assert "interrupted in the pass 'neighbors'; finished work is saved in " in str(caught.value)
        assert str(journal) in str(caught.value)
        assert dict(found(wide, journal=journal)) == dict(wide_serial)

    def test_without_a_journal(self, health):
        with pytest.raises(cf.Interrupted, match=r"nothing is saved: only a run with journal=\.\.\. can be continued"):
            cf.markov_blankets(health, progress=Stopping(1))

    @pytest.mark.parametrize("backend", ["sequential", "threading"])
    def test_an_exception_passes_through(self, health, backend):
        stopping = Stopping(3, ZeroDivisionError)
        with joblib.parallel_config(backend=backend, n_jobs=2), pytest.raises(ZeroDivisionError):
            cf.markov_blankets(health, progress=stopping)
        assert stopping.ended == 1


class TestHow:
    def test_it_says_what_was_asked_for_and_what_it_cost(self, health):
        counting = Counting()
        blankets = cf.markov_blankets(health, test=cf.G2(alpha=0.05), n_jobs=2, progress=counting)
        how = blankets.how
        assert how["test_options"]["alpha"] == 0.05
        assert (how["method"], how["test"], how["data"]) == ("climb", "g2", health.fingerprint)
        assert (how["rows"], how["columns"], how["targets"]) == (1000, 15, 15)
        assert list(how["seconds_by_pass"]) == ["screen", "neighbors", "blankets"]
        assert how["seconds"] >= sum(how["seconds_by_pass"].values())
        assert how["tests"] == counting.tests > 15 * 14 // 2

    def test_tests_are_the_same_with_and_without_a_journal(self, health, tmp_path):
        with pytest.raises(cf.Interrupted):
            cf.markov_blankets(health, progress=Stopping(10), journal=tmp_path / "j", n_jobs=1)
        resumed = found(health, journal=tmp_path / "j", n_jobs=1)
        assert resumed.how["tests"] == found(health, n_jobs=1).how["tests"]

    def test_every_pair_is_tested_once_with_nothing_given(self, health, serial):
        searches = sum(blanket.tests for blanket in serial.values())
        assert serial.how["tests"] == searches + health.columns * (health.columns - 1) // 2
        assert all(blanket.tests_by_size[:1] in ((), (0,)) for blanket in serial.values())
