"""Results as text for people: tables, the members of a blanket, and the page of a graph."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from climbfast.cli.output import colors_are_unwanted
from climbfast.graphs.graph import Graph, contradicted_lines, node_text, reasons_text
from climbfast.independence.tests import TESTS
from climbfast.local.blanket import Blanket, NeighborSet
from climbfast.local.methods import BEST
from climbfast.names import copies_text, listing, name_text, quoted_name, rest
from climbfast.provenance import Provenance

if TYPE_CHECKING:
    from rich.table import Table

__all__ = [
    "MOST_SHOWN",
    "as_in_a_file",
    "columns_of_frequencies",
    "edge_in",
    "frequencies_text",
    "kind_of_graph",
    "new_table",
    "note_of_rest",
    "render_graph",
    "render_table",
    "replicates_text",
    "roles_in",
    "row_of_member",
    "summary",
    "texts",
    "what_directs",
    "work_around_targets",
    "work_done",
]

MOST_CUTS_SHOWN = 20
MOST_SEEN_BY = 3
MOST_SHOWN = 100  # edges and names; a graph of thousands of columns has a hundred thousand edges

# Wide enough for any name: in a pipe nothing is wrapped and nothing cut.
_NO_WIDTH = 10_000_000
_BETWEEN_COLUMNS = 3  # blanks in a table
_in_a_file = False


def new_table(columns: Iterable[str]) -> Table:
    """Return an empty table; columns that begin with > are aligned right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        justify: Any = "right" if column.startswith(">") else "left"
        table.add_column(column.lstrip(">"), justify=justify, overflow="fold")
    return table


def texts(cells: Iterable[str]) -> list[Any]:
    """Return the cells as literal text; rich would read a str as markup."""
    from rich.text import Text

    return [Text(cell) for cell in cells]


@contextmanager
def as_in_a_file() -> Iterator[None]:
    """Let tables be as wide as they are, and without colors, whatever standard output is."""
    global _in_a_file
    _in_a_file = True
    try:
        yield
    finally:
        _in_a_file = False


def render_table(table: Table) -> str:
    """Return the table as text for standard output; on a terminal too narrow for its words, each row as lines."""
    from rich.console import Console

    on_terminal = sys.stdout.isatty() and not _in_a_file
    colors: Any = "auto" if on_terminal and not colors_are_unwanted() else None
    console = Console(
        file=sys.stdout, width=None if on_terminal else _NO_WIDTH, color_system=colors, force_terminal=on_terminal
    )
    if on_terminal and not _fits(table, console.width):
        return _in_lines(table)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _fits(table: Table, width: int) -> bool:
    """Whether no word has to be cut; if not all cells fit on a line, widths are given to the columns, the same to all.

    rich would take from each column in proportion, and cut words of one beside blanks in another.
    """
    from rich.cells import cell_len

    texts_of = [[str(text) for text in (column.header, *column.cells)] for column in table.columns]
    widths = [max(map(cell_len, column)) for column in texts_of]
    floors = [max((cell_len(word) for text in column for word in text.split()), default=0) for column in texts_of]
    room = width - _BETWEEN_COLUMNS * (len(widths) - 1)
    if sum(floors) > room:
        return False
    for _ in range(sum(widths) - room):
        widest = max((x for x in range(len(widths)) if widths[x] > floors[x]), key=lambda x: widths[x])
        widths[widest] -= 1
    for column, chosen in zip(table.columns, widths, strict=True):
        column.width = chosen
    return True


def _in_lines(table: Table) -> str:
    """Return the rows of a table below each other, each cell as a line behind its heading."""
    headings = [str(column.header) for column in table.columns]
    rows = zip(*([str(cell) for cell in column.cells] for column in table.columns), strict=True)
    blocks = (
        "\n".join(f"{heading}: {cell}" for heading, cell in zip(headings, row, strict=True) if cell) for row in rows
    )
    return "\n\n".join(blocks)


