"""Random networks with names that files and other programs may stumble over."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from climbfast.networks.network import Network

ODD = (
    "a", "A", "b", "a b", "a  b", "x,y", "x, y", 'a "b" c', "a\nb", "a\tb", "a\r", "Größe", "GRÖSSE", "年齢",
    "😀", "1", "0", "-1", "-1.5", "1.5", "+1", "01", "1a", "1e3", "1E", "1-", "[18, 35)", "[-5, 5)", "[5, 5)",
    "[18_39]", "a[b]", "yes/no", "a//b", "a/*b", "*/", "<=50K", ">50K", "<script>alert(1)</script>", "", " ", " a",
    "a ", "a|b", "a(b)", "a{b}", "}", "x;y", "a;", "a=b", "%", "%41", "a\\", "a\\b", "#a", "@a", "a.b", "a-b", ".a",
    "-a", "_", "__", "table", "Table", "default", "variable", "probability", "property", "network", "type",
    "discrete", "x" * 60, "a_b", "a_b_2", "_2", "None", "nan", "NA", "\xa0", "a\xa0b", "\x00", "\x7f",
    "\ud800", "property climbfast_names = a,b;", "'", "a'b", "`", "$x", "&amp;", "~",
)  # fmt: skip

names = st.sampled_from(ODD) | st.text(max_size=6)


@st.composite
def networks(draw: st.DrawFn, text: st.SearchStrategy[str] = names, fewest_states: int = 1) -> Network:
    """Networks of up to five nodes with up to three states each."""
    nodes = draw(st.lists(text, min_size=1, max_size=5, unique=True))
    states = {node: tuple(draw(st.lists(text, min_size=fewest_states, max_size=3, unique=True))) for node in nodes}
    parents = {
        node: tuple(draw(st.lists(st.sampled_from(nodes[:i]), max_size=3, unique=True))) if i else ()
        for i, node in enumerate(nodes)
    }
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    order = draw(st.permutations(nodes))
    return Network(
        draw(text.filter(lambda name: name not in ("", "unknown"))),
        {node: states[node] for node in order},
        parents,
        {node: random_table(rng, [len(states[x]) for x in (*parents[node], node)]) for node in nodes},
    )


def random_table(rng: np.random.Generator, shape: list[int]) -> np.ndarray:
    """Return rows of probabilities, some of them 0 and 1."""
    rows = rng.dirichlet([0.4] * shape[-1], shape[:-1])
    rows[rng.random(shape[:-1]) < 0.1] = np.eye(shape[-1])[0]
    return rows
