"""Pages: what they are made of, how they are written, and that no text in them is ever code."""

import importlib.util
import json
import re

import pytest

import climbfast as cf
from climbfast.errors import MissingPackageError
from climbfast.report import page


def test_text_is_escaped_everywhere_and_json_cannot_end_its_script():
    text = "</script><script>alert(1)</script>&'\u2028"
    written = str(page.script_json({text: [text]}))
    assert not set("<>&'\u2028") & set(written)
    assert json.loads(written) == {text: [text]}
    environment = page._environment()
    template = environment.from_string('<p title="{{ text }}">{{ text }}</p>')
    assert template.render(text='<b a="1">') == '<p title="&lt;b a=&#34;1&#34;&gt;">&lt;b a=&#34;1&#34;&gt;</p>'


def test_a_page_is_replaced_in_one_step_and_takes_what_no_encoding_knows(tmp_path):
    file = tmp_path / "page.HTM"
    file.write_text("old")
    page.write_page(file, "Größe 年齢 \ud800")
    assert file.read_bytes() == "Größe 年齢 &#55296;".encode()
    assert [each.name for each in tmp_path.iterdir()] == ["page.HTM"]


def test_files_that_cannot_be_a_page_are_refused(tmp_path):
    with pytest.raises(cf.OptionError, match=r"page\.txt: a page has the suffix \.html or \.htm"):
        page.check_page(tmp_path / "page.txt")
    with pytest.raises(cf.OptionError, match=r"none.page\.html cannot be written"):
        page.write_page(tmp_path / "none" / "page.html", "")
    for name in ("zero\x00.html", "half\ud800.html"):
        with pytest.raises(cf.OptionError, match=r"(zero|half).*\.html' cannot be written"):
            page.check_page(name)
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(cf.OptionError, match="it is a directory"):
        page.write_page(tmp_path / "folder.html", "")


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_without_the_extra_the_message_says_what_to_install_before_the_work(tmp_path, monkeypatch, package):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else name)
    with pytest.raises(
        MissingPackageError, match=re.escape(f'a page needs the package {package}; pip install "climbfast[report]"')
    ):
        page.check_page(tmp_path / "page.html")


def test_the_style_sheet_and_scripts_are_inside():
    text = page.rendered("base.html.j2", version="1.2.3")
    assert "climbfast 1.2.3" in text
    assert "font-variant-numeric" in text
    assert not re.search(r"\b(src|href)=", text)
    assert "default-src 'none'" in text