def note_of_rest(rows: int, where: str) -> str:
    """Return the line under a table that shows the first of so many rows; empty if it shows them all."""
    left = rows - MOST_SHOWN
    return f"\n... and {left:,} more; {where} gives all" if left > 0 else ""


# ---- the members of a blanket


def roles_in(found: Blanket) -> dict[Hashable, str]:
    """Return the role of each member."""
    roles = {
        "parent": found.parents,
        "child": found.children,
        "undecided" if found.margins or found.evidence or found.method == BEST else "neighbor": found.undecided,
        "spouse": found.spouses,
    }
    return {name: role for role, names in roles.items() for name in names}


def row_of_member(found: Blanket, name: Hashable, role: str) -> list[Any]:
    """Return the cells of a member: its name, its role, what directs it, and for a spouse the common children."""
    children = listing(found.common_children.get(name, ()), limit=None, each=quoted_name)
    return texts([name_text(name), role, what_directs(found, name), children, *_frequencies_of(found, name, role)])


_FREQUENCIES = (">frequency", ">as it is")
_FREQUENCIES_OF_MEMBERS = (">frequency", ">in this role")
MOST_OTHERS = 5  # columns outside a blanket that replicates have in it


def columns_of_frequencies(found: Blanket) -> tuple[str, ...]:
    """Return the headings of the frequencies of a blanket; none without a bootstrap."""
    return _FREQUENCIES_OF_MEMBERS if found.frequencies else ()


def _frequencies_of(found: Blanket, name: Hashable, role: str) -> list[str]:
    if not found.frequencies:
        return []
    shares = found.frequencies.get(name, {})
    return [
        f"{shares[key]:.2f}" if key in shares else "" for key in ("found", "undecided" if role == "neighbor" else role)
    ]


def frequencies_text(found: Blanket | Graph) -> str:
    """Return what the frequencies of a result are, and which columns outside a blanket are often in it."""
    drawn = found.options.get("bootstrap", found.options)
    if isinstance(found, Graph):
        of = replicates_text({**found.figures, **drawn})  # a consensus has their number among its figures
        return f"Frequency: share of {of} that have the edge; as it is: that have it so."
    of = replicates_text(drawn)
    text = f"Frequency: share of {of} with the member; in this role: that also give it this role."
    others = {name: shares["found"] for name, shares in found.frequencies.items() if name not in found.members}
    most = sorted(others, key=lambda name: -others[name])[:MOST_OTHERS]
    shown = ", ".join(f"{quoted_name(name)} {others[name]:.2f}" for name in most)
    return f"{text} Outside, most often: {shown}." if shown else text


def replicates_text(drawn: Mapping[str, Any]) -> str:
    """Return how replicates were drawn, such as ``200 replicates (bootstrap, seed 0)``."""
    number = drawn.get("replicates")
    how = ", ".join(f"{word}{drawn[key]}" for key, word in (("scheme", ""), ("seed", "seed ")) if key in drawn)
    return ("the replicates" if number is None else f"{number:,} replicates") + (f" ({how})" if how else "")


def what_directs(found: Blanket, name: Hashable) -> str:
    """Return by what a neighbor is a parent or a child: "known", "seen by u (37.2 bits)" or "weighed: 12.0 bits".

    What the tests show against a known side is behind it: "known; u shows otherwise (12.1 bits)".

    In a graph it is "compelled", if all graphs of the class have the direction, or "chosen: 12.0 bits".
    """
    if name in found.known:
        return known_text(found, name)
    if found.method == BEST:
        directed = name in found.parents or name in found.children
        if name in found.margins:
            return f"chosen: {found.margins[name]:,.1f} bits"
        return "compelled" if directed else ""
    if name in found.evidence:
        seen = found.evidence[name]
        return f"seen by {listing(seen.columns, limit=MOST_SEEN_BY, each=quoted_name)} ({seen.bits:,.1f} bits)"
    return f"weighed: {found.margins[name]:,.1f} bits" if name in found.margins else ""


