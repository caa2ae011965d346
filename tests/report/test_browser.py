"""Pages in a real browser: loaded, searched, sorted, clicked, and looked at.

Without a Chromium on the path these tests are skipped, or fail if CLIMBFAST_BROWSER_TESTS is 1.
"""

import io
import os

import numpy as np
import pytest
from matplotlib.image import imread
from playwright.sync_api import expect

import climbfast as cf
from bench.shared.browser import browser_program, open_browser
from tests.report.runs import ATTACK, data_with_odd_names, run_of_one_target, run_with_odd_names, wide_run

if browser_program() is None and os.environ.get("CLIMBFAST_BROWSER_TESTS") != "1":
    pytest.skip("there is no Chromium on the path", allow_module_level=True)

expect.set_options(timeout=60_000)  # what is expected is waited for; the machine may be busy
WIDE = 1_100
FIRST_ROW = "#targets tbody tr:first-child th"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A file of each kind of page, by name."""
    folder = tmp_path_factory.mktemp("pages")
    files = {name: folder / f"{name}.html" for name in ("odd names", "wide", "one", "target", "graph")}
    run_of_one_target().report(files["one"])
    run_with_odd_names().report(files["odd names"])
    wide_run(WIDE).report(files["wide"])
    run_with_odd_names()[ATTACK].report(files["target"])
    run_with_odd_names().merge().report(files["graph"])
    return files


@pytest.fixture(scope="module")
def context():
    with open_browser() as browser:
        yield browser.new_context(viewport={"width": 1200, "height": 900})


@pytest.fixture
def tab(context, pages):
    """A function that opens a page in a tab of its own."""
    tabs, addresses, requests, complaints = [], set(), [], []

    def open_tab(name, fragment=""):
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        tabs.append(page)
        addresses.add(pages[name].as_uri())
        page.goto(pages[name].as_uri() + fragment)
        return page

    yield open_tab
    for page in tabs:
        page.close()
    assert complaints == []
    # A page that is complete in itself asks for its own file, and for nothing else.
    assert {url.partition("#")[0] for url in requests} == addresses


@pytest.mark.parametrize("name", ["odd names", "wide", "one", "target", "graph"])
def test_a_page_loads_without_errors_and_nothing_from_elsewhere(tab, name):
    page = tab(name)
    assert page.locator("h1").is_visible()
    assert page.evaluate("window.attacked") is None
    assert ATTACK in page.locator("body").text_content() or name in ("wide", "one")


@pytest.mark.parametrize("name", ["odd names", "one", "target", "graph"])
def test_a_page_is_as_wide_as_a_phone(tab, name):
    page = tab(name)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", ["odd names", "target"])
def test_what_is_folded_on_the_screen_is_on_paper(tab, name):
    page = tab(name)
    page.locator("details").evaluate_all("all => all.forEach((each) => { each.open = false; })")
    folded = page.locator("details > :not(summary)")
    assert folded.count()
    assert not any(each.is_visible() for each in folded.all())
    page.emulate_media(media="print")
    assert all(each.is_visible() for each in folded.all())
    assert page.pdf()[:5] == b"%PDF-"


@pytest.mark.parametrize("name", ["target", "graph"])
def test_the_links_of_a_page_lead_to_its_parts(tab, name):
    page = tab(name)
    links = page.locator("a[href^='#']").all()
    assert len(links) > 2
    for link in links:
        link.click()
        place = page.locator(f"[id='{link.get_attribute('href')[1:]}']")
        expect(place).to_be_in_viewport()


def test_only_the_rows_that_are_seen_are_drawn(tab):
    page = tab("wide")
    expect(page.locator("#targets tbody tr")).to_have_count(25)
    expect(page.locator("#status")).to_have_text(f"{WIDE:,} targets")
    assert page.evaluate("document.querySelectorAll('*').length") < 2_500


def test_a_search_finds_targets_by_their_names_and_those_of_members(tab):
    page = tab("wide")
    page.fill("#search", "G00123")
    expect(page.locator("#targets tbody th")).to_have_text(["g00123", "g00122", "g00124"])
    expect(page.locator("#status")).to_have_text(f"3 of {WIDE:,} targets")
    expect(page.locator("#targets mark")).to_have_text(["g00123", "g00123"])
    page.fill("#search", "none has this name")
    expect(page.locator("#targets tbody tr")).to_have_count(0)
    expect(page.locator("#place")).to_contain_text("no target")
    page.fill("#search", "")
    expect(page.locator("#targets tbody tr")).to_have_count(25)


def test_a_search_for_odd_names(tab):
    page = tab("odd names")
    for query in ("größe", "年", '"b"', "x,y", "<SCRIPT>", "a\\nb", "& <b>"):
        page.fill("#search", query)
        expect(page.locator(FIRST_ROW)).to_contain_text(query, ignore_case=True)


def test_headings_sort(tab):
    page = tab("wide")
    strongest = page.locator("#targets button", has_text="Strongest")
    strongest.click()
    expect(page.locator(FIRST_ROW)).to_have_text(f"g{WIDE - 1:05}")
    expect(page.locator("#targets th.strongest")).to_have_attribute("aria-sort", "descending")
    strongest.click()
    expect(page.locator(FIRST_ROW)).to_have_text("g00000")
    page.locator("#targets button", has_text="Parents").click()
    expect(page.locator(FIRST_ROW)).to_have_text("g00001")  # of equals the first by name
    page.locator("#targets button", has_text="Target").click()
    page.locator("#targets button", has_text="Target").click()
    expect(page.locator(FIRST_ROW)).to_have_text(f"g{WIDE - 1:05}")


def test_every_heading_sorts_all_rows(tab):
    page = tab("odd names")
    headings = page.locator("#targets thead button").all_inner_texts()
    assert len(headings) == 8
    for place, heading in enumerate(headings[1:-1], 2):
        page.locator("#targets thead button").nth(place - 1).click()
        expect(page.locator("#targets thead th").nth(place - 1)).to_have_attribute("aria-sort", "descending")
        cells = page.locator(f"#targets tbody tr > :nth-child({place})").all_inner_texts()
        numbers = [float(cell.replace(",", "").replace("–", "-1")) for cell in cells]
        assert numbers == sorted(numbers, reverse=True), heading


def test_pages_of_the_table(tab):
    page = tab("wide")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(FIRST_ROW)).to_have_text("g00025")
    page.get_by_role("button", name="Last page").click()
    expect(page.locator("#place")).to_have_text(f"{WIDE - 24:,}–{WIDE:,} of {WIDE:,}")
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.get_by_role("button", name="First page").click()
    expect(page.locator(FIRST_ROW)).to_have_text("g00000")


def test_a_click_opens_the_part_of_a_target_and_back_leads_to_the_table(tab):
    page = tab("wide")
    page.fill("#search", "g0050")
    page.locator("#targets tbody tr").nth(7).click(position={"x": 600, "y": 10})
    expect(page.locator("#part h2")).to_have_text("g00507")
    assert page.url.endswith("#target=g00507")
    expect(page.locator("#overview")).to_be_hidden()
    expect(page.locator("#part svg .box")).to_have_count(3)
    expect(page.locator("#part .role-child")).to_contain_text("12.5\u00a0bits")
    page.locator("#part .role-child a.name").first.click()
    expect(page.locator("#part h2")).to_have_text("g00508")
    page.go_back()
    expect(page.locator("#part h2")).to_have_text("g00507")
    page.go_back()
    expect(page.locator("#part")).to_be_hidden()
    expect(page.locator("#search")).to_have_value("g0050")
    expect(page.locator(FIRST_ROW)).to_have_text("g00500")


def test_a_target_is_opened_by_its_address(tab):
    page = tab("wide", f"#target=g{WIDE - 1:05}")
    expect(page.locator("#part h2")).to_have_text(f"g{WIDE - 1:05}")
    expect(page).to_have_title(f"g{WIDE - 1:05} – Markov blankets of {WIDE:,} columns")
    page.locator("#all").click()
    expect(page.locator("#part")).to_be_hidden()
    expect(page).to_have_title(f"Markov blankets of {WIDE:,} columns")


def test_links_beside_the_table_open_parts_as_well(tab):
    page = tab("odd names")
    page.locator("details").evaluate_all("all => all.forEach((each) => { each.open = true; })")
    links = page.locator("#overview table:not(#targets) a")
    names = links.all_inner_texts()
    assert {"__proto__", "50% #1+"} & set(names)
    addresses = links.evaluate_all("all => all.map((each) => each.href)")
    assert len({*zip(names, addresses, strict=True)}) == len({*names})  # links of a name are alike in all tables
    for name in dict.fromkeys(names):
        links.nth(names.index(name)).click()
        expect(page.locator("#part h2")).to_have_text(name)
        page.go_back()
        expect(page.locator("#overview")).to_be_visible()


@pytest.mark.parametrize("fragment", ["#target=none", "#target=%E0%A4%A", "#target=", "#hubs"])
def test_an_address_without_a_target_shows_the_table(tab, fragment):
    page = tab("wide", fragment)
    expect(page.locator("#targets tbody tr")).to_have_count(25)
    expect(page.locator("#part")).to_be_hidden()


def test_the_keyboard_is_enough(tab):
    page = tab("wide")
    page.locator("#search").focus()
    page.keyboard.type("g0100")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#part h2")).to_have_text("g01001")
    expect(page.locator("#part h2")).to_be_focused()
    page.go_back()
    expect(page.locator("#targets tbody tr").nth(1).locator("a")).to_be_focused()


def test_every_part_has_its_members_and_runs_nothing(tab):
    page = tab("odd names")
    names = page.locator("#targets tbody th a").all_inner_texts()
    for place, blanket in enumerate(run_with_odd_names().values()):
        page.evaluate("window.location.hash = ''")
        expect(page.locator("#part")).to_be_hidden()
        page.locator("#targets tbody th a").nth(place).click()
        expect(page.locator("#part h2")).to_have_text(names[place])
        expect(page.locator("#part ul.members > li")).to_have_count(len(blanket.members) + len(blanket.unexplained))
        boxes = 1 + len(blanket.members) if blanket.members else 0
        expect(page.locator("#part svg .box")).to_have_count(boxes)
        expect(page.locator("#part table.bars")).to_have_count(len(blanket.neighbors))
        assert page.evaluate("window.attacked") is None


def test_the_part_of_a_target_says_all_in_words(tab):
    page = tab("one", "#target=target")
    text = " ".join(page.locator("#part").inner_text().split())
    for words in (
        "Its Markov blanket: 30 parents, 2 children, 1 undecided neighbor and 1 spouse.",
        "Equal to it, up to the names of levels: twin.",
        "target is nearly a function of seen and open;",
        "another one may be better by up to 2.5 bits",
        "Incomplete: 1 column outside still depends on it, see below.",
        "parent 00 p = 5·10⁻³² Known beforehand. The table speaks against it: seen (4.5 bits).",
        "parent 01 p = 5·10⁻³³ Known beforehand. In the table it is independent given open.",
        "seen p = 5·10⁻¹¹ Direction seen: spouse becomes dependent on target once seen is known (7.3 bits). "
        "Found in 95 % of the replicates, as a child in 63 %.",
        "weighed p = 5·10⁻³³ Direction weighed: 6.5 bits worse as a parent.",
        "open p = 0.016 Weighed, but one side is only 0.3 bits better than the other.",
        "spouse p = 5·10⁻⁵ Common children: seen and weighed.",
        "outside 17.5 bits",
    ):
        assert words in text, text
    expect(page.locator("#part .role-parent li")).to_have_count(30)
    expect(page.locator("#part svg .box.parent")).to_have_count(13)
    assert "17 more below" in text
    expect(page.locator("#part h2")).to_have_text("target")
    page.locator("#part a[rel=prev]").click()
    expect(page.locator("#part")).to_contain_text("No other column was found to depend on it")
    expect(page.locator("#part svg")).to_have_count(0)


def test_a_method_without_directions_speaks_of_neighbors(tab, tmp_path, pages):
    blanket = cf.Blanket("a", undecided=("b", "c"), spouses=("d",), common_children={"d": ("b",)}, strengths={"b": 1.0})
    pages["undirected"] = tmp_path / "undirected.html"
    cf.Blankets([blanket]).report(pages["undirected"])
    page = tab("undirected", "#target=a")
    text = " ".join(page.locator("#part").inner_text().split())
    assert "2 neighbors and 1 spouse" in text
    assert "Found through b." in text
    expect(page.locator("#part svg [marker-end]")).to_have_count(0)
    page.locator("#all").click()
    expect(page.locator("#targets thead button").nth(1)).to_have_text("Neighbors")


def test_bars_show_the_shares_of_the_rows(tab):
    data, blankets = data_with_odd_names(), run_with_odd_names()
    target = next(name for name, blanket in blankets.items() if isinstance(name, str) and blanket.parents)
    member = max(blankets[target].parents, key=lambda name: blankets[target].strengths[name])
    page = tab("odd names")
    page.fill("#search", repr(target) if "\n" in target else target)
    page.locator("#targets tbody th a").first.click()
    x, y = data.codes[data.index(member)], data.codes[data.index(target)]
    bars = page.locator("#part .role-parent li").first.locator(".bar")
    expect(bars).to_have_count(len(data.levels[member]))
    for level in range(len(data.levels[member])):
        inside = y[x == level]
        words = bars.nth(level).get_attribute("aria-label")
        for code, text in enumerate(data.levels[target]):
            assert f"{text}: {100 * (inside == code).mean() + 1e-9:.0f}\u00a0%" in words


@pytest.mark.parametrize("name", ["odd names", "wide", "target", "graph"])
def test_a_page_is_not_blank(tab, name):
    page = tab(name)
    for width, height in ((1200, 900), (390, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert len(colors_of(page.screenshot())) > 20


def colors_of(png):
    """The colors of a picture: a blank one has one, dark text on white has dozens by its smooth edges."""
    pixels = np.rint(255 * imread(io.BytesIO(png))[..., :3]).astype(np.int64)
    return np.unique(pixels @ np.array([1 << 16, 1 << 8, 1]))
