"""Words and shapes that tell how a run went. Owns the vocabulary of failure, success, totals and exit status.

Works on single lines of any tool's output. Knows no format as a whole and nothing of views. Every test first looks
for letters without which its pattern cannot match: most lines are told by that, at a tenth of the cost.
"""

import re
from collections.abc import Iterable

_HARD_WORDS = (
    "error|errors|err|fatal|panic|panicked|exception|exceptions|traceback|failed|failure|failures|failing|fail|fails|"
    "abort|aborted|aborting|killed|segfault|segv|sigsegv|sigabrt|sigkill|sigterm|sigbus|sigfpe|segmentation fault|"
    "core dumped|oom|out of memory|crash|crashed|crashes|crashing|deadlock|corrupt|corrupted|corruption|critical|"
    "crit|alert|emerg|emergency|severe|broken|assert|assertion|assertionerror|bus error|stack overflow|"
    "undefined reference|no space left|disk full|data loss"
).split("|")
_SOFT_WORDS = (
    "warn|warning|warnings|denied|refused|refusing|rejected|reject|unable|cannot|can not|can't|couldn't|could not|"
    "won't|will not|didn't|did not|not found|no such|undefined|unresolved|timed out|timed-out|time out|timeout|"
    "invalid|illegal|unexpected|missing|conflict|conflicts|unreachable|unavailable|unknown|unsupported|not supported|"
    "not permitted|not allowed|not in scope|not match|lost|dropped|skipped|skipping|retry|retrying|retries|"
    "deprecated|forbidden|unauthorized|mismatch|incompatible|expired|stale|violation|violations|leak|leaked|stopped|"
    "stopping|terminated|disabled|reset by peer|exceed|exceeds|exceeded|overflow|bad|wrong|malformed|unhandled|"
    "uncaught|vulnerability|vulnerabilities|break-in|breakin|not ok|please|must|hint"
).split("|")
_SIGNS = "✗✘✖×❌✕"


