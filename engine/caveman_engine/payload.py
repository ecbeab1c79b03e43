"""One parsed look at the input: text, lines with their own ends, colour codes, wrappers, gutters.

Owns decoding and presentation. Knows no content type. The store keeps the raw bytes; everything here is for
the view only.
"""

import re
from dataclasses import dataclass, field
from itertools import chain, pairwise

# CSI ... final byte, OSC ... BEL or ST, character sets such as ESC ( B, and two-byte escapes (ECMA-48, ECMA-35).
ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[@-Z\\-_=>78])")
_CURSOR = re.compile(r"\x1b\[(?:\d*[AFGK]|[12]J)")
_UP = re.compile(r"\x1b\[(\d*)[AF]")
# What goes back to the first column, and what then or anywhere makes the line empty up to the cursor.
_HOME = re.compile(r"\x1b\[[01]?G")
_ERASED = re.compile(r"\x1b\[[12]K|\r\x1b\[0?K")
_GUTTER = re.compile(r"\s{0,8}(\d{1,7})(?:→|\t| ?[|│] ?)")
_OPEN_TAG = re.compile(r"\s*<(file|document|file_content|output|content)\b[^<>\n]*>\s*\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Payload:
    """The input as a reader sees it.

    ``text`` is the body: all lines with their ends, without gutter and wrapper.
    ``lines`` have no line end and no gutter; ``ends[i]`` is the end of line i as it stood ("" for a last line
    without one); ``gutters[i]`` is its line-number gutter or "". ``head`` and ``tail`` are wrapper lines that the
    pipeline puts round the view unchanged. ``first_line`` is the source number of ``lines[0]``.
    """

    raw: bytes
    encoding: str
    text: str = field(repr=False)
    lines: list[str] = field(repr=False)
    ends: list[str] = field(repr=False)
    gutters: list[str] | None = field(default=None, repr=False)
    head: str = ""
    tail: str = ""
    coloured: bool = False

    @property
    def first_line(self) -> int:
        """Give the number, counted from 1, that the first line of the body has in the source."""
        return 1 + self.head.count("\n")

    def shown(self, index: int) -> str:
        """Give line ``index`` as it stands in the source: gutter, text, own end."""
        gutter = self.gutters[index] if self.gutters else ""
        return gutter + self.lines[index] + self.ends[index]

    def number(self, index: int) -> int:
        """Give the source's number of line ``index``: the gutter's own where there is one."""
        if self.gutters and (found := _GUTTER.match(self.gutters[index])):
            return int(found[1])
        return self.first_line + index


def is_binary(data: bytes) -> bool:
    """Tell bytes that are no text in any encoding known here: NULs that neither UTF-16 nor a stray one explains."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return False
    sample = data[:65536]
    nuls = sample.count(b"\x00")
    if not nuls or _utf16_guess(sample):
        return False
    if nuls * 100 > len(sample):
        return True
    try:
        sample[: sample.rfind(b"\n") + 1].decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _utf16_guess(sample: bytes) -> str | None:
    """Recognise UTF-16 without a byte order mark by where its zero bytes stand and by what it then says."""
    half = len(sample) // 2
    if half < 4:
        return None
    even, odd = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    name = "utf-16-le" if odd > 0.4 and even < 0.05 else "utf-16-be" if even > 0.4 and odd < 0.05 else None
    if name is None:
        return None
    text = sample[: 2 * min(half, 500)].decode(name, "replace")
    readable = sum(char.isprintable() or char.isspace() for char in text)
    return name if readable > 0.9 * len(text) else None


def decode(data: bytes) -> tuple[str, str]:
    """Give the text for the view and the encoding's name. Total: a stray byte becomes U+FFFD or Latin-1."""
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace"), "utf-8-sig"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace"), "utf-16"
    if b"\x00" in data[:65536] and (guess := _utf16_guess(data[:65536])):
        return data.decode(guess, "replace"), guess
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    text = data.decode("utf-8", "replace")
    # Mostly sound UTF-8 with a stray byte shows U+FFFD; text full of them was Latin-1.
    high = sum(1 for char in text[:200_000] if char > "\x7f")
    if text[:200_000].count("\ufffd") * 2 > high > 4:
        return data.decode("latin-1"), "latin-1"
    return text, "utf-8"


def parse(data: bytes) -> Payload:
    """Look at ``data`` once. Binary input must be sorted out with `is_binary` before."""
    text, encoding = decode(data)
    text, coloured = _plain(text)
    lines, ends = _split(text)
    head, tail, lines, ends = _unwrap(lines, ends)
    gutters, lines = _take_gutter(lines)
    if head or gutters:
        text = "".join(chain.from_iterable(zip(lines, ends, strict=True)))
    return Payload(data, encoding, text, lines, ends, gutters, head, tail, coloured)


def from_text(text: str) -> Payload:
    """Make the payload of a text that came out of another one, such as JSON inside a string."""
    lines, ends = _split(text)
    return Payload(text.encode("utf-8", "surrogatepass"), "utf-8", text, lines, ends)


