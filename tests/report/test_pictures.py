import climbfast as cf
from climbfast.report.pictures import picture_of


def test_a_picture_is_an_element_that_a_page_takes_as_it_is():
    graph = cf.Graph(("<b>", "b", "c"), [("<b>", "b")])
    picture = picture_of(graph)
    assert picture.startswith("<svg")
    assert "<b>" not in picture
    assert picture_of(graph, ["b"]) != picture
    assert f"{picture:s}" == picture.__html__()
