"""Plans of searches: which of them run compiled."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.independence.tester import Tester
from climbfast.local.getpcd import getpcd
from climbfast.local.methods import METHODS
from climbfast.local.plan import plan_blanket
from tests.factories import draw_net, quiet_codes


def test_a_custom_search_is_not_compiled():
    def search(test, target, candidates, max_given):
        return getpcd(test, target, candidates, max_given)

    assert not plan_blanket("climb", neighbors=search).compiled
    assert not plan_blanket("climb", symmetry="and").compiled
    assert not plan_blanket("pcmb").compiled


@pytest.mark.parametrize("name", [m.name for m in METHODS.values() if m.finds == "neighbors"])
@pytest.mark.parametrize("max_given", [1, 2])
def test_no_search_separates_by_more_than_it_may(name, max_given):
    """The compiled Climb has room for so many."""
    data = quiet_codes(draw_net(17))
    tester = Tester(data)
    search = METHODS[name].neighbors
    sets = [
        s
        for x in range(data.columns)
        for s in search(tester, x, [*{*range(data.columns)} - {x}], max_given).separators.values()
    ]
    assert max(map(len, sets)) == max_given


def test_who_refuses_knowledge():
    """Methods that find the blanket as a whole, and custom searches; the message names those that honor it."""

    def search(test, target, candidates, max_given):
        return getpcd(test, target, candidates, max_given)

    for name, method in METHODS.items():
        if method.finds == "neighbors":
            continue
        plan = plan_blanket(name)
        if method.members is None:
            plan.refuse_knowledge()
        else:
            with pytest.raises(
                cf.OptionError, match=f"the method {name} finds .* cannot honor .*; take one of climb, pcmb.*best"
            ):
                plan.refuse_knowledge()
    with pytest.raises(cf.OptionError, match=r"a custom search cannot honor .*; leave out"):
        plan_blanket("climb", neighbors=search).refuse_knowledge()
