"""What attributes tell on their own."""

import pytest

from caveman_browser.fields import hint, is_secret


@pytest.mark.parametrize(
    "known",
    [
        {},
        {"type": "email", "name": "mail"},
        {"name": "shipping"},
        {"id": "opinion"},
        {"type": "checkbox", "name": "show-password"},
        {"autocomplete": "address-line1"},
    ],
)
def test_plain_fields_are_no_secrets(known):
    assert not is_secret(known)


@pytest.mark.parametrize(
    "known",
    [
        {"type": "password"},
        {"type": "PASSWORD"},
        {"autocomplete": "cc-number"},
        {"autocomplete": "billing cc-csc"},
        {"autocomplete": "one-time-code"},
        {"type": "text", "name": "userPassword"},
        {"name": "pin"},
        {"id": "card_number"},
        {"name": "cvv"},
        {"id": "security-code"},
    ],
)
def test_passwords_codes_and_cards_are_secrets(known):
    assert is_secret(known)


def test_a_nameless_element_is_called_by_the_first_of_name_id_and_class():
    assert hint({}) == ""
    assert hint({"class": "  star  big red"}) == "class star big"
    assert hint({"class": "star", "id": "s1"}) == "id s1"
    assert hint({"id": '"] [e9] button', "class": "x"}) == "id e9 button"
