"""The example network is as documented."""

from __future__ import annotations

from climbfast.networks.examples import EXAMPLE, EXAMPLE_TARGET, load_example


def test_everyday_health():
    network = load_example()
    parents, children, common_children = network._truth(EXAMPLE_TARGET)
    assert network.name == EXAMPLE
    assert (len(network.nodes), len(network.arcs)) == (15, 18)
    assert parents == ("blood_pressure", "cholesterol", "smoking")
    assert children == ("breathlessness", "chest_pain", "ecg", "fatigue")
    assert common_children == {
        "lung_disease": ("breathlessness",),
        "reflux": ("chest_pain",),
        "sleep": ("fatigue",),
    }
    assert all(2 <= len(labels) <= 4 for labels in network.states.values())
    assert all(table.min() >= 0.01 for table in network.tables.values())
