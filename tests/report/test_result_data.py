import pickle

import pytest

import climbfast as cf
from climbfast.report.result_data import data_of


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(300, seed=1)


def test_a_result_has_the_data_of_its_search(data):
    blanket = cf.markov_blanket(data, "ecg")
    assert data_of(blanket, ["ecg"]) is data
    read = pickle.loads(pickle.dumps(blanket))
    with pytest.raises(cf.OptionError, match=r"has no data; name them with data=\.\.\."):
        data_of(read, ["ecg"])
    assert data_of(read, ["ecg"], data) is data


def test_other_data_are_refused(data):
    blanket = pickle.loads(pickle.dumps(cf.markov_blanket(data, "ecg")))
    with pytest.raises(cf.OptionError, match="of 300 rows, and these data have 200"):
        data_of(blanket, ["ecg"], cf.load_example().sample(200, seed=1))
    with pytest.raises(cf.OptionError, match="of 15 columns, and these data have 14"):
        data_of(blanket, ["ecg"], data.restricted_to(range(14)))
    with pytest.raises(cf.OptionError, match="of other data: these have no column 'ecg'"):
        data_of(blanket, ["ecg"], {"a": [0, 1, 0], "b": [1, 0, 0]})


def test_the_representative_of_a_search_is_that_of_its_page():
    columns = {"a": [0, 1, 0, 1] * 20, "b": [0, 0, 1, 1] * 20, "c": ["x", "y", "x", "y"] * 20}
    with pytest.warns(cf.ClimbfastWarning, match="one to one"):
        data = cf.Dataset.from_frame(columns)
    found = pickle.loads(pickle.dumps(cf.markov_blanket(data, "b", representative="c")))
    assert data_of(found, ["b"], data).represented["a"] == "c"
