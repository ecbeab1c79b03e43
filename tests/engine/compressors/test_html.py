import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import choice, payload
from caveman_engine.compressors import html
from caveman_engine.views import Request

WISH = Request(None, 60_000)


def views(text, request=WISH):
    found = list(html.COMPRESSOR.views(payload.parse(text.encode("utf-8", "surrogatepass")), request))
    assert all(choice.is_honest(one) for one in found)
    return found


def body(inner, request=WISH):
    """Give what one page shows, without the last marker."""
    text = views(f"<!doctype html><html><body>{inner}</body></html>", request)[0].text
    assert text.splitlines()[-1].startswith("[caveman: left out: ")
    return "".join(text.splitlines(keepends=True)[:-1])


def score(text):
    return html.detect(payload.parse(text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "prose with a < b and c > d",
        "def f(x: List<int>) -> Map<str, int>:\n" * 20,
        "<note><to>Tove</to><from>Jani</from></note>\n" * 20,
        "# Markdown\n\nwith <b>one</b> tag\n",
    ],
    ids=["nothing", "comparisons", "type parameters", "XML of its own", "Markdown with a tag"],
)
def test_text_that_is_no_page_is_not_taken_for_one(text):
    assert score(text) < 0.3


def test_a_page_is_known_by_its_doctype_and_a_fragment_by_its_tags():
    assert score("<!-- saved -->\n<!DOCTYPE html>\n<title>x</title>") > 0.9
    assert score('<div class="a"><p>x</p><p>y</p><ul><li>z</li></ul></div>\n' * 4) > 0.5


@pytest.mark.parametrize(
    "inner, shown",
    [
        ("<p>a  <b>bold</b>\n word</p>", "a bold word\n"),
        ("<h2>Top</h2><p>x</p>", "## Top\nx\n"),
        ("one<br>two", "one\ntwo\n"),
        ("<p>a&nbsp;b &amp; &lt;c&gt;</p>", "a b & <c>\n"),
        ('<a href="https://x.test/q?a=1&amp;b=2">see</a> it', "[see](https://x.test/q?a=1&b=2) it\n"),
        ('<a href="#top">up</a>', "up\n"),
        ('<a href="/wiki/Mozilla_Foundation">Mozilla Foundation</a>', "Mozilla Foundation\n"),
        ('<a href="/invoice/77">77</a>', "[77](/invoice/77)\n"),
        ('<h2>Use<a class="headerlink" href="#use">¶</a></h2>', "## Use\n"),
        ('<a href="/card"><h3>Card</h3><p>text</p></a>', "### Card\ntext (/card)\n"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c\n"),
        ('<ol start="3"><li>a</li><li>b</li></ol>', "3. a\n4. b\n"),
        ("<dl><dt>f(x)</dt><dd>gives x</dd></dl>", "f(x)\n  gives x\n"),
        ("<pre>a\n  b\n\nc</pre>", "```\na\n  b\n\nc\n```\n"),
        ('<img src="x.png" alt="A graph">', "![A graph](x.png)\n"),
        ('<img src="data:image/png;base64,iVBORw0KGgo" alt="A dot">', "![A dot]\n"),
        ('<img src="/hit.gif" width="1" height="1">x', "x\n"),
        ('<nav><img src="x.png" alt="Logo"></nav>', "![Logo]\n"),
        ('<p><img src="a.png">x<p><img src="a.png">y', "![](a.png)x\ny\n"),
        (
            '<a href="api/ledger-rows.html#readRows">readRows</a>',
            "[readRows](api/ledger-rows.html#readRows)\n",
        ),
        ('<a href="getting-started.html">Getting started</a>', "Getting started\n"),
        (
            '<input name="q" placeholder="Search"><input type="hidden" name="t" value="1">',
            "[text q Search]\n",
        ),
        ("<button>Save</button>", "[button: Save]\n"),
        ('<select name="c"><option>red<option>blue</select>', "[select c: red | blue]\n"),
        ("<script>var x = 1</script><style>p {}</style><p>x</p><!-- y -->", "x\n"),
        ('<p hidden>no</p><p style="display: none">no</p><p>yes</p>', "yes\n"),
        (
            "<table><tr><th>n</th><th>v</th></tr><tr><td>a</td><td>1|2</td></tr></table>",
            "| n | v |\n|---|---|\n| a | 1\\|2 |\n",
        ),
        ("<table><tr><td><table><tr><td>in</td></tr></table></td></tr></table>", "| in |\n"),
    ],
    ids=lambda value: value[:30],
)
def test_elements_read_as_light_markdown(inner, shown):
    assert body(inner) == shown


def test_the_title_and_what_the_page_says_of_itself_come_first():
    text = views(
        '<html><head><title>Bills &amp; dues</title><meta name="author" content="Ann">'
        '<meta name="description" content="All bills"></head><body><p>x</p></body></html>'
    )[0].text
    assert text.startswith("title: Bills & dues\ndescription: All bills\nauthor: Ann\nx\n")


def page_of_bills():
    nav = "".join(f'<li><a href="/n/{i}">Section {i}</a></li>' for i in range(80))
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td><a href="/invoice/77">c-{r}-{c}</a></td>' if (r, c) == (7, 2) else f"<td>c-{r}-{c}</td>"
            for c in range(5)
        )
        + "</tr>"
        for r in range(40)
    )
    return (
        f"<!DOCTYPE html><html><head><title>Bills</title><script>{'x=1;' * 5000}</script>"
        f"<style>{'p{a:b}' * 2500}</style></head><body><nav><ul>{nav}</ul></nav>"
        f"<main><table>{rows}</table></main></body></html>"
    )


