import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.compressors import _json_records
from caveman_engine.jsontext import parse


def laid(text):
    document = parse(text)
    return document.spelling.restore(_json_records.lay(document.values[0]))


class Decoder:
    """Read the columnar layout back, by its grammar alone."""

    HEAD = re.compile(r"([\d,]+) (records|members, key first): (.*)")

    def __init__(self, text):
        self.text = text
        self.at = 0
        self.raw = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)

    def value(self):
        sign = self.text[self.at]
        head = self.HEAD.match(self.text, self.at + 1)
        if sign in "[{" and head:
            return self.table(sign, head)
        if sign == "[":
            return self.container("]", self.value)
        if sign == "{":
            return dict(self.container("}", self.member))
        return self.plain()

    def plain(self):
        value, self.at = self.raw.raw_decode(self.text, self.at)
        return value

    def member(self):
        key = self.plain()
        self.at += 1
        return key, self.value()

    def container(self, end, part):
        self.at += 1
        parts = []
        while self.text[self.at] != end:
            parts.append(part())
            self.at += self.text[self.at] == ","
        self.at += 1
        return parts

    def table(self, sign, head):
        columns = self.columns(head[3])
        self.at = head.end() + 1
        rows = [self.row(sign, columns) for _ in range(int(head[1].replace(",", "")))]
        self.at += 1
        return rows if sign == "[" else dict(rows)

    def row(self, sign, columns):
        key = None
        if sign == "{":
            key = self.plain()
            self.at += 1
        if self.text[self.at] == "!":
            self.at += 1
            item = self.plain()
        else:
            item = self.cells(columns)
        assert self.text[self.at] == "\n"
        self.at += 1
        return item if sign == "[" else (key, item)

    def cells(self, columns):
        item = {}
        first = True
        for path, constant in columns:
            if constant is not None:
                value = constant
            else:
                self.at += not first
                first = False
                value = None if self.text[self.at] in ",\n" else (self.plain(),)
            if value is not None:
                here = item
                for key in path[:-1]:
                    here = here.setdefault(key, {})
                here[path[-1]] = value[0]
        return item

    def columns(self, header):
        columns, at = [], 0
        while at < len(header):
            path = []
            while True:
                if header[at] == '"':
                    key, at = self.raw.raw_decode(header, at)
                else:
                    found = re.compile(r"[\w-]+").match(header, at)
                    key, at = found[0], found.end()
                path.append(key)
                if header[at : at + 1] != ".":
                    break
                at += 1
            constant = None
            if header[at : at + 1] == "=":
                value, at = self.raw.raw_decode(header, at + 1)
                constant = (value,)
            columns.append((path, constant))
            at += 1
        return columns


def numbers_as_text(text):
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)


KEYS = st.sampled_from(["id", "name", "a.b", "", "ü", 'q"', "x"])
CELLS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
RECORDS = st.lists(st.dictionaries(KEYS, CELLS, max_size=5) | CELLS, min_size=0, max_size=12)


@given(RECORDS | st.dictionaries(st.text(max_size=3), st.dictionaries(KEYS, CELLS, max_size=3), max_size=9))
def test_columns_can_be_inverted_for_any_records(value):
    text = json.dumps(value, ensure_ascii=False)
    decoder = Decoder(laid(text))
    back = decoder.value()
    assert decoder.at == len(laid(text))
    assert back == numbers_as_text(text)
    assert json.dumps(back) == json.dumps(numbers_as_text(text))  # key order too


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"a":[1,{"b":"x"}],"c":{}}', id="no records"),
        pytest.param('[{"a":1},{"b":2},{"c":3}]', id="records without a key in common"),
        pytest.param('[{"a":1},{"a":2}]', id="two records"),
    ],
)
def test_what_is_no_table_is_minified(text):
    assert laid(text) == text


def test_rows_that_do_not_fit_stand_whole():
    rows = [{"id": n, "v": "ok"} for n in range(9)] + [{"id": 9, "note": "odd"}, None]
    text = laid(json.dumps(rows))
    assert text.endswith('\n8\n!{"id":9,"note":"odd"}\n!null\n]')
    assert Decoder(text).value() == numbers_as_text(json.dumps(rows))


def test_a_row_that_alone_varies_a_column_is_an_exception():
    rows = [{"id": n, "error": None} for n in range(200)]
    rows[77]["error"] = "disk full"
    text = laid(json.dumps(rows))
    assert text.startswith("[200 records: id,error=null\n0\n1\n")
    assert '\n!{"id":77,"error":"disk full"}\n' in text
    assert Decoder(text).value() == numbers_as_text(json.dumps(rows))


def test_long_rows_leave_the_table_to_their_parts():
    events = [{"at": n, "what": "tick"} for n in range(300)]
    text = laid(json.dumps([{"name": k, "events": events} for k in "abc"]))
    assert text.count("[300 records: at,what=") == 3
