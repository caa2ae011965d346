"""``climbfast demo``."""

from __future__ import annotations

import json

from climbfast.blankets.find import markov_blanket
from climbfast.cli.output import AsJson
from climbfast.cli.render import new_table, render_table, roles_in, row_of_member, summary
from climbfast.cli.result_files import ResultOut, check_result_file, give_result
from climbfast.local.blanket import Blanket
from climbfast.names import listing, name_text, quoted_name
from climbfast.networks.examples import EXAMPLE_TARGET, load_example
from climbfast.networks.network import Network

__all__ = ["demo"]

_ROWS = 20_000
_SEED = 1


def demo(*, out: ResultOut = None, as_json: AsJson = False) -> None:
    """Find a blanket in 20,000 rows drawn from the built-in example network, and compare it with the true one."""
    check_result_file(out, {})
    network = load_example()
    truth = network.blanket(EXAMPLE_TARGET)
    found = markov_blanket(network.sample(_ROWS, _SEED), EXAMPLE_TARGET)
    give_result(lambda: _page(found, truth), lambda: _json(network, found, truth), out, as_json=as_json)


def _json(network: Network, found: Blanket, truth: Blanket) -> str:
    roles = {"parents": truth.parents, "children": truth.children, "spouses": truth.spouses}
    agrees = roles_in(found) == roles_in(truth)
    return json.dumps({"network": network.name, "found": found.to_dict(), "truth": roles, "agrees": agrees})


def _page(found: Blanket, truth: Blanket) -> str:
    roles, true_roles = roles_in(found), roles_in(truth)
    table = new_table(["member", "role", "true role", "direction", "common children"])
    for name in dict.fromkeys([*roles, *true_roles]):
        member, role, *figures = row_of_member(found, name, roles.get(name, "none"))
        table.add_row(member, role, true_roles.get(name, "none"), *figures)
    wrong = [name for name in {**roles, **true_roles} if roles.get(name) != true_roles.get(name)]
    verdict = (
        f"differs from it at {listing(wrong, limit=None, each=quoted_name)}"
        if wrong
        else "agrees with it in every member and role"
    )
    return (
        f"The Markov blanket of {name_text(found.target)}, found in {found.rows:,} rows drawn from the built-in "
        f"example network\n\n{render_table(table)}\n\n{summary(found)}\n"
        f"The true blanket is known from the network; the blanket found {verdict}."
    )