def _split(text: str) -> tuple[list[str], list[str]]:
    r"""Cut at \\n, \\r\\n and lone \\r, keeping each line's own end."""
    if "\r" not in text:
        lines = text.split("\n")
        ends = ["\n"] * len(lines)
        ends[-1] = ""
    else:
        parts = re.split(r"(\r\n|\n|\r)", text)
        lines, ends = parts[0::2], [*parts[1::2], ""]
    if lines and not lines[-1]:
        lines.pop()
        ends.pop()
    return lines, ends


def _plain(text: str) -> tuple[str, bool]:
    """Resolve redraws and take colour codes out; say whether there were any."""
    coloured = "\x1b" in text
    if coloured and _CURSOR.search(text) is not None:
        text = _resolve_cursor(text)
    if coloured:
        text = ANSI.sub("", text)
    if "\r" in text:
        text = _resolve_returns(text)
    if "\b" in text:
        text = re.sub(r"[^\b\n]\x08", "", text)
    return text, coloured


def _resolve_returns(text: str) -> str:
    r"""Show the last state of each line that was redrawn with a bare carriage return.

    A text whose only line ends are lone \\r (old Mac files) has no \\n to redraw within: it is left alone, unless
    its pieces are redraws of one progress line.
    """
    bare = len(re.findall(r"\r(?!\n)", text))
    if not bare:
        return text
    if "\n" not in text and not _looks_redrawn(text):
        return text
    out = []
    for line in text.split("\n"):
        body, end = (line[:-1], "\r") if line.endswith("\r") else (line, "")
        if "\r" in body:
            pieces = [piece for piece in body.split("\r") if piece]
            body = pieces[-1] if pieces else ""
        out.append(body + end)
    return "\n".join(out)


_PROGRESS = re.compile(r"\d ?%|\d+/\d+|[█▏▎▍▌▋▊▉#=.]{3,}")


def _looks_redrawn(text: str) -> bool:
    """Tell redraws of one progress line: pieces with a share or a bar that differ in nothing else."""
    pieces = [piece for piece in text.split("\r") if piece.strip()][:50]
    if len(pieces) < 2 or not all(map(_PROGRESS.search, pieces[:-1])):
        return False
    shapes = {re.sub(r"[\d.#=>\-\s|/\\%█▏▎▍▌▋▊▉]+", "", piece) for piece in pieces}
    return len(shapes) <= max(1, len(pieces) // 3)


def _resolve_cursor(text: str) -> str:
    """Play cursor-up and erase codes over the lines before them, as a terminal would.

    ``ESC [ K`` clears what is right of the cursor: only after a return does that take anything away.
    """
    screen: list[str] = []
    row = 0
    for part in text.split("\n"):
        line = _HOME.sub("\r", part)
        row = max(0, row - sum(int(up[1] or 1) for up in _UP.finditer(line)))
        *before, line = _ERASED.split(line)
        if not line.strip("\r") and not _UP.search(part):
            # Nothing was written after it: the eye saw what stood there before the line was cleared.
            line = "".join(before) or line
        line = _CURSOR.sub("", line)
        if row >= len(screen):
            screen.append(line)
        elif line.strip("\r"):
            screen[row] = line
        row += 1
    return "\n".join(screen)


def _unwrap(lines: list[str], ends: list[str]) -> tuple[str, str, list[str], list[str]]:
    """Take one enclosing presentation tag off, when it is closed at the end."""
    if len(lines) < 3 or not (opened := _OPEN_TAG.match(lines[0])):
        return "", "", lines, ends
    last = len(lines) - 1
    while last > 0 and not lines[last].strip():
        last -= 1
    close = f"</{opened[1].lower()}>"
    if lines[last].strip().lower() != close or any(close in line.lower() for line in lines[1:last]):
        return "", "", lines, ends
    head = lines[0] + ends[0]
    tail = "".join(lines[i] + ends[i] for i in range(last, len(lines)))
    return head, tail, lines[1:last], ends[1:last]


def _take_gutter(lines: list[str]) -> tuple[list[str] | None, list[str]]:
    """Separate a line-number gutter when nearly all lines have one and the numbers rise."""
    if len(lines) < 5:
        return None, lines
    hits = [found for found in map(_GUTTER.match, lines[:200]) if found]
    if len(hits) < 0.9 * min(len(lines), 200) or _is_table(hits):
        return None, lines
    numbers = [int(found[1]) for found in hits]
    rising = sum(after == before + 1 for before, after in pairwise(numbers))
    if rising < 0.8 * (len(numbers) - 1):
        return None, lines
    matches = [_GUTTER.match(line) for line in lines]
    gutters = [found[0] if found else "" for found in matches]
    return gutters, [line[len(gutter) :] for line, gutter in zip(lines, gutters, strict=True)]


def _is_table(hits: list["re.Match[str]"]) -> bool:
    """Tell rows of a table whose first column counts: the bar or tab stands again in nearly every row."""
    for mark in ("|", "│", "\t"):
        again = sum(
            found[0].rstrip(" ").endswith(mark) and mark in found.string[found.end() :] for found in hits
        )
        if again > 0.9 * len(hits):
            return True
    return False