def known_text(found: Blanket, name: Hashable) -> str:
    """Return "known", and what tests show against it."""
    if name not in found.contradicted:
        return "known"
    columns, bits = found.contradicted[name]
    shown = listing(columns, limit=MOST_SEEN_BY, each=quoted_name)
    if bits > 0:
        return f"known; {shown} shows otherwise ({bits:,.1f} bits)"
    return f"known; independent given {shown} ({bits:,.1f})" if columns else f"known; independent ({bits:,.1f})"


def summary(found: Blanket | NeighborSet) -> str:
    """Return the data and the work of the search in one line, and in a second one what is not proved."""
    work = work_around_targets(found.method, found.search, found.test, found.tests, found.skipped)
    line = f"{size_of_data(found)}; {work}; {found.seconds:.3f} s"
    if cuts := found.options.get("cuts"):
        line = f"Cuts: {cuts_text(cuts)}\n\n{line}"
    if found.copies:
        line = f"Copies: {copies_text(found.copies)}; one of each stands for the others.\n\n{line}"
    if found.bounded:
        line += f"\n{_left_out(found.bounded, 'neighbor', found.options)}"
    if isinstance(found, NeighborSet) or found.exact:
        return line
    return (
        f"{line}\nNot proved to be the best partition into parents and children: another one may be better by up to "
        f"{found.gap:,.1f} bits; a larger --node-budget searches longer."
    )


def _left_out(bounded: float, what: str, options: Mapping[str, Any]) -> str:
    """Return the sentence that not all sets of given columns were tried."""
    return (
        f"For {bounded:,} {what}{'' if bounded == 1 else 's'} not all sets were tried: those of two columns only "
        f"among the {options.get('max_pool')} nearest, larger ones among half as many; a larger --max-pool tries more."
    )


def cuts_text(cuts: Mapping[str, Sequence[Any]]) -> str:
    """Return the cuts of columns of numbers, such as ``age at 18, 35; income at 20000``."""
    shown = []
    for name, those in cuts.items():
        if not those:
            continue
        numbers = (_significant(cut) if isinstance(cut, float) else str(cut) for cut in those)
        shown.append(f"{quoted_name(name)} at {', '.join(numbers)}")
    return "; ".join(shown[:MOST_CUTS_SHOWN]) + rest(len(shown) - MOST_CUTS_SHOWN)


def _significant(number: float) -> str:
    """Return a number with six digits that count, or with all of them where six are fewer than its whole digits."""
    text = f"{number:.6g}"
    return repr(number) if "e" in text else text


def but_copies(found: Blanket | NeighborSet) -> str:
    """Return the words that leave out the copies of the target, which depend on it."""
    return " but its copies" if found.target in found.copies else ""


def size_of_data(found: Provenance) -> str:
    """Return the numbers of rows and columns, and with missing cells the smallest number of rows that was used."""
    used = f" (every decision used {found.fewest_rows:,} of them or more)" if 0 < found.fewest_rows < found.rows else ""
    return f"{found.rows:,} rows{used}, {found.columns:,} columns"


def work_around_targets(method: str, search: str, test: str, tests: int, skipped: int) -> str:
    """Return ``work_done`` of blankets; of those from a graph which graph it was, and what tests were for."""
    if method != BEST:
        return work_done(method, test, tests, skipped)
    used = f"checked by {test}"
    if tests:
        used = f"columns found and blanket {used}; {_tests_made(tests, skipped)}"
    return f"method {method} ({search}); score vote; {used}"


def work_done(method: str, test: str, tests: int, skipped: int) -> str:
    """Return the method, the test, and how many tests there were."""
    return f"method {method}; test {test}; {_tests_made(tests, skipped)}"


def _tests_made(tests: int, skipped: int) -> str:
    return f"{tests:,} tests" + (f" ({skipped:,} skipped: too few rows)" if skipped else "")