def _words(words: Iterable[str]) -> str:
    """Match one of the words, but not as a part of a path or a dotted name."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return r"(?<![\w./\\-])(?:" + "|".join(longest_first) + r")(?![\w/\\-]|\.\w)"


def _letters(words: Iterable[str]) -> tuple[str, ...]:
    """Give the words of which none holds another: a text with one of ``words`` in it has one of these in it."""
    short: list[str] = []
    for word in sorted(words, key=lambda word: (len(word), word)):
        if not any(other in word for other in short):
            short.append(word)
    return tuple(short)


_HARD = re.compile(
    rf"{_words(_HARD_WORDS)}|[{_SIGNS}]"
    r"|\[(?:e|f|fail|error)\]|^\s*e  "
)
_CAMEL = re.compile(r"[a-z](?:Error|Exception|Failure|Fault|Panic)\b")
_SOFT = re.compile(_words(_SOFT_WORDS))
_FAILURE = (
    *_letters([*_HARD_WORDS, *_SOFT_WORDS, "error", "exception", "failure", "fault", "panic"]),
    *_SIGNS,
    "[e]",
    "[f]",
    "e  ",
)
# What a negative or zero count makes harmless, taken out before looking for failure.
_HARMLESS = re.compile(
    r"\b(?:0|no|zero|without(?: any)?)[ -](?:\w+ ){0,2}?(?:errors?|failures?|failed|warnings?|problems?|issues?)\b"
    r"|\b(?:errors?|failures?|failed|warnings?|fail|failing)[\"']?\s?[:=]\s?[\"']?(?:0\b"
    r"|(?:null|none|false|no|nil)(?=[\"']?\s*(?:$|[,;)}\]])))"
    r"|\b(?:fail|error)[-_]?(?:fast|over|on|ok)\b|-w\w*error\b|\bset -e\b"
    r"|\berrors?[-_.](?:js|ts|py|go|rs|c|h|cc|cpp|rb|java|log|html?|txt|o|md|tsx|prone\w*|annotations)\b"
    r"|\b(?:xfail|xfailed|ignore_errors?|errorlevel|stderr|strerror|perror|on_?error|failsafe)\b"
)
# A long line is prose or data: words of failure count at its start, further on only named errors and shouting.
_LONG, _START = 200, 140
_NAMED = re.compile(r"\b(?:[A-Za-z]\w*(?:Error|Exception)|ERROR|FATAL|FAILED|PANIC|CRITICAL)\b")

_EXIT = re.compile(
    r"\b(?:exit(?:ed|s|ing)?|return(?:ed)?|terminated|finished|completed)(?: (?:with|by|because of))?"
    r"(?: (?:a |an )?(?:non-zero |abnormal )?(?:exit |return )?(?:code|status|signal|value|state))?[ :=]+\"?-?\d+\b"
    r"|\b(?:exit|return|status|error)[_ -]?(?:code|status)\b\S{0,3}\s*[\"']?-?\d+|exit_?code|\bnon-zero exit"
    r"|\bexit(?:ed|s)? (?:status|code|abnormally)\b|^make(?:\[\d+\])?: \*\*\*"
)
_CLEAN = re.compile(r"[ :=\"']0\b[\"'.)\]]*\s*$")
_EXIT_LETTERS = ("exit", "return", "terminated", "finished", "completed", "status", "error", "***")

_PLACE = re.compile(r"\s*(?:-->\s*)?(?:[A-Za-z]:\\)?[^\s:(\"]+\.\w{1,8}[:(]\d+")

_COUNTED = (
    "passed|passing|failed|failing|failures?|errors?|skipped|pending|ignored|warnings?|tests?|todo|flaky|problems?|"
    "examples?|assertions?|specs?|suites?|runs?|upgraded|newly installed|vulnerabilities|packages?|files? changed|"
    "insertions|deletions|to remove|not upgraded|matches|issues?|checks"
)
_TOTAL = re.compile(
    rf"\b\d[\d,.]* (?:\w+ )?(?:{_COUNTED})\b"
    r"|\b(?:tests? run|tests|suites|ran|passed|failed|totals?|summary|result|coverage|duration|errors found)"
    r"[:=]\s*\S*\d"
    r"|\bran \d+ tests?\b|\btest result:|^\s*(?:ok|failed|fail|pass|success)\b.{0,40}$|\bbuild (?:success|fail)"
    r"|\b(?:build|job|deploy\w*|tests?|compilation|install\w*|script|run) (?:has )?"
    r"(?:succeeded|failed|passed|completed|finished|successful(?:ly)?|errored)\b"
    r"|\bsuccessfully \w+|\bfetched \d|\bdisk space\b|\b(?:apply|plan|destroy)(?: complete)?[:!]"
    r"|\bfinished\b.{0,60}\bin\b|\bcompiled (?:successfully|with)\b|\btotal (?:time|reclaimed|tests?|coverage|\w+):"
    r"|\bfound \d+ |aborting due to|={5,} .*\b(?:in|seconds?)\b.* ={5,}|^(?:to|from) \S+[:/]\S+|done\.?$|\*\*\*.+\*\*\*"
)
_TOTAL_LETTERS = (
    "passed passing fail error skipped pending ignored warning test todo flaky problem example assertion spec "
    "suite run upgraded installed vulnerab package changed insertions deletions remove matches issue checks ran total "
    "summary result coverage duration ok pass success build job deploy compil install script fetched space apply plan "
    "destroy finished found aborting === to from done ***"
).split()

_PASS = re.compile(
    r"^\s*(?:[✔✓√]|ok\b(?! \d+ .*# (?:TODO|SKIP))|PASS(?:ED)?\b|--- PASS|=== RUN|\[ *(?:OK|PASSED|RUN) *\])"
    r"|\b(?:PASSED|PASS|ok|OK|SUCCESS)\s*(?:\[ *\d+ ?%\]|\(?\d[\d.]* ?m?s\)?)?\s*$|\s\.\.\. ok$"
)
_PASS_LETTERS = ("ok", "OK", "PASS", "SUCCESS", "RUN", "✔", "✓", "√")


def failure(line: str) -> int:
    """Tell how loudly a line speaks of failure: 3 an error, 2 a trouble or warning, 0 not at all."""
    text = line if len(line) <= _LONG else line[:_START] + " ".join(_NAMED.findall(line[_START:4000]))
    text = text.lower()
    if not _has(_FAILURE, text):
        return 0
    text = _HARMLESS.sub(" ", text)
    if _HARD.search(text) or _CAMEL.search(line[:4000]):
        return 3
    return 2 if _SOFT.search(text) else 0


def is_exit(line: str) -> bool:
    """Tell a line that gives an exit status."""
    text = line[-600:].lower()
    return _has(_EXIT_LETTERS, text) and _EXIT.search(text) is not None


def is_clean_exit(line: str) -> bool:
    """Tell the exit status of something that went well."""
    return _CLEAN.search(line[-200:].lower()) is not None


def has_place(line: str) -> bool:
    """Tell a line that begins with a file and a line in it, as compilers put it."""
    return _PLACE.match(line) is not None


def is_total(line: str) -> bool:
    """Tell a line that sums up a run: counts, a result, a duration."""
    text = line[:400].lower()
    return _has(_TOTAL_LETTERS, text) and _TOTAL.search(text) is not None


def is_pass(line: str) -> bool:
    """Tell a line that says only that one thing went well."""
    text = line[:400]
    return _has(_PASS_LETTERS, text) and _PASS.search(text) is not None


def _has(letters: Iterable[str], text: str) -> bool:
    return any(map(text.__contains__, letters))
