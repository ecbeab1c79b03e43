"""Listings of the environment: names are shown, values that look like credentials are not."""

import pytest

from caveman_app import environment


@pytest.mark.parametrize(
    "argv",
    [["printenv", "HOME"], ["env", "A=1", "make"], ["environment"], ["git", "status"]],
    ids=["one variable", "another program", "another name", "git"],
)
def test_what_is_no_listing_of_the_environment_is_left_alone(argv):
    assert not environment.is_listing(argv)


@pytest.mark.parametrize("argv", [["env"], ["/usr/bin/env", "-u", "HOME", "A=1"], ["printenv", "-0"]])
def test_a_listing_of_the_environment_is_known(argv):
    assert environment.is_listing(argv)


def test_plain_values_stay_byte_for_byte():
    data = b"A=1\r\nPATH=/bin:/usr/bin\nNOTE=two\nlines\nEMPTY_TOKEN=\n"
    assert environment.masked(data) == (data, 0)


def test_the_name_is_shown_and_the_value_masked_cmp_66():
    data = b"A=1\nMY_DB_PASSPHRASE=hush-77\nURL=https://me:hush@host/\nKEY_FILE=/k\nB=2"
    assert environment.masked(data) == (
        b"A=1\nMY_DB_PASSPHRASE=***\nURL=***\nKEY_FILE=/k\nB=2",
        2,
    )


def test_a_secret_over_several_lines_is_masked_as_a_whole():
    data = b"DEPLOY_PRIVATE_KEY=-----BEGIN KEY-----\nabc\ndef\n-----END KEY-----\nB=2\n"
    assert environment.masked(data) == (b"DEPLOY_PRIVATE_KEY=***\nB=2\n", 1)