# ---- a graph


def render_graph(found: Graph) -> str:
    """Return the page: what kind of graph it is, its first edges with their figures, and how it was found."""
    edges = (*found.directed, *found.undirected)
    figures = _figures_of_edges(found)
    table = new_table(["edge", *figures])
    for edge in edges[:MOST_SHOWN]:
        cells = (by_edge.get(edge, "") for by_edge in figures.values())
        table.add_row(*texts([edge_in(found, *edge), *cells]))
    shown_edges = render_table(table) + note_of_rest(len(edges), "--out FILE or --json") if edges else "No edges."
    if found.reasons:
        shown_edges += f"\n\nDirections: {reasons_text(found)}."
    if found.frequencies:
        shown_edges += f"\n\n{frequencies_text(found)}"
    alone = [name for name in found.names if not found.neighbors_of(name)]
    without = f"\n\nWithout edges: {listing(alone, limit=MOST_SHOWN, each=quoted_name)}" if alone else ""
    if found.copies:
        without += f"\n\nCopies: {copies_text(found.copies)}; of each the first was searched."
    how = f"\n\n{_how_found(found)}" if found.method else ""  # a graph of another program does not say it
    return f"{kind_of_graph(found)}\n\n{shown_edges}{without}{_contradicted(found)}{how}"


def _contradicted(found: Graph) -> str:
    """Return what the data say against what is known; empty if they do not."""
    if not found.contradicted:
        return ""
    lines = contradicted_lines(found)
    shown = "".join(f"\n  {line}" for line in lines[:MOST_SHOWN]) + note_of_rest(
        len(lines), "--out FILE.json or --json"
    )
    return f"\n\nThe data contradict what is known, which may be wrong:{shown}"


def _figures_of_edges(found: Graph) -> dict[str, dict[tuple[Hashable, Hashable], str]]:
    """Return the columns of the table of edges that are not empty."""
    numbers = {">strength": found.strengths, ">margin (bits)": found.margins}
    columns = {"direction": dict(found.reasons)}
    columns |= {name: {edge: f"{x:,.1f}" for edge, x in by_edge.items()} for name, by_edge in numbers.items()}
    searches = found.figures.get("searches", max((edge for edge, _ in found.votes.values()), default=0))
    votes = (f">searches with it, of {searches:g}", ">with its direction")
    for place, name in enumerate(votes):
        columns[name] = {edge: f"{counts[place]:,}" for edge, counts in found.votes.items()}
    for place, name in enumerate(_FREQUENCIES):
        columns[name] = {edge: f"{shares[place]:.2f}" for edge, shares in found.frequencies.items()}
    return {name: by_edge for name, by_edge in columns.items() if by_edge}


def kind_of_graph(found: Graph) -> str:
    """Return what the graph is, in one line."""
    return str(found).split("\n", 1)[0]


def edge_in(graph: Graph, x: Hashable, y: Hashable) -> str:
    """Show the edge between two nodes."""
    if y not in graph.neighbors_of(x):
        return "no edge"
    if x in graph.children_of(y):
        x, y = y, x
    return f"{node_text(x)} {'->' if y in graph.children_of(x) else '--'} {node_text(y)}"


def _how_found(found: Graph) -> str:
    if found.test_or_score in TESTS:
        work = work_done(found.method, found.test_or_score, found.tests, found.skipped)
    else:
        # A graph that was read from a file may not say by which score it was found.
        work = f"method {found.method}" + (f"; score {found.test_or_score}" if found.test_or_score else "")
    cuts = found.options.get("cuts")
    cut = f"Cuts: {cuts_text(cuts)}\n\n" if cuts else ""
    line = f"{cut}{size_of_data(found)}; {work}; {found.seconds:.3f} s"
    bounded = found.figures.get("bounded")
    return f"{line}\n{_left_out(bounded, 'edge', found.options)}" if bounded else line
