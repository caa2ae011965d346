"""`climbfast methods`: what it prints is what the function returns."""

from __future__ import annotations

import json


def test_list(run):
    code, out, _ = run("methods")
    listed = json.loads(run("methods", "--json").out)["methods"]
    assert code == 0 and len(listed) == 19
    assert all(method["name"] in out and method["paper"] in out for method in listed)
