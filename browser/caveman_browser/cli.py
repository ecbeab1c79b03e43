"""The command caveman-browse, also ``caveman tools browse``. Parses, asks the host, prints; no work.

The first argument is an address or a command; without one, the current page is shown.
"""

import base64
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from caveman_browser import client, errors, fast
from caveman_engine import console

if TYPE_CHECKING:
    from caveman_browser.grants import Rules


class _PageOrCommand(TyperGroup):
    """Takes anything that is no command's name as the arguments of ``open``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``open`` in front where no command stands."""
        if not args or (args[0] not in self.commands and args[0] not in ("--help", "-h")):
            args = ["open", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="caveman-browse",
    cls=_PageOrCommand,
    help="Show a page as a compact accessibility tree with references. "
    "URL [QUERY] shows a page; without a URL, the current one.",
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Examples:  caveman-browse https://example.com/orders 'INV-17'   ·   "
    "caveman-browse find 'role:button'   ·   caveman-browse act e12 click --allow click",
)

Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Bound = Annotated[int, typer.Option("--max-tokens", "-n", help="Upper bound of the view; 0: none.", min=0)]
Limit = Annotated[float, typer.Option("--timeout", help="Seconds to wait for the page.", min=0.1)]
Profile = Annotated[str | None, typer.Option("--profile", help="A kept profile, with its logins.")]
Headful = Annotated[bool, typer.Option("--headful", help="Show the browser's window.")]
Remote = Annotated[bool, typer.Option("--remote", help="CAVEMAN_BROWSE_CDP may be another machine.")]
Allow = Annotated[str, typer.Option("--allow", help="Verbs granted to this command, with commas between.")]
Url = Annotated[str | None, typer.Argument(help="The address; none: the current page.", show_default=False)]
Text = Annotated[
    str | None, typer.Argument(help="To type, press, select, upload or answer.", show_default=False)
]
Wait = Annotated[str | None, typer.Option("--wait-for", help="Wait until this text is there; else exit 3.")]
Query = Annotated[
    str, typer.Argument(help='Words, "a phrase", /a pattern/ or role:button.', show_default=False)
]


@app.command("open", hidden=True)
def open_(
    url: Url = None,
    query: Annotated[str | None, typer.Argument(help="What to look for.", show_default=False)] = None,
    max_tokens: Bound = 2000,
    wait_for: Wait = None,
    timeout: Limit = 15.0,
    tab: Annotated[int | None, typer.Option("--tab", help="Work on this tab of `tabs`.", min=1)] = None,
    new: Annotated[bool, typer.Option("--new", help="Open in a new tab.")] = False,
    profile: Profile = None,
    headful: Headful = False,
    remote: Remote = False,
    as_json: Json = False,
) -> None:
    """Open a page, or stay on the current one, and show it."""
    if url is not None and url.isalpha() and url.lower() != "localhost":
        raise _no_command(url)
    arguments = {
        "url": url,
        "query": query,
        "max_tokens": max_tokens,
        "wait_for": wait_for,
        "timeout": timeout,
        "tab": tab,
        "new": new,
    }
    reply = client.ask(
        "snapshot", arguments, profile=profile, headful=headful, remote=remote, starts=url is not None
    )
    client.show(reply, as_json=as_json)


@app.command()
def find(
    query: Query,
    max_tokens: Bound = 2000,
    timeout: Limit = 15.0,
    profile: Profile = None,
    as_json: Json = False,
) -> None:
    """Show what fits a query on the current page."""
    arguments = {"query": query, "max_tokens": max_tokens, "timeout": timeout}
    client.show(client.ask("snapshot", arguments, profile=profile), as_json=as_json)


@app.command()
def act(
    reference: Annotated[str, typer.Argument(metavar="REF", help="A reference of a view, such as e12.")],
    verb: Annotated[
        str, typer.Argument(help="click type clear press select check uncheck hover upload dialog")
    ],
    text: Text = None,
    allow: Allow = "",
    append: Annotated[bool, typer.Option("--append", help="Type after what is there.")] = False,
    no_view: Annotated[bool, typer.Option("--no-view", help="Say only state, address and title.")] = False,
    timeout: Limit = 15.0,
    profile: Profile = None,
    as_json: Json = False,
) -> None:
    """Act on an element, where a grant allows it, and say what changed."""
    rules = _rules(allow)
    rules.require(verb)
    if verb == "upload" and text is not None:
        text = os.path.abspath(os.path.expanduser(text))
    arguments = {
        "reference": reference,
        "verb": verb,
        "text": text,
        "allow": _verbs(allow),
        "append": append,
        "view": not no_view,
        "timeout": timeout,
    }
    client.show(client.ask("act", arguments, profile=profile), as_json=as_json)


