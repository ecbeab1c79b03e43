"""Which addresses may be opened. One rule for arguments, redirects, clicked links, pop-ups and frames.

Pure: text in, verdict out. An address is read the way a browser reads it (WHATWG URL: white space and control
characters dropped, hosts in decimal, hex and octal), so that no spelling means one thing here and another there.
"""

import ipaddress
import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from caveman_browser import errors

_DROPPED = re.compile(r"[\t\r\n]")
_EDGES = "".join(map(chr, range(33)))
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
# A host as people type it: a dot, a port or localhost tells it from a word.
_BARE_HOST = re.compile(
    r"(localhost|[\w-]+(\.[\w-]+)+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?([/?#]|\Z)", re.IGNORECASE
)
_LOCAL_HOST = re.compile(r"(localhost|[\w.-]+\.localhost|127\.[\d.]+|\[::1\])([:/?#]|\Z)", re.IGNORECASE)
_DOTS = str.maketrans("。．｡", "...")
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
# Names and addresses under which clouds hand out their machines' credentials, beside the link-local ones.
_METADATA_NAMES = ("metadata.google.internal", "metadata.goog", "metadata", "instance-data.ec2.internal")
_METADATA_ADDRESSES = ("100.100.100.200", "192.0.0.192", "fd00:ec2::254")

RESOLVER_RULES = ",".join(
    f"MAP {name} ~NOTFOUND"
    for name in ("169.254.*", *_METADATA_NAMES, *_METADATA_ADDRESSES[:2], "[fe80:*", "[fd00:ec2:*")
)
"""The same for everything that Chrome does by itself: sockets, workers, prefetches (--host-resolver-rules)."""

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Address:
    """An address as the browser will read it. ``port`` is the effective one."""

    scheme: str
    host: str
    port: int | None
    url: str

    @property
    def origin(self) -> str:
        """Give ``scheme://host`` with the port when it is not the scheme's own; ``null`` for one without a host."""
        if not self.host:
            return "null"
        port = "" if self.port in (None, _PORTS.get(self.scheme)) else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"


@dataclass(frozen=True, slots=True)
class OriginRule:
    """One line of a list: ``https://shop.example``, ``shop.example``, ``*.example``, ``127.0.0.1:8000`` or ``*``."""

    scheme: str | None
    host: str
    port: int | None

    @classmethod
    def parse(cls, text: str) -> "OriginRule":
        """Read a rule; raises `BadRule` for anything but an origin or a host."""
        scheme, _, rest = text.strip().rpartition("://")
        found = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^\s/:@?#]+)(?::(\d{1,5}))?/?", rest.lower())
        if found is None or (scheme and scheme.lower() not in _PORTS):
            raise errors.BadRule(
                f"{text!r} is no origin",
                hint='write "https://shop.example", "shop.example", "*.example" or "*"',
            )
        port = int(found[2]) if found[2] else (_PORTS[scheme.lower()] if scheme else None)
        return cls(scheme.lower() or None, _canonical_host(found[1]), port)

    def __str__(self) -> str:
        scheme = f"{self.scheme}://" if self.scheme else ""
        port = f":{self.port}" if self.port not in (None, _PORTS.get(self.scheme or "")) else ""
        return f"{scheme}{self.host}{port}"

    def matches(self, address: Address) -> bool:
        """Tell whether the address is of this origin. A WebSocket counts as its page scheme."""
        scheme = {"ws": "http", "wss": "https"}.get(address.scheme, address.scheme)
        if self.scheme not in (None, scheme, address.scheme) or self.port not in (None, address.port):
            return False
        if self.host.startswith("*."):
            return address.host.endswith(self.host[1:])
        return self.host in ("*", address.host)


@dataclass(frozen=True, slots=True)
class Policy:
    """The lists of browser.toml. None as ``allow`` means every origin; ``deny`` wins.

    Parts of a page (images, scripts, requests) follow ``parts_allow`` and ``parts_deny``; without a list of their
    own they follow the pages'.
    """

    allow: tuple[OriginRule, ...] | None = None
    deny: tuple[OriginRule, ...] = ()
    parts_allow: tuple[OriginRule, ...] | None = None
    parts_deny: tuple[OriginRule, ...] = ()

    @property
    def lists(self) -> bool:
        """Tell whether there is any list, so that requests for parts must be looked at too."""
        return self.allow is not None or self.parts_allow is not None or bool(self.deny or self.parts_deny)

    def check(self, url: str) -> str:
        """Give the address to open for what was asked. Raises `UrlRefused` with the reason."""
        address = parse(complete(url))
        if reason := self.refusal(address):
            raise errors.UrlRefused(f"{_shown(url)}: {reason}", hint=_HINT)
        return address.url

    def refuses(self, url: str, *, part: bool = False) -> str | None:
        """Say why Chrome may not request ``url``; None when it may. For requests that pages make."""
        try:
            address = parse(url)
        except errors.UrlRefused as refused:
            return refused.what
        return self.part_refusal(address) if part else self.refusal(address)

    def refusal(self, address: Address) -> str | None:
        """Say why a page may not be opened."""
        if re.fullmatch(r"about:blank([?#].*)?", address.url):
            return None
        if address.scheme == "data":
            if self.allow is not None:
                return "inline documents are of no allowed origin"
            html = re.match(r"data:text/html[;,]", address.url, re.IGNORECASE)
            return None if html else "only data:text/html is opened"
        if address.scheme not in ("http", "https"):
            return f"the scheme {address.scheme}: is not opened"
        return _host_refusal(address) or _listed(address, self.allow, self.deny)

    def part_refusal(self, address: Address) -> str | None:
        """Say why a part of a page may not be requested. Parts that need no network always may."""
        if address.scheme not in _PORTS:
            return None
        allow = self.allow if self.parts_allow is None else self.parts_allow
        return _host_refusal(address) or _listed(address, allow, (*self.deny, *self.parts_deny))


