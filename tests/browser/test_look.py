"""What a stored capture keeps of the findings about a document."""

import json

from caveman_browser.look import Look


def test_nothing_found_is_empty_and_two_looks_share_nothing():
    Look().hidden.add(1)
    Look().controls[1] = {}
    assert Look() == Look(hidden=set(), controls={})
    assert not any(Look().as_json().values())


def test_sets_are_kept_in_order_so_that_equal_pages_have_equal_captures():
    one, other = Look(hidden={3, 1, 900, 2}), Look(hidden={900, 2, 3, 1})
    assert json.dumps(one.as_json()) == json.dumps(other.as_json())
    assert one.as_json()["hidden"] == [1, 2, 3, 900]


def test_layers_keep_the_order_they_were_found_in():
    assert Look(first=[9, 2, 5]).as_json()["first"] == [9, 2, 5]


def test_what_is_keyed_by_an_element_survives_the_way_through_json():
    found = Look(
        current={7: "page"},
        hints={8: "class star"},
        controls={9: {"role": "checkbox", "backend": 4, "states": ["checked"]}},
        clickable={2},
        files={3},
        pictures=2,
    ).as_json()
    assert json.loads(json.dumps(found)) == found
    assert (found["current"], found["hints"]) == ({"7": "page"}, {"8": "class star"})
    assert found["controls"]["9"]["backend"] == 4


def test_which_fields_hold_secrets_and_how_frames_hang_together_is_not_kept():
    found = Look(secret={1}, frames={2: True}, owners={"F": 2}, scrolled=True).as_json()
    assert found.keys() == {
        "hidden",
        "clickable",
        "first",
        "files",
        "current",
        "hints",
        "controls",
        "pictures",
    }
