"""The table of licenses names all dependencies, and what their metadata say."""

from __future__ import annotations

import re

import pytest

from bench.tools.licenses import FILE, name_in, packages


def test_all_dependencies_are_in_the_table():
    rows = re.findall(r"^\| (\S+) \| (.+) \| (.+) \|$", FILE.read_text("utf-8"), re.MULTILINE)
    named = {name: what for name, _, what in rows if name != "package"}
    assert named == packages(), "python -m bench.tools.licenses writes it anew"
    assert all(named_there for _, named_there, _ in rows)


@pytest.mark.parametrize(
    ("about", "found"),
    [
        ({"license_expression": "MIT", "license": "other"}, "MIT"),
        ({"license": "BSD", "classifier": ["License :: OSI Approved :: BSD License"]}, "BSD"),
        ({"license": "Copyright\n" * 9, "classifier": ["License :: OSI Approved :: MIT License"]}, "MIT License"),
        ({"license": "The MIT License (MIT)\n" + "Copyright\n" * 9}, "The MIT License (MIT)"),
    ],
)
def test_the_license_that_metadata_name(about, found):
    assert name_in("package", about) == found


def test_a_package_without_a_license_is_an_error():
    with pytest.raises(ValueError, match="package names no license"):
        name_in("package", {"classifier": ["Topic :: Scientific/Engineering"]})