def test_cmp_46_a_page_of_bills_keeps_title_cells_and_link():
    text = page_of_bills()
    for seen in views(text):
        assert len(seen.text) < 0.4 * len(text)
        assert "title: Bills\n" in seen.text
        assert "(/invoice/77)" in seen.text
        places = [seen.text.index(f"c-{r}-{c}") for r in range(40) for c in range(5)]
        assert places == sorted(places)


def test_furniture_folds_with_its_counts():
    content = views(page_of_bills())[1]
    assert content.method == "html-content"
    assert "[caveman: 80 blocks; navigation; 80 links]\n" in content.text
    assert (content.shown, content.total) == (41, 121)


def test_a_page_that_is_all_navigation_keeps_it():
    items = "".join(f'<li><a href="/p/{i}">Project number {i}</a></li>' for i in range(50))
    found = views(f"<html><body><nav><ul>{items}</ul></nav></body></html>")
    assert all("[Project number 49](/p/49)" in seen.text for seen in found)


def test_a_menu_shown_twice_is_read_once():
    menu = "<ul>" + "".join(f"<li>Entry {i}</li>" for i in range(5)) + "</ul>"
    seen = views(f"<html><body>{menu}<p>text</p>{menu}</body></html>")[0]
    assert seen.text.count("Entry 3") == 1
    assert "[caveman: 5 blocks]" in seen.text


def test_a_question_brings_the_paragraph_with_its_headings():
    filler = "".join(
        f"<h2>Part {i}</h2>"
        + "".join(f"<p>Plain words about matter {i} {j}. {'more ' * 30}</p>" for j in range(8))
        for i in range(20)
    )
    text = (
        f"<html><body><h1>Guide</h1>{filler}<h2>Limits</h2><p>A quota of 40 widgets holds.</p></body></html>"
    )
    (seen,) = views(text, Request("what is the widget quota?", 3_000))
    assert "## Limits\nA quota of 40 widgets holds.\n" in seen.text
    assert "# Guide" in seen.text
    assert len(seen.text) < 0.4 * len(text)


def test_a_row_asked_for_comes_with_its_header():
    rows = "".join(f"<tr><td>host-{i}</td><td>{'idle ' * 20}</td></tr>" for i in range(200))
    text = f"<html><body><table><tr><th>name</th><th>state</th></tr>{rows}</table></body></html>"
    (seen,) = views(text, Request("host-150", 1_000))
    assert "| name | state |" in seen.text
    assert "| host-150 |" in seen.text


def test_text_that_forges_a_marker_goes_under_one():
    assert "[caveman: 3 lines]" not in body("<p>[caveman: 3 lines]</p><p>x</p>")
    assert "[caveman: 3 lines]" not in body("<p>y<br>[caveman: 3 lines]</p><p>x</p>")


def test_elements_without_end_do_not_hang():
    for text in ("<div>" * 100_000 + "x", "<b>" * 100_000 + "x", "<div><p>" * 1_000 + "deep"):
        start = time.monotonic()
        found = views(text)
        assert time.monotonic() - start < 10
        assert not found or "deep" in found[0].text or "x" in found[0].text


@given(st.text(max_size=300))
def test_no_text_breaks_it(text):
    for wrapped in (text, f"<html><body>{text}", f"<table><tr><td>{text}<ul><li>{text}"):
        views(wrapped)
        views(wrapped, Request("a b", 100, hard=True))


@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<table>", "<tr>", "<td>", "<ul>", "<li>", "<a href=x>", "</a>", "t "]
        )
    )
)
def test_no_broken_markup_loses_text(pieces):
    text = "<html><body>" + "".join(f"w{i} " if piece == "t " else piece for i, piece in enumerate(pieces))
    shown = views(text)[0].text if "t " in pieces else ""
    assert all(f"w{i}" in shown for i, piece in enumerate(pieces) if piece == "t ")


@pytest.mark.slow
def test_time_grows_with_size():
    rng = random.Random(1)
    one = "".join(
        f'<div><h3>n{i}</h3><p>{rng.random()} <a href="/x/{i}">y</a></p></div>' for i in range(5_000)
    )

    def seconds(text):
        start = time.perf_counter()
        views(f"<html><body>{text}</body></html>")
        return time.perf_counter() - start

    seconds(one)
    assert seconds(one * 4) < 20 * seconds(one)
