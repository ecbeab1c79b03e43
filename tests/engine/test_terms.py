"""The tokeniser: what is one word, what is several, and that nothing is syntax."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine import terms

TOKEN_SIGNS = set("~@#./_-")


@pytest.mark.parametrize("text", ["", " \n\t", "?!…", "🚀", "--", "\ud800", "'"])
def test_a_text_without_letters_and_digits_has_no_terms(text):
    assert terms.terms(text) == []
    assert terms.query_terms(text) == []


@pytest.mark.parametrize("text", ["red", "the lamp is teal", "postgres listens on port 5433"])
def test_plain_words_are_their_own_terms(text):
    assert terms.terms(text) == text.split()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fetch_data", ["fetch", "data", "fetchdata"]),
        ("fetchData", ["fetch", "data", "fetchdata"]),
        ("FetchData", ["fetch", "data", "fetchdata"]),
        ("fetch-data", ["fetch", "data", "fetchdata"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("readTimeoutMs", ["read", "timeout", "ms", "readtimeoutms"]),
        ("URLs", ["urls"]),
        ("python3", ["python", "3", "python3"]),
        ("300MB", ["300", "mb", "300mb"]),
        ("w12", ["w12"]),
        ("ab12cd34ef", ["ab12cd34ef"]),
        ("1.2.3", ["1.2.3"]),
        ("v1.2.3", ["1.2.3"]),
        ("10.0.0.1", ["10.0.0.1"]),
        ("version.txt", ["version", "txt", "version.txt"]),
        ("Exports/minutes", ["exports", "minutes", "exports/minutes"]),
        (r"src\main.c", ["src", "main", "c", "main.c", "src/main.c"]),
        ("MB/s", ["mb", "s", "mb/s"]),
        ("thread:safe", ["thread", "safe"]),
        ("@orbit", ["orbit"]),
        ("35%", ["35"]),
        ("RFD-271", ["rfd", "271", "rfd271"]),
    ],
)
def test_an_identifier_gives_its_parts_and_its_joined_form(text, found):
    assert terms.terms(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("don't", ["dont"]),
        ("don’t", ["dont"]),
        ("Caroline's", ["caroline"]),
        ("o'clock", ["o", "clock", "oclock"]),
        ("o''clock", ["o", "clock", "oclock"]),
        ("d'équipe", ["d", "equipe", "dequipe"]),
        ("'quoted'", ["quoted"]),
    ],
)
def test_an_apostrophe_closes_a_contraction_and_leaves_no_letter_alone(text, found):
    assert terms.terms(text) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("résumé", "resume"),
        ("re\u0301sume\u0301", "resume"),
        ("configuração", "configuracao"),
        ("STRASSE", "straße"),
        ("ＦＵＬＬ", "full"),
        ("ﬁne", "fine"),
        ("Łódź", "lodz"),
        ("İstanbul", "istanbul"),
        ("ÉquipeRouge", "equipeRouge"),
    ],
)
def test_spellings_of_one_word_give_the_same_terms(one, other):
    assert terms.terms(one) == terms.terms(other)


def test_marks_that_a_script_needs_are_kept():
    assert terms.terms("हिन्दी भाषा") == ["हिन्दी", "भाषा"]
    assert "ตั้" not in terms.terms("ตั้ง")
    assert terms.terms("ตั้ง")


def test_unspaced_text_is_indexed_as_characters_and_pairs():
    assert terms.terms("青柠色") == ["青", "柠", "色", "青柠", "柠色"]
    assert terms.query_terms("青柠色") == ["青柠", "柠色"]
    assert terms.query_terms("青") == ["青"]


def test_an_identifier_between_chinese_characters_is_a_word():
    assert {"load", "route", "loadroute", "检查", "报错"} <= set(terms.terms("检查loadRoute报错"))


def test_stop_words_leave_a_query_unless_they_are_all_of_it():
    assert terms.query_terms("what is the port of the cache") == ["port", "cache"]
    assert terms.query_terms("who are you") == ["who", "are", "you"]


def test_stems_are_for_english_looking_terms_only():
    assert terms.stem("retries") == terms.stem("retry") == "retri"
    assert terms.stem("1.2.3") == "1.2.3"
    assert terms.stem("réunion") == "réunion"


def test_the_index_holds_the_stem_beside_the_exact_form_where_they_differ():
    assert terms.index_terms("orders fail") == ["orders", "~order", "fail"]


def test_a_blob_is_one_bounded_term():
    assert terms.terms("a" * 262_144) == ["a" * 64]


@settings(max_examples=500)
@given(st.text(max_size=200))
def test_any_text_gives_terms_that_an_index_cannot_cut_again(text):
    for term in terms.index_terms(text):
        assert term
        assert not any(char.isspace() for char in term)
        assert all(char.isalnum() or char in TOKEN_SIGNS or not char.isascii() for char in term)


@settings(max_examples=300)
@given(st.text(max_size=100))
def test_what_a_query_looks_for_is_in_the_index_of_the_same_text(text):
    assert set(terms.query_terms(text)) <= set(terms.terms(text))


def test_importing_the_tokeniser_loads_no_regular_expressions():
    code = "import sys; before = set(sys.modules); import caveman_engine.terms; print(*(set(sys.modules) - before))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(loaded) == {"caveman_engine", "caveman_engine.porter", "caveman_engine.terms"}
