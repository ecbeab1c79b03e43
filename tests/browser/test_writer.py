"""Real input into real pages."""

import pytest

from caveman_browser import errors

pytestmark = pytest.mark.slow


def value(name):
    return f"document.querySelector('[aria-label={name}]').value"


@pytest.fixture
def do(chrome, show, ref_of):
    """Show a body, do one verb to what stands before ``text``, and give the reply."""

    def do(body, text, verb, words=None, **more):
        return chrome.act(ref_of(show(body), text), verb, words, **more)

    return do


def test_brw_36_a_text_box_with_a_list_role_is_typed_into(do, evaluate):
    do("<textarea role=combobox aria-label=Cmd></textarea>", "Cmd", "type", "go")
    assert evaluate(value("Cmd")) == "go"


SELECT = (
    "<select aria-label=City onchange='document.title=(window.n=(window.n||0)+1)+this.value'>"
    "<optgroup label=EU><option value=1>Oslo<option value=2>Rome<option disabled>Bonn</optgroup></select>"
)


@pytest.mark.parametrize("words", ["Rome", "2", "rome"])
def test_brw_37_an_option_of_a_group_is_chosen_and_change_fires_once(do, evaluate, words):
    assert do(SELECT, "City", "select", words).data["outcome"] == "chosen: Rome"
    assert evaluate(value("City")) == "2"
    assert evaluate("document.title") == "12"


def test_an_option_that_is_not_there_is_refused_with_those_that_are(do):
    with pytest.raises(errors.NotActionable) as missing:
        do(SELECT, "City", "select", "Lima")
    assert "Oslo, Rome" in missing.value.hint


def test_a_disabled_option_is_refused(do):
    with pytest.raises(errors.NotActionable, match="disabled"):
        do(SELECT, "City", "select", "Bonn")


def test_an_aria_list_is_opened_and_its_option_clicked(do, evaluate):
    body = (
        "<div role=combobox tabindex=0 aria-label=Size aria-controls=l onclick='l.hidden=false'>-</div>"
        "<ul id=l role=listbox hidden><li role=option onclick='document.title=this.textContent'>Small"
        "<li role=option onclick='document.title=this.textContent'>Large</ul>"
    )
    do(body, "Size", "select", "Large")
    assert evaluate("document.title") == "Large"


def test_brw_38_the_first_character_is_typed_once_into_a_focused_field(do, evaluate):
    do("<input autofocus aria-label=Q>", "Q", "type", "abc")
    assert evaluate(value("Q")) == "abc"


ECHO = '<input aria-label=N value=old oninput="s.textContent=this.value"><p id=s>old</p>'


@pytest.mark.parametrize(("verb", "words"), [("clear", None), ("type", "")])
def test_brw_39_clearing_reaches_the_pages_script(do, evaluate, verb, words):
    do(ECHO, "N", verb, words)
    assert evaluate(value("N")) == ""
    assert evaluate("s.textContent") == ""


def test_typing_replaces_and_appends_when_told(do, evaluate):
    do(ECHO, "N", "type", "new é€")
    assert evaluate(value("N")) == "new é€"
    do(ECHO, "N", "type", "er", append=True)
    assert evaluate(value("N")) == "older"


def test_keys_reach_what_listens_to_them(do, evaluate):
    keys = "<input aria-label=K onkeydown='this.dataset.k=(this.dataset.k||\"\")+event.key'>"
    do(keys, "K", "type", "aB")
    assert evaluate("document.querySelector('input').dataset.k") == "aB"


@pytest.mark.parametrize(
    "kind", ["<textarea aria-label=T></textarea>", "<div contenteditable role=textbox aria-label=T></div>"]
)
def test_lines_are_typed_where_lines_fit(do, evaluate, kind):
    do(kind, "T", "type", "one\ntwo")
    assert (
        evaluate("(e=>(e.value??e.innerText).trim())(document.querySelector('[aria-label=T]'))") == "one\ntwo"
    )


def test_a_line_break_in_a_one_line_field_is_refused_before_anything_is_typed(do, evaluate):
    with pytest.raises(errors.BadRequest):
        do(ECHO, "N", "type", "a\nb")
    assert evaluate(value("N")) == "old"


@pytest.mark.parametrize(
    ("kind", "words"), [("date", "2026-03-01"), ("range", "7"), ("color", "#ff8800"), ("time", "09:30")]
)
def test_a_picked_field_takes_its_value(do, evaluate, kind, words):
    do(
        f"<input type={kind} aria-label=D min=0 max=10 onchange='document.title=this.value'>",
        "D",
        "type",
        words,
    )
    assert evaluate("document.title") == words


def test_a_picked_field_refuses_what_it_cannot_hold(do):
    with pytest.raises(errors.NotActionable, match="does not take"):
        do("<input type=date aria-label=D>", "D", "type", "tomorrow")


def test_enter_submits_by_press(do, evaluate):
    do(
        "<form onsubmit='document.title=q.value;return false'><input id=q aria-label=Q value=x></form>",
        "Q",
        "press",
        "Enter",
    )
    assert evaluate("document.title") == "x"