@app.command("eval")
def eval_(
    expression: Annotated[str, typer.Argument(help="JavaScript; a promise is awaited.")],
    allow: Allow = "",
    timeout: Limit = 10.0,
    profile: Profile = None,
    as_json: Json = False,
) -> None:
    """Evaluate an expression in the page, where a grant allows it."""
    _rules(allow).require("eval")
    arguments = {"expression": expression, "allow": _verbs(allow), "timeout": timeout}
    client.show(client.ask("evaluate", arguments, profile=profile), as_json=as_json)


@app.command()
def recover(
    handle: Annotated[
        str | None, typer.Argument(help="A handle; none: the last view's.", show_default=False)
    ] = None,
    profile: Profile = None,
) -> None:
    """Print the exact captured JSON of a view."""
    if handle is None:
        console.write(base64.b64decode(client.ask("recover", {}, profile=profile)))
        return
    from caveman_browser.captures import Captures

    console.write(Captures().give_back(handle) or b"")


@app.command()
def tabs(profile: Profile = None, as_json: Json = False) -> None:
    """List the open pages; the current one is marked."""
    try:
        reply = client.ask("tabs", {}, profile=profile)
    except errors.NoPage:
        reply = {"text": "no page is open", "tabs": []}
    client.show(reply, as_json=as_json)


@app.command()
def back(
    max_tokens: Bound = 2000, timeout: Limit = 15.0, profile: Profile = None, as_json: Json = False
) -> None:
    """Go back in the current tab and show the page."""
    client.show(
        client.ask("step", {"by": -1, "max_tokens": max_tokens, "timeout": timeout}, profile=profile),
        as_json=as_json,
    )


@app.command()
def forward(
    max_tokens: Bound = 2000, timeout: Limit = 15.0, profile: Profile = None, as_json: Json = False
) -> None:
    """Go forward in the current tab and show the page."""
    client.show(
        client.ask("step", {"by": 1, "max_tokens": max_tokens, "timeout": timeout}, profile=profile),
        as_json=as_json,
    )


@app.command()
def screenshot(
    file: Annotated[str, typer.Argument(help="The PNG file to write.")],
    full: Annotated[
        bool, typer.Option("--full", help="The whole page, not only what a window shows.")
    ] = False,
    timeout: Limit = 15.0,
    profile: Profile = None,
    as_json: Json = False,
) -> None:
    """Write a picture of the current page to a file."""
    arguments = {"path": os.path.abspath(os.path.expanduser(file)), "full": full, "timeout": timeout}
    client.show(client.ask("screenshot", arguments, profile=profile), as_json=as_json)


@app.command()
def grants(allow: Allow = "", as_json: Json = False) -> None:
    """Show which verbs are granted where, and why."""
    found = _rules(allow).as_dict()
    if as_json:
        console.print_json(found)
        return
    for row in found["grants"]:
        print(f"{row['origin']}: {', '.join(row['verbs']) or 'nothing'} ({row['source']})")
    if not found["grants"]:
        print("no grant: pages can be read, not written")
    for line in found["ignored"]:
        print(f"without effect: {line}")
    for section in ("pages", "parts"):
        for key, rules in found[section].items():
            if rules:
                print(f"{section} {key}: {', '.join(rules)}")


@app.command()
def login(
    url: Annotated[str, typer.Argument(help="Where to sign in.")],
    profile: Annotated[str, typer.Option("--profile", help="The profile that keeps the login.")],
) -> None:
    """Open a window to sign in by hand; the profile keeps what the site remembers."""
    from caveman_browser.login import sign_in

    client.close(profile)
    sign_in(url, profile, console.say)


@app.command()
def close(profile: Profile = None) -> None:
    """Close the browser and end the process that kept it."""
    client.close(profile)


def main() -> None:
    """Run the command, the plain forms by the start-up path."""
    status = fast.run(sys.argv[1:])
    if status is not None:
        sys.exit(status)
    console.run(app, prog="caveman-browse")


def _no_command(word: str) -> errors.BadRequest:
    """Make the error of a word that is neither a command nor an address."""
    from difflib import get_close_matches

    names = [command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands]
    close = get_close_matches(word.lower(), names, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else "an address has a scheme, a dot or a port"
    return errors.BadRequest(f"there is no command {word!r}", hint=hint)


def _rules(allow: str) -> "Rules":
    from caveman_browser import grants as rules

    return rules.load(_verbs(allow))


def _verbs(allow: str) -> list[str]:
    return [verb.strip() for verb in allow.split(",") if verb.strip()]
