"""What shells are given to complete, by the variables that they set."""

from __future__ import annotations

import gzip

import pytest

from climbfast.cli.completion import column_names, words_to_complete


@pytest.fixture
def complete(run, monkeypatch):
    """Return what bash is offered for the last word."""

    def complete(*words: str) -> list[str]:
        monkeypatch.setenv("_CLIMBFAST_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", " ".join(["climbfast", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        code, out, err = run()
        assert (code, err) == (0, "")
        return out.split("\n")[:-1] if out.strip() else []

    return complete


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text("age;heart rate;heart_disease\n1;2;3\n")
    (tmp_path / "graph.csv").write_text("source,target,type\n")
    return "table.csv"


def test_commands(complete):
    assert complete("blank") == ["blanket", "blankets"]


def test_options(complete):
    assert complete("blanket", "data.csv", "--node") == ["--node-budget"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("blanket", "table.csv", "--target", "a"), ["age"]),
        (("blanket", "table.csv", "--target", "heart"), ["'heart rate'", "heart_disease"]),
        (("test", "table.csv", "--given", "age,heart_"), ["age,heart_disease"]),
        (("orient", "graph.csv", "table.csv", "--tier", "ag"), ["age"]),
        (("blanket", "none.csv", "--target", "a"), []),
        (("blanket", "table.csv", "--no-header", "--target", "a"), []),
    ],
)
def test_names_of_columns(complete, table, words, offered):
    assert complete(*words) == offered


def test_other_shells_quote_by_themselves(run, table, monkeypatch):
    monkeypatch.setenv("_CLIMBFAST_COMPLETE", "complete_fish")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", f"climbfast blanket {table} --target heart")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    assert run().out.split("\n")[:2] == ["heart rate", "heart_disease"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("blanket", "d.csv", "--test", ""), ["sci", "g2", "x2", "cmi"]),
        (("blanket", "d.csv", "--missing", "dr"), ["drop-rows"]),
        (("neighbors", "d.csv", "--method", "get"), ["getpc", "getpcd"]),
        (("blanket", "d.csv", "--method", "b"), ["best"]),
        (("graph", "d.csv", "--method", "fges"), ["fges", "fges+climb", "fges+global"]),
        (("bootstrap", "d.csv", "--search", "blank"), ["blankets", "blanket"]),
        (("orient", "g.csv", "d.csv", "--method", "g"), ["global"]),
        (("report", "d.csv", "--search", "pc+g"), ["pc+global"]),
        (("graph", "d.csv", "--score", "b"), ["bic", "bdeu"]),
        (("graph", "d.csv", "--conflicts", "m"), ["majority"]),
        (("graph", "d.csv", "--orient", "c"), ["climb"]),
        (("blanket", "d.csv", "--symmetry", "a"), ["and"]),
        (("blanket", "-", "--format", "t"), ["tsv", "txt"]),
        (("convert", "g.csv", "--out", "-", "--out-format", "g"), ["graphml", "gv"]),
        (("blankets", "d.csv", "--out", "-", "--out-format", "j"), ["jsonl"]),
        (("sample", "n.bif", "--out", "-", "--out-format", "t"), ["tsv", "tsv.gz"]),
        (("schema", "b"), ["blanket", "bootstrap"]),
    ],
)
def test_legal_values(complete, words, offered):
    assert sorted(complete(*words)) == sorted(offered)


def test_only_the_first_line_is_read(tmp_path):
    packed = tmp_path / "table.tsv.gz"
    packed.write_bytes(gzip.compress(b'\xef\xbb\xbfa\t"b c"\n') + b"damaged")
    assert column_names(packed) == ["a", "b c"]


def test_a_name_in_quotes_may_have_a_line_break(tmp_path):
    (tmp_path / "table.csv").write_text('"a\nb",c\n1,2\n')
    assert column_names(tmp_path / "table.csv") == ["c"]  # a shell cannot type the other


@pytest.mark.parametrize(("suffix", "write"), [("parquet", "write_parquet"), ("arrow", "write_ipc")])
def test_of_columnar_files_the_schema_is_read(tmp_path, suffix, write):
    import polars as pl

    file = tmp_path / f"table.{suffix}"
    getattr(pl.DataFrame({"x": [1], "y z": [2]}), write)(file)
    assert column_names(file) == ["x", "y z"]


def test_a_file_that_cannot_be_read_offers_nothing(tmp_path):
    (tmp_path / "odd.csv").write_bytes(b"\xff\xfe\n")
    (tmp_path / "odd.parquet").write_bytes(b"no")
    for name in ("odd.csv", "odd.parquet", "none.csv", "other.sav"):
        assert column_names(tmp_path / name) == []


def test_the_script_of_a_shell(run, monkeypatch):
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))  # tests may run below none
    code, out, err = run("--show-completion", "bash")
    assert (code, err) == (0, "")
    assert "complete -o default -F _climbfast_completion climbfast" in out


def test_without_a_shell_nothing_is_completed(monkeypatch):
    monkeypatch.delenv("_CLIMBFAST_COMPLETE", raising=False)
    assert words_to_complete() is None
    monkeypatch.setenv("_CLIMBFAST_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "climbfast blanket 'sp ace.csv' --target 'a")
    assert words_to_complete() == ["blanket", "'sp", "ace.csv'", "--target", "'a"]
