"""BIF files: what the format allows is read, what it does not is refused with the line."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyparsing
import pytest
from hypothesis import HealthCheck, given, settings
from pgmpy.readwrite import BIFReader

from climbfast.errors import NetworkError
from climbfast.extras import import_pyagrum
from climbfast.networks.bif import read_bif, write_bif
from climbfast.networks.bif_names import Spelling, spelling_of
from climbfast.networks.examples import load_example
from climbfast.networks.network import Network
from tests import shared_data
from tests.networks.random_networks import networks

HEAD = """network unknown {
}
variable a {
  type discrete [ 2 ] { no, yes };
}
variable b {
  type discrete [ 3 ] { low, mid, high };
}
"""
ROOT = "probability ( a ) {\n  table 0.25, 0.75;\n}\n"
LEAF = "probability ( b | a ) {\n  (yes) 0.1, 0.2, 0.7;\n  (no) 1.0, 0.0, 0.0;\n}\n"
# Line of the first line after HEAD + ROOT
AFTER = (HEAD + ROOT).count("\n") + 1

# What JavaBayes writes: quoted names, no commas, no bar, comments, properties, whole tables.
DOG = """// Bayesian Network in the Interchange Format
network "Dog-Problem" { //3 variables and 3 probability distributions
\tproperty "credal-set constant-density-bounded 1.1" ;
\tproperty source = "http://example.org/a;b" ;
}
/* variables
   { ; } */
