"""An example as a page: its text, its code, what it prints and the files that it writes, in their order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.generators.examples import WRITES, page, run

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
SHORT = """# %% [markdown]
# # A title
# Some text,
# on two lines.

# %%
first = 1
print(first)
# -> 1

print("a", "b")
# -> a b

# %% [markdown]
# ## The end
"""


def test_parts_in_their_order(tmp_path: Path) -> None:
    script = tmp_path / "short.py"
    script.write_text(SHORT)
    text = page(script)
    assert text.startswith("# A title\n\nSome text,\non two lines.\n\n```python\nfirst = 1\nprint(first)\n```\n\n")
    printed = re.findall(r":class: printed\n\n(.*?)\n```", text, re.DOTALL)
    assert printed == ["1", "a b"]
    assert text.index('print("a", "b")') > text.index(printed[0])
    assert "# ->" not in text and "\n## The end\n" in text


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_nothing_of_an_example_is_lost(script: Path) -> None:
    text = page(script)
    for line in script.read_text("utf-8").splitlines():
        kept = re.sub(r"^# (-> )?", "", line)
        assert line.startswith("# %%") or kept.strip() in text


def test_files_are_shown_where_they_are_written() -> None:
    for name, files in WRITES.items():
        text = page(EXAMPLES / f"{name}.py")
        for file in files:
            assert text.index(f'"{file}"') < text.index(f"/{file}")


def test_run_leaves_its_files_in_the_folder(tmp_path: Path) -> None:
    before = Path.cwd()
    run(EXAMPLES / "picture.py", tmp_path / "made")
    assert {*WRITES["picture"]} <= {path.name for path in (tmp_path / "made").iterdir()}
    assert Path.cwd() == before
