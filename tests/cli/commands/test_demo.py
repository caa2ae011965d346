"""`climbfast demo`: what it prints is what the function returns."""

from __future__ import annotations

import json

from tests.cli.commands.expected import BLANKET_KEYS


class TestDemo:
    def test_page_sets_the_truth_beside_what_was_found(self, run):
        code, out, err = run("demo")
        assert (code, err) == (0, "")
        assert "true role" in out.splitlines()[2]
        assert out.splitlines()[-1].endswith("agrees with it in every member and role.")

    def test_json(self, run):
        code, out, _ = run("demo", "--json")
        shown = json.loads(out)
        assert (code, shown["agrees"], shown["network"]) == (0, True, "everyday_health")
        assert set(shown["found"]) >= BLANKET_KEYS
        assert {side: shown["found"][side] for side in shown["truth"]} == shown["truth"]