variable  "bowel-problem" { //2 values
\ttype discrete[2] {  "true"  "false" };
\tproperty "position = (335, 99)" ;
}
variable  "dog-out" { property position = (300, 195) ;
\ttype discrete[2] {  "true"  "false" };
}
variable  "family-out" { //2 values
\ttype discrete[2] {  "true"  "false" };
}
probability (  "dog-out"  "bowel-problem"  "family-out" ) { //3 variable(s) and 8 values
\ttable 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7 ;
}
probability (  "bowel-problem" ) { table 1e-2 .99 ; property certain; }
probability (  "family-out" ) { default 15.0E-2 0.85 ; }
"""


def read(tmp_path: Path, text: str, name: str = "net.bif") -> Network:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read_bif(path)


def test_the_plain_form(tmp_path):
    network = read(tmp_path, HEAD + ROOT + LEAF)
    assert network.name == "net"  # the file says "unknown"
    assert network.states == {"a": ("no", "yes"), "b": ("low", "mid", "high")}
    assert network.arcs == (("a", "b"),)
    assert network.tables["a"].tolist() == [0.25, 0.75]
    assert network.tables["b"].tolist() == [[1.0, 0.0, 0.0], [0.1, 0.2, 0.7]]


def test_the_form_of_javabayes(tmp_path):
    network = read(tmp_path, DOG)
    assert network.name == "Dog-Problem"
    assert network.parents["dog-out"] == ("bowel-problem", "family-out")
    # The states of the node change slowest, those of the last parent fastest.
    assert network.tables["dog-out"][:, :, 0].tolist() == [[0.99, 0.97], [0.9, 0.3]]
    assert network.tables["bowel-problem"].tolist() == [0.01, 0.99]
    assert network.tables["family-out"].tolist() == [0.15, 0.85]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings_byte_order_mark_and_gzip_change_nothing(tmp_path, ending):
    plain = read(tmp_path, DOG)
    assert read(tmp_path, "\ufeff" + DOG.replace("\n", ending)) == plain
    packed = tmp_path / "dog.bif.gz"
    packed.write_bytes(gzip.compress(DOG.encode()))
    assert read_bif(packed) == plain


def test_blocks_in_any_order(tmp_path):
    assert read(tmp_path, LEAF + ROOT + HEAD) == read(tmp_path, HEAD + ROOT + LEAF)


def test_a_default_fills_what_no_entry_names(tmp_path):
    leaf = "probability ( b | a ) { (yes) 0.1, 0.2, 0.7; default 0.5, 0.25, 0.25; }"
    assert read(tmp_path, HEAD + ROOT + leaf).tables["b"].tolist() == [[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]]


def test_labels_of_files_in_the_wild(tmp_path):
    labels = (
        "<5",
        ">=7.5",
        "12+",
        "Asy/Patch",
        "Transp.",
        "4-10_days",
        "-1",
        "a b",
        "x;y",
        "{",
        "table",
        "//",
    )
    listed = ", ".join(f'"{x}"' if x in ("a b", "x;y", "{", "//") else x for x in labels)
    text = (
        f"network n {{ }}\nvariable x {{ type discrete [ {len(labels)} ] {{ {listed} }}; }}\n"
        "variable property { type discrete [ 1 ] { property }; }\n"
        f"probability ( x ) {{ table {' '.join(['0.0833'] * 11)} 0.0837; }}\n"
        f"probability ( property | x ) {{ {''.join(f'({x}) 1;' for x in listed.split(', '))} }}\n"
    )
    network = read(tmp_path, text)
    assert network.states == {"x": labels, "property": ("property",)}
    write_bif(network, tmp_path / "again.bif")
    assert read_bif(tmp_path / "again.bif") == network


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD + ROOT + "probability ( b | a ) {\n (no) 1, 0, 0;\n}", AFTER, "no entry for 'b' given a = yes"),
        (HEAD + ROOT + LEAF[:-2] + "  (no) 1, 0, 0;\n}", AFTER + 3, "a second entry for 'b' given a = no"),
        (HEAD + ROOT + LEAF.replace("yes", "YES"), AFTER + 1, "'YES' is not a state of 'a'; it has no, yes"),
        (HEAD + ROOT + LEAF.replace("| a", "| z"), AFTER, "variable 'z' is not declared"),
        (HEAD + ROOT + LEAF.replace("( b", "( z"), AFTER, "variable 'z' is not declared"),
        (
            HEAD + ROOT + LEAF.replace("1.0, 0.0", "1.0"),
            AFTER + 2,
            "2 probabilities for 'b'; there should be 3",
        ),
        (
            HEAD + ROOT + LEAF.replace("0.7", "0.7, 0"),
            AFTER + 1,
            "4 probabilities for 'b'; there should be 3",
        ),
        (
            HEAD + ROOT + LEAF.replace("0.7", "0.6"),
            AFTER + 1,
            "'b' given a = yes: the probabilities sum to 0.9",
        ),
        (HEAD + ROOT + LEAF.replace("0.7", "x"), AFTER + 1, "'x' is not a number"),
        (HEAD + ROOT + LEAF.replace("1.0, 0.0", "2.0, -1.0"), AFTER + 2, "-1.0 is not a probability"),
        (HEAD + ROOT + LEAF.replace("(yes)", "(yes, no)"), AFTER + 1, "2 states for the 1 parents of 'b'"),
        (HEAD + ROOT + LEAF.replace("(yes)", "yes"), AFTER + 1, "found 'yes' where"),
        (HEAD + ROOT + LEAF.replace("| a", "| a, a"), AFTER, "a parent of 'b' is named twice"),
        (HEAD + ROOT + LEAF.replace("| a", "| b"), AFTER, "'b' is its own parent"),
        (HEAD + ROOT + LEAF.replace("b |", "b, a |"), AFTER, "a probability block begins"),
        (HEAD + ROOT + ROOT + LEAF, AFTER, "'a' has a second probability block"),
        (HEAD + ROOT + "\n\nvariable a { type discrete [1] {x}; }", AFTER + 2, "'a' is declared twice"),
        (HEAD + ROOT, 6, "variable 'b' has no probability block"),
        (HEAD.replace("[ 3 ]", "[ 4 ]") + ROOT + LEAF, 7, "'b' should have 4 states; it lists 3"),
        (HEAD.replace("mid", "low") + ROOT + LEAF, 7, "'b' lists the state 'low' twice"),
        (HEAD.replace("discrete [ 3 ]", "continuous") + ROOT + LEAF, 6, "discrete only"),
        (HEAD + "\n// fine\nnode c { }" + ROOT, 11, "found 'node' where a variable or probability block"),
        (HEAD + ROOT + LEAF[:-2], AFTER, "this probability block cannot be read"),
        (HEAD + ROOT.replace("0.75;", "0.75; table 0.5, 0.5;") + LEAF, 10, "a second table entry for 'a'"),
        (
            HEAD + ROOT + LEAF.replace("(no)", "table"),
            AFTER + 2,
            "3 probabilities for 'b'; there should be 6",
        ),
        (HEAD + "/* never closed\n" + ROOT + LEAF, 9, "a comment that does not end"),
        (HEAD + ROOT + LEAF + "\n/* variable c { type discrete [ 1 ] { x };", AFTER + 5, "a comment that does not end"),
        (HEAD + ROOT + LEAF + '\nproperty x "y" /* z */', AFTER + 5, "a property that does not end"),
        (HEAD.replace("low", "low/* the least"), 7, "a comment that does not end"),
        (HEAD.replace("low,", "low;,") + ROOT + LEAF, 7, "found ';' among names; write it in quotation marks"),
        (HEAD.replace("low,", "low(1,") + ROOT + LEAF, 7, "found '(' among names"),
        (HEAD.replace("low,", "low, ] ,") + ROOT + LEAF, 7, "found ']' among names"),
        (HEAD + ROOT + LEAF.replace("|", ";"), AFTER, "found ';' among names"),
        (HEAD + ROOT + LEAF.replace("| a", "| a ["), AFTER, "found '[' among names"),
        (
            "network variable a type discrete\nprobability {}" + HEAD + ROOT + LEAF,
            1,
            "this network block cannot be read",
        ),
        ('network my "own" {}' + HEAD + ROOT + LEAF, 1, "this network block cannot be read"),
        (HEAD + ROOT.replace("0.75", "0.7_5") + LEAF, 10, "'0.7_5' is not a number"),
        (HEAD.replace("mid,", "mid,\n\n[") + ROOT + LEAF, 9, "found '[' among names"),
        (HEAD + ROOT.replace("0.75", "٠.٧٥") + LEAF, 10, "'٠.٧٥' is not a number"),
        (HEAD.replace("[ 3 ]", "[ " + "9" * 5_000 + " ]"), 6, "this variable block cannot be read"),
        (HEAD + ROOT.replace("0.25, 0.75", "1e308, 1e308") + LEAF, 10, "1e+308 is not a probability"),
        ("", 1, "declares no variables"),
        ("<?xml version='1.0'?>", 1, "found '<?xml'"),
    ],
)
def test_a_fault_is_named_in_one_line_with_its_place(tmp_path, text, line, message):
    with pytest.raises(NetworkError) as caught:
        read(tmp_path, text)
    said = str(caught.value)
    assert f"net.bif, line {line}: " in said
    assert message in said
    assert "\n" not in said


def test_a_table_and_entries_do_not_mix(tmp_path):
    leaf = LEAF.replace("(no) 1.0, 0.0, 0.0", "table 1 1 0 0 0 0")
    with pytest.raises(NetworkError, match=f"line {AFTER + 2}: 'b' has a table, and other entries too"):
        read(tmp_path, HEAD + ROOT + leaf)


def test_a_cycle_is_named_with_its_nodes(tmp_path):
    root = "probability ( a | b ) { default 0.5, 0.5; }\n"
    with pytest.raises(NetworkError, match=r"net\.bif: .*cycle: (a -> b -> a|b -> a -> b)"):
        read(tmp_path, HEAD + root + LEAF)


def test_a_table_too_large_for_memory_is_refused(tmp_path):
    names = [f"v{i}" for i in range(40)]
    text = "".join(
        f"variable {v} {{ type discrete [ 2 ] {{ 0 1 }}; }} probability ( {v} ) {{ table 0.5 0.5; }}\n" for v in names
    )
    text += "variable y { type discrete [ 2 ] { 0 1 }; }\n"
    for entry in ("default 0.5 0.5;", ""):
        with pytest.raises(NetworkError, match="line 42: "):
            read(tmp_path, f"{text}probability ( y | {', '.join(names)} ) {{ {entry} }}")


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(NetworkError, match=r"absent\.bif cannot be read: No such file"):
        read_bif(tmp_path / "absent.bif")
    (tmp_path / "broken.bif.gz").write_bytes(gzip.compress(DOG.encode())[:-20])
    with pytest.raises(NetworkError, match=r"broken\.bif\.gz cannot be read"):
        read_bif(tmp_path / "broken.bif.gz")
    (tmp_path / "latin.bif").write_bytes(HEAD.encode() + "variable é".encode("latin-1"))
    with pytest.raises(NetworkError, match="line 9: byte 0xe9 is not UTF-8"):
        read_bif(tmp_path / "latin.bif")


@pytest.mark.parametrize("name", ["again.bif", "again.bif.gz"])
def test_what_is_written_reads_back_to_the_last_bit(tmp_path, name):
    rng = np.random.default_rng(0)
    states = {"a": ("x", "y z"), "b": ("1", "2", "3"), "the c": ("", "comment // here")}
    tables = {
        "a": rng.dirichlet([1, 1]),
        "b": rng.dirichlet([1, 1, 1], 2),
        "the c": rng.dirichlet([0.01] * 2, (3, 2)),
    }
    network = Network("two words", states, {"b": ("a",), "the c": ("b", "a")}, tables)
    write_bif(network, tmp_path / name)
    assert read_bif(tmp_path / name) == network
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("plain_names", [False, True])
@given(network=networks())
@settings(max_examples=60)
def test_any_names_read_back(tmp_path_factory, plain_names, network):
    path = tmp_path_factory.mktemp("names") / "names.bif"
    write_bif(network, path, plain_names=plain_names)
    assert read_bif(path) == network


@pytest.fixture
def bif_reader(monkeypatch) -> type[BIFReader]:
    """The reader of pgmpy, with grammars that are made once, and not for each file.

    Words of all letters of Unicode, which take it a second or two, are only in those parts that it does not use.
    """
    with monkeypatch.context() as words:
        words.setattr(pyparsing, "unicode", pyparsing.unicode.Latin1)
        grammars = {
            name: getattr(BIFReader, name)(None) for name in ("get_variable_grammar", "get_probability_grammar")
        }
    for name, grammar in grammars.items():
        monkeypatch.setattr(BIFReader, name, lambda _, grammar=grammar: grammar)
    return BIFReader


@given(network=networks())
@settings(max_examples=16, suppress_health_check=[*HealthCheck])  # its fixture is the same for all examples
def test_pgmpy_reads_every_file(bif_reader, tmp_path_factory, network):
    """The same tables; under the same names where it can take them."""
    path = tmp_path_factory.mktemp("pgmpy") / "names.bif"
    for plain in (False, True):
        write_bif(network, path, plain_names=plain)
        found = Network.from_pgmpy(bif_reader(string=path.read_text(encoding="utf-8")).get_model())
        assert_equal_in_spelling(found, network, spelling_of(network, plain=plain))


@given(network=networks(fewest_states=2))  # pyAgrum takes no node of one state from a file
@settings(max_examples=60)
def test_pyagrum_reads_plain_names(tmp_path_factory, network):
    path = tmp_path_factory.mktemp("pyagrum") / "names.bif"
    write_bif(network, path, plain_names=True)
    found = Network.from_pyagrum(import_pyagrum("exchange", "a test").loadBN(str(path)))
    assert_equal_in_spelling(found, network, spelling_of(network, plain=True))


def assert_equal_in_spelling(found: Network, network: Network, spelling: Spelling) -> None:
    assert set(found.nodes) == set(spelling.nodes.values())
    for node, written in spelling.nodes.items():
        assert found.states[written] == spelling.states[node]
        assert found.parents[written] == tuple(spelling.nodes[parent] for parent in network.parents[node])
        np.testing.assert_allclose(found.tables[written], network.tables[node], rtol=1e-6, atol=1e-9)


def test_a_wrong_property_with_names_is_refused(tmp_path):
    path = tmp_path / "net.bif"
    write_bif(Network("n", {"a b": ("x", "y"), "c": ("u", "v")}, {}, {"a b": [0.5, 0.5], "c": [0.5, 0.5]}), path)
    text = path.read_text(encoding="utf-8")
    assert "property climbfast_names = a%20b,x,y;" in text
    with pytest.raises(NetworkError, match=r"line 3: the property climbfast_names of 'a_b' should have 3 names"):
        read(tmp_path, text.replace("a%20b,x,y", "a%20b,x"))
    with pytest.raises(NetworkError, match=r"line 7: variable 'c' is declared twice"):
        read(tmp_path, text.replace("a%20b,x,y", "c,x,y"))
    with pytest.raises(NetworkError, match="states must be distinct"):
        read(tmp_path, text.replace("a%20b,x,y", "a,x,x"))


@pytest.mark.parametrize(
    "text", ["network {}", "network {\n}\n", "network my net {}", 'network "my net" { property x; }']
)
def test_names_of_networks(tmp_path, text):
    found = read(tmp_path, text + HEAD.partition("}")[2] + ROOT + LEAF)
    assert found.name == ("my net" if "my" in text else "net")


def test_paths_that_no_system_takes(tmp_path):
    for access in (read_bif, lambda path: write_bif(load_example(), path)):
        with pytest.raises(NetworkError, match="null"):
            access(tmp_path / "a\0b.bif")


def test_a_file_that_cannot_be_written(tmp_path):
    with pytest.raises(NetworkError, match=r"none.n\.bif cannot be written: No such file"):
        write_bif(load_example(), tmp_path / "none" / "n.bif")


class Plain(NamedTuple):
    """A network as its file spells it: states, parents, and probabilities by node and states of the parents."""

    states: dict[str, tuple[str, ...]]
    parents: dict[str, tuple[str, ...]]
    rows: dict[tuple[str, tuple[str, ...]], list[float]]


def read_plainly(text: str) -> Plain:
    """Read the one form that all published networks have, line by line."""
    found, node = Plain({}, {}, {}), ""
    for line in text.splitlines():
        word, _, rest = line.strip().removesuffix(";").partition(" ")
        if word == "variable":
            node = rest.removesuffix(" {")
        elif word == "type":
            found.states[node] = tuple(rest.removesuffix(" }").partition("{ ")[2].split(", "))
        elif word == "probability":
            node, _, given = rest.removeprefix("( ").removesuffix(" ) {").partition(" | ")
            found.parents[node] = tuple(given.split(", ")) if given else ()
        elif word == "table":
            found.rows[node, ()] = [float(p) for p in rest.split(", ")]
        elif word.startswith("("):
            given, _, rest = f"{word} {rest}".removeprefix("(").partition(") ")
            found.rows[node, tuple(given.split(", "))] = [float(p) for p in rest.split(", ")]
    return found


@pytest.mark.parametrize("name", shared_data.NETWORKS)
def test_published_network(tmp_path, name):
    found, expected = shared_data.network(name), read_plainly(shared_data.bif_text(name))
    assert (len(found.nodes), len(found.arcs)) == shared_data.NETWORKS[name]
    assert found.name == name
    assert found.nodes == tuple(expected.states)
    assert dict(found.states) == expected.states
    assert dict(found.parents) == expected.parents
    assert sum(table.size // table.shape[-1] for table in found.tables.values()) == len(expected.rows)
    places = {node: {state: place for place, state in enumerate(states)} for node, states in found.states.items()}
    tables = {node: np.full_like(table, np.nan) for node, table in found.tables.items()}
    for (node, given), row in expected.rows.items():
        tables[node][tuple(places[x][state] for x, state in zip(found.parents[node], given, strict=True))] = row
    for node, table in tables.items():
        assert np.abs(found.tables[node] - table / table.sum(axis=-1, keepdims=True)).max() < 1e-15, node
    if len(found.nodes) < 1000:  # the larger ones are all of munin's family, as is munin1
        small = with_small_tables(found)
        write_bif(small, tmp_path / f"{name}.bif")
        assert read_bif(tmp_path / f"{name}.bif") == small


def with_small_tables(network: Network) -> Network:
    """Return the network without the parents of nodes with more than 1,000 probabilities, which all look alike."""
    parents = {x: given if network.tables[x].size <= 1000 else () for x, given in network.parents.items()}
    tables = {x: table if parents[x] else table.reshape(-1, table.shape[-1])[0] for x, table in network.tables.items()}
    return Network(network.name, network.states, parents, tables)


WORDS = """
variable heart disease { type discrete [ 2 ] { not yet, yes }; }
variable age { type discrete [ 3 ] { [18_39], _39_60], _60_90] }; }
variable sick { type discrete [ 2 ] { no yes }; }
probability ( heart disease ) { table 0.25, 0.75; }
probability ( age | heart disease ) { (not yet) 0.5, 0.25, 0.25; (yes) 0.25, 0.25, 0.5; }
probability ( sick | heart disease, age ) { (yes, _39_60]) 0.25, 0.75; default 0.5, 0.5; }
"""


def test_names_of_several_words_and_states_with_brackets(tmp_path):
    """As the usual writers write them: commas separate, blanks and brackets belong to the name."""
    network = read(tmp_path, WORDS)
    assert network.states["heart disease"] == ("not yet", "yes")
    assert network.states["age"] == ("[18_39]", "_39_60]", "_60_90]")
    assert network.states["sick"] == ("no", "yes")
    assert network.parents["sick"] == ("heart disease", "age")
    assert network.tables["age"].tolist() == [[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]]
    assert network.tables["sick"][1, 1].tolist() == [0.25, 0.75]
    write_bif(network, tmp_path / "again.bif")
    assert read_bif(tmp_path / "again.bif").states == network.states


@pytest.mark.skipif(os.name != "posix", reason="paths are bytes there")
def test_a_path_that_is_no_utf_8(tmp_path):
    file = tmp_path / "bad\udcff\x1b.bif"
    write_bif(load_example(), file)
    assert read_bif(file) == load_example()
    file.write_text(HEAD + ROOT + LEAF)
    write_bif(read_bif(file), tmp_path / "again.bif")  # its name is that of the file, as far as it is text
    file.write_text("network x { }")
    with pytest.raises(NetworkError) as refused:
        read_bif(file)
    assert str(refused.value).isprintable()


def test_messages_escape_what_the_file_says(tmp_path):
    odd = HEAD.replace("no, yes", "no, y\x1bes")
    for text in (odd + ROOT + LEAF, odd + ROOT + LEAF.replace("(yes)", "(y\x1bes)").replace("0.7", "0.6")):
        (tmp_path / "odd.bif").write_text(text)
        with pytest.raises(NetworkError, match="line ") as refused:
            read_bif(tmp_path / "odd.bif")
        assert str(refused.value).isprintable()