def test_brw_40_a_file_that_is_not_there_is_refused_before_the_page_is_touched(do, evaluate):
    with pytest.raises(errors.FileNotUsable):
        do(
            "<input type=file aria-label=F onclick='document.title=1' onfocus='document.title=2'>",
            "F",
            "upload",
            "no-such.bin",
        )
    assert evaluate("document.title") == ""


@pytest.mark.parametrize(
    "body", ["<input type=file aria-label=F>", "<label>F <input type=file style='display:none'></label>"]
)
def test_a_file_is_uploaded_through_the_field_or_its_label(do, evaluate, tmp_path, body):
    (tmp_path / "a.txt").write_text("hello")
    reply = do(body, "F", "upload", str(tmp_path / "a.txt"))
    assert reply.data["outcome"] == "uploaded: a.txt"
    assert evaluate("document.querySelector('input').files[0].text()") == "hello"


def test_brw_41_a_typed_password_is_nowhere(chrome, do, home):
    reply = do("<input type=password aria-label=Pw>", "Pw", "type", "s3cret-9")
    view = chrome.snapshot()
    everything = reply.text + str(reply.as_dict()) + view.text + str(view.as_dict())
    assert "s3cret-9" not in everything
    assert b"s3cret-9" not in chrome.recover()
    assert "s3cret-9" not in (home / "browser-audit.jsonl").read_text()


CHECK = "<input type=checkbox aria-label=Gift onchange='document.title=(window.n=(window.n||0)+1)'>"


def test_a_box_is_checked_once_and_left_when_it_is(chrome, do, evaluate, ref_of):
    assert do(CHECK, "Gift", "check").data["outcome"] == "checked"
    ref = ref_of(chrome.snapshot(), "Gift")
    assert chrome.act(ref, "check").data["outcome"] == "was checked already"
    assert evaluate("document.title") == "1"
    assert chrome.act(ref, "uncheck").data["outcome"] == "unchecked"


def test_a_choice_hidden_in_its_label_is_clicked_through_it(do, evaluate):
    body = "<label><input type=radio name=s value={} style='display:none'>{}</label>"
    do(body.format("s", "Small") + body.format("l", "Large"), "Large", "click")
    assert evaluate("document.querySelector(':checked').value") == "l"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("<button disabled>Save</button>", "disabled"),
        ("<div aria-disabled=true><button>Save</button></div>", "disabled"),
        (
            "<button>Save</button><div id=veil style='position:fixed;inset:0'>Wait</div>",
            'covered by "div#veil Wait"',
        ),
        (
            "<style>@keyframes m{to{margin-left:900px}}</style><button style='animation:m 20s linear'>Save</button>",
            "moving",
        ),
    ],
)
def test_what_cannot_be_clicked_says_why(do, body, why):
    with pytest.raises(errors.NotActionable) as refused:
        do(body, "Save", "click")
    assert why in refused.value.what


def test_an_element_below_the_fold_is_scrolled_to(do, evaluate):
    do("<div style='height:4000px'></div><button onclick='document.title=1'>Deep</button>", "Deep", "click")
    assert evaluate("document.title") == "1"


def test_an_element_under_a_bar_that_stays_is_scrolled_beside_it(do, evaluate):
    bar = "<div style='position:fixed;top:0;left:0;right:0;height:100px;background:#ccc'>Bar</div>"
    body = f"{bar}<div style='height:2000px'></div><button onclick='document.title=1'>Under</button><div style='height:2000px'></div>"
    do(
        body + "<script>scrollTo(0, document.querySelector('button').offsetTop - 20)</script>",
        "Under",
        "click",
    )
    assert evaluate("document.title") == "1"


def test_hovering_shows_what_hovering_shows(do):
    reply = do("<button onmouseenter='p.textContent=\"tip\"'>Info</button><p id=p></p>", "Info", "hover")
    assert "tip" in reply.text


def test_brw_23_a_click_lands_in_a_frame(do, evaluate):
    body = "<p style='height:90px'></p><iframe style='margin:40px;padding:9px;border:7px solid' srcdoc=\"<p>x<p><button onclick='parent.document.title=1'>In frame</button>\"></iframe>"
    do(body, "In frame", "click")
    assert evaluate("document.title") == "1"


def test_a_shadow_root_is_reached(do, evaluate):
    body = "<div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML=`<button onclick='document.title=1'>Shade</button>`</script>"
    do(body, "Shade", "click")
    assert evaluate("document.title") == "1"


def test_an_unknown_verb_is_a_usage_error(chrome, show, ref_of):
    reply = show("<button>A</button>")
    with pytest.raises(errors.BadRequest):
        chrome.act(ref_of(reply, "A"), "smash")


def test_brw_72_promises_are_awaited_and_errors_have_their_text(chrome, show):
    show("<p>x</p>")
    assert chrome.evaluate("Promise.resolve(7)").text == "7"
    assert chrome.evaluate("({a:[1,null,'é']})").data["value"] == {"a": [1, None, "é"]}
    with pytest.raises(errors.ScriptError, match="nope is not defined"):
        chrome.evaluate("nope.x")
