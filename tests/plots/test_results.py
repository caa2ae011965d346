"""Pictures of results as their methods ask for them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import climbfast as cf
from climbfast import plots
from climbfast.plots import saving
from tests.plots.graphs import CASES, random_graph

BLANKET = cf.Blanket("t", ("p",), ("c",), ("s",), common_children={"s": ("c",)})
RESULTS = {"graph": CASES["3"], "blanket": BLANKET, "blankets": cf.Blankets([BLANKET])}


@pytest.mark.parametrize("name", RESULTS)
def test_plot_makes_a_figure_of_fitting_size(name):
    import matplotlib.pyplot as plt

    ax = RESULTS[name].plot()
    assert isinstance(ax, Axes)
    assert plt.get_fignums() == [ax.figure.number]  # so that a notebook shows it
    assert ax.get_title() == ""


@pytest.mark.parametrize("name", RESULTS)
def test_plot_draws_on_axes_and_leaves_no_figure_behind(name):
    import matplotlib.pyplot as plt

    ax = Figure().subplots()
    assert RESULTS[name].plot(ax=ax) is ax
    assert len(ax.get_children()) > 5
    assert not plt.get_fignums()


@pytest.fixture(scope="module")
def content_of():
    """What makes the content of a file, and draws each picture once; ``test_saving`` compares repeated drawings."""
    draw, contents = saving.content_of, {}

    def content_once(picture, form):
        key = repr((picture, form))
        if key not in contents:
            contents[key] = draw(picture, form)
        return contents[key]

    return content_once


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf", ".SVG"])
@pytest.mark.parametrize("name", RESULTS)
def test_save(name, suffix, tmp_path, content_of, monkeypatch):
    import matplotlib.pyplot as plt

    monkeypatch.setattr(saving, "content_of", content_of)
    RESULTS[name].save(tmp_path / f"a{suffix}")
    content = (tmp_path / f"a{suffix}").read_bytes()
    assert content == plots.content(RESULTS[name], suffix.lower())
    plots.save(RESULTS[name], tmp_path / f"b{suffix}")
    assert (tmp_path / f"b{suffix}").read_bytes() == content
    assert {file.name for file in tmp_path.iterdir()} == {f"a{suffix}", f"b{suffix}"}  # no part is left
    assert not plt.get_fignums()


def test_columns(tmp_path):
    graph = random_graph(80, 100, 1)
    name = graph.directed[0][0]
    assert "named" in str(plots.results._picture(graph, name).nodes)
    assert len(graph.plot(name).get_children()) < 100
    graph.save(tmp_path / "a.svg", columns=[name])
    assert (tmp_path / "a.svg").read_text("utf-8").endswith(plots.svg(graph, name)[5:])
    with pytest.raises(cf.OptionError, match="a picture shows at most 60"):
        graph.save(tmp_path / "b.svg")
    with pytest.raises(cf.UnknownColumnError):
        graph.save(tmp_path / "b.svg", columns=["nobody"])
    assert not (tmp_path / "b.svg").exists()


@pytest.mark.parametrize("name", ["graph", "blankets"])
def test_columns_are_for_pictures(name, tmp_path):
    for suffix in (".csv", ".jsonl" if name == "blankets" else ".json"):
        with pytest.raises(cf.OptionError, match="columns is for pictures"):
            RESULTS[name].save(tmp_path / f"a{suffix}", columns="t")
    assert not [*tmp_path.iterdir()]


def test_a_blanket_is_drawn_whole():
    with pytest.raises(cf.OptionError, match="columns is for graphs"):
        plots.svg(BLANKET, ["t"])


def test_files_are_checked_before_the_work(tmp_path, monkeypatch):
    plots.check_file(tmp_path / "a.svg")
    with pytest.raises(cf.OptionError, match=r"a\.gif: unknown suffix; pictures are in \.svg, \.png, \.pdf"):
        plots.check_file(tmp_path / "a.gif")
    with pytest.raises(cf.OptionError, match=r"a\.gif: unknown suffix"):
        plots.save(CASES["3"], tmp_path / "a.gif")
    for refused in (plots.check_file, lambda file: plots.save(CASES["3"], file)):
        with pytest.raises(cf.OptionError, match=r"a\.svg cannot be written: "):
            refused(tmp_path / "missing" / "a.svg")
    with pytest.raises(cf.OptionError, match=r"zero.*\.svg' cannot be written: "):
        plots.check_file(Path("zero\x00.svg"))
    with pytest.raises(cf.GraphError, match=r"a\.svg cannot be written: "):
        CASES["3"].save(tmp_path / "missing" / "a.svg")


@pytest.mark.parametrize("name", RESULTS)
def test_without_the_extra_one_error_says_how_to_install_it(name, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: None)
    for draw in (
        RESULTS[name].plot,
        lambda: RESULTS[name].save(tmp_path / "a.svg"),
        lambda: plots.check_file(tmp_path / "a.svg"),
    ):
        with pytest.raises(cf.MissingPackageError, match=r'matplotlib; pip install "climbfast\[plots\]"'):
            draw()


def test_climbfast_does_not_import_what_draws_and_needs_no_display(tmp_path):
    code = (
        "import sys, climbfast as cf, climbfast.plots\n"
        "print([x for x in ('matplotlib', 'igraph') if x in sys.modules])\n"
        f"cf.Graph(('a', 'b'), [('a', 'b')]).plot().figure.savefig({str(tmp_path / 'a.png')!r})"
    )
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "MPLBACKEND")}
    found = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True, env=environment)
    assert found.stdout == "[]\n"
    assert Path(tmp_path / "a.png").stat().st_size