_HINT = (
    "http, https, about:blank and data:text/html are opened; `caveman tools browse grants` shows the lists"
)


def complete(text: str) -> str:
    """Add the scheme that a person leaves away: http for this machine, https for any other host."""
    text = _DROPPED.sub("", text.strip(_EDGES))
    if not _BARE_HOST.match(text):
        return text
    return ("http://" if _LOCAL_HOST.match(text) else "https://") + text


def parse(url: str) -> Address:
    """Read an absolute address. Raises `UrlRefused` for one without scheme or host, or with user-info."""
    text = _DROPPED.sub("", url.strip(_EDGES))
    found = _SCHEME.match(text)
    if found is None:
        raise errors.UrlRefused(
            f"{_shown(url)} is no absolute address", hint="begin with https:// or http://"
        )
    scheme = found[1].lower()
    if scheme not in _PORTS:
        return Address(scheme, "", None, scheme + text[len(scheme) :])
    # Browsers take any number of either slash after these schemes.
    rest = text[len(scheme) + 1 :].lstrip("/\\")
    authority = re.split(r"[/\\?#]", rest, maxsplit=1)[0]
    if "@" in authority:
        raise errors.UrlRefused(f"{_shown(url)}: an address with a user name in it is not opened")
    try:
        port = urlsplit(f"//{authority}").port
    except ValueError as bad:
        raise errors.UrlRefused(f"{_shown(url)}: {bad}") from bad
    host = _canonical_host(re.sub(r":\d*\Z", "", authority))
    if not host:
        raise errors.UrlRefused(f"{_shown(url)} names no host")
    return Address(scheme, host, port or _PORTS[scheme], f"{scheme}://{rest}")


def origin_of(url: str) -> str:
    """Give the origin of a page's address; ``null`` for one without a host."""
    try:
        return parse(url).origin
    except errors.UrlRefused:
        return "null"


def is_link_local(host: str) -> bool:
    """Tell an address, in any spelling, that is link-local or hands out a machine's credentials."""
    bracketed = f"[{host}]" if ":" in host and not host.startswith("[") else host
    address = _ip(_canonical_host(bracketed))
    if address is None:
        return False
    return any(each.is_link_local or str(each) in _METADATA_ADDRESSES for each in _embedded(address))


def is_loopback(host: str) -> bool:
    """Tell a host that is this machine."""
    host = _canonical_host(f"[{host}]" if ":" in host and not host.startswith("[") else host)
    address = _ip(host)
    return address.is_loopback if address else host == "localhost" or host.endswith(".localhost")


def _host_refusal(address: Address) -> str | None:
    if address.host in _METADATA_NAMES or is_link_local(address.host):
        return "link-local and metadata addresses are not opened"
    return None


def _listed(
    address: Address, allow: tuple[OriginRule, ...] | None, deny: tuple[OriginRule, ...]
) -> str | None:
    if any(rule.matches(address) for rule in deny):
        return f"{address.origin} is on the deny list"
    if allow is not None and not any(rule.matches(address) for rule in allow):
        return f"{address.origin} is not on the allow list"
    return None


def _canonical_host(host: str) -> str:
    """Write a host as browsers do: percent-decoded, NFKC, lower case, numbers as dotted or compressed addresses."""
    text = unicodedata.normalize("NFKC", unquote(host)).translate(_DOTS).lower()
    # IDNA maps invisible format characters to nothing.
    text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    text = text.removesuffix(".")
    address = _ip(text)
    if isinstance(address, ipaddress.IPv6Address):
        return f"[{address}]"
    return str(address) if address else text


def _ip(host: str) -> _Address | None:
    """Read an address: IPv6 in brackets, IPv4 in one to four parts of decimal, hex or octal numbers."""
    if host.startswith("["):
        try:
            return ipaddress.IPv6Address(host.strip("[]").split("%")[0])
        except ValueError:
            return None
    parts = host.split(".")
    if len(parts) > 4:
        return None
    numbers = [_number(part) for part in parts]
    if any(number is None for number in numbers):
        return None
    value = 0
    *leading, last = (number for number in numbers if number is not None)
    for number in leading:
        if number > 255:
            return None
        value = value * 256 + number
    value = value * 256 ** (4 - len(leading)) + last
    return ipaddress.IPv4Address(value) if value < 1 << 32 else None


def _number(text: str) -> int | None:
    for pattern, base in ((r"0x[0-9a-f]*", 16), (r"0[0-7]*", 8), (r"[1-9][0-9]*", 10)):
        if re.fullmatch(pattern, text):
            digits = text[2:] if base == 16 else text
            return int(digits or "0", base)
    return None


def _embedded(address: _Address) -> list[_Address]:
    """Give the address and the IPv4 ones that it carries: mapped, compatible, 6to4, NAT64."""
    found: list[_Address] = [address]
    if isinstance(address, ipaddress.IPv6Address):
        found += [carried for carried in (address.ipv4_mapped, address.sixtofour) if carried is not None]
        if address in _NAT64 or int(address) >> 32 == 0:
            found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return found


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _shown(url: str) -> str:
    """Quote an address for an error: one line, bounded, as Python writes it."""
    return ascii(url if len(url) <= 200 else url[:199] + "…")
