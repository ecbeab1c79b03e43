"""Words and shapes that tell how a run went. Owns the vocabulary of failure, totals, exit status and places.

Works on single lines of any tool's output. Knows no format as a whole and nothing of views.
"""

import re

# What a negative or zero count makes harmless, taken out before looking for failure.
_HARMLESS = re.compile(
    r"\b(?:0|no|zero|without(?: any)?)[ -](?:\w+ ){0,2}?(?:errors?|failures?|failed|warnings?|problems?|issues?)\b"
    r"|\b(?:errors?|failures?|failed|warnings?|fail|failing)[\"']?\s?[:=]\s?[\"']?(?:0\b|null|none|false|no\b|nil)"
    r"|\b(?:fail|error)[-_]?(?:fast|over|on|ok)\b|-W\w*error\b|\bset -e\b"
    r"|\berrors?[-_.](?:js|ts|py|go|rs|c|h|cc|cpp|rb|java|log|html?|txt|o|md|tsx|prone\w*|annotations)\b"
    r"|\b(?:xfail|xfailed|ignore_errors?|errorlevel|stderr|strerror|perror|on_?error|failsafe)\b",
    re.IGNORECASE,
)
_HARD = re.compile(
    r"\b(?:errors?|err|fatal|panic(?:ked)?|exceptions?|traceback|failed|failures?|failing|fail(?:s|ing)?|abort(?:ed|ing)?|"
    r"killed|segfault|segv|sig(?:segv|abrt|kill|term|bus|fpe)|segmentation fault|core dumped|oom|out of memory|"
    r"crash(?:ed|es|ing)?|deadlock|corrupt(?:ed|ion)?|critical|crit|alert|emerg(?:ency)?|severe|broken|"
    r"assert(?:ion)?(?:error)?|bus error|stack overflow|undefined reference|no space left|disk full|data loss)\b"
    r"|\b\w+(?:Error|Exception|Failure|Fault|Panic)\b|Error:|[✗✘✖×❌✕]|\[(?:E|F|FAIL|ERROR)\]|^\s*E  ",
    re.IGNORECASE,
)
_SOFT = re.compile(
    r"\b(?:warn(?:ings?)?|denied|refused|rejected|reject|unable|cannot|can ?not|can't|couldn't|could not|"
    r"won't|will not|didn't|did not|not found|no such|undefined|unresolved|timed?[ -]?out|timeout|invalid|illegal|unexpected|"
    r"missing|conflicts?|unreachable|unavailable|unknown|unsupported|not (?:supported|permitted|allowed|in scope|match)|"
    r"lost|dropped|skipp(?:ed|ing)|retry(?:ing)?|retries|deprecated|forbidden|unauthorized|mismatch|incompatible|"
    r"expired|stale|violations?|leak(?:ed)?|stopp(?:ed|ing)|terminated|disabled|reset by peer|exceed(?:s|ed)?|overflow|"
    r"refusing|bad|wrong|malformed|unhandled|uncaught|vulnerabilit(?:y|ies)|break-?in|not ok|please|must|hint)\b",
    re.IGNORECASE,
)
_EXIT = re.compile(
    r"\b(?:exit(?:ed|s|ing)?|return(?:ed)?|terminated|finished|completed)(?: (?:with|by|because of))?(?: (?:a |an )?(?:non-zero "
    r"|abnormal )?(?:exit |return )?(?:code|status|signal|value|state))?[ :=]+\"?-?\d+\b"
    r"|\b(?:exit|return|status|error)[_ -]?(?:code|status)\b\S{0,3}\s*[\"']?-?\d+|EXIT_?CODE|\bnon-zero exit|"
    r"\bexit(?:ed|s)? (?:status|code|abnormally)\b|^make(?:\[\d+\])?: \*\*\*",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"\b\d[\d,.]* (?:\w+ )?(?:passed|passing|failed|failing|failures?|errors?|skipped|pending|ignored|warnings?|tests?|"
    r"todo|flaky|problems?|examples?|assertions?|specs?|suites?|runs?|upgraded|newly installed|vulnerabilities|"
    r"packages?|files? changed|insertions|deletions|to remove|not upgraded|matches|issues?|checks)\b"
    r"|\b(?:tests? run|tests|suites|ran|passed|failed|total|totals|summary|result|coverage|duration|errors found)[:=]\s*\S*\d"
    r"|\bRan \d+ tests?\b|\btest result:|^\s*(?:OK|FAILED|FAIL|PASS|SUCCESS)\b.{0,40}$|\bBUILD (?:SUCCESS|FAIL)|"
    r"\b(?:build|job|deploy\w*|tests?|compilation|install\w*|script|run) (?:has )?(?:succeeded|failed|passed|completed|finished|"
    r"successful(?:ly)?|errored)\b|\bSuccessfully (?:\w+)|\bFetched \d|\bdisk space\b|\badded \d+ packages|"
    r"\b(?:Apply|Plan|Destroy)(?: complete)?[:!]|\bFinished\b.{0,60}\bin\b|\bcompiled (?:successfully|with)\b|"
    r"\bTotal (?:time|reclaimed|tests?|coverage|\w+):|\bFound \d+ |aborting due to|=====+ .*\b(?:in|seconds?)\b.* =====|"
    r"^(?:To|From) \S+[:/]\S+|done\.?$|\*\*\*.+\*\*\*",
    re.IGNORECASE,
)
_PASS = re.compile(
    r"^\s*(?:[✔✓√]|ok\b(?! \d+ .*# (?:TODO|SKIP))|PASS(?:ED)?\b|--- PASS|=== RUN|\[ *(?:OK|PASSED|RUN) *\])"
    r"|\b(?:PASSED|PASS|ok|OK|SUCCESS)\s*(?:\[ *\d+ ?%\]|\(?\d[\d.]* ?m?s\)?)?\s*$|^test .+ \.\.\. ok$|\s\.\.\. ok$",
)
LOCATION = re.compile(
    r"(?:[\w./~@+-]|:\\|\\)*[\w-]\.[A-Za-z]{1,5}(?::|\(|\", line )\d+(?:[:,]\d+)?\)?", re.ASCII
)
_COMMAND = re.compile(
    r"^\s*(?:\$|#|>|❯|➜|\+{1,3}|%) \S|^\S+@\S+[:~].*[$#] \S|\[COMMAND=|^\[command\]|^##\[(?:group|command)\]"
)
# A long line is prose or data: words of failure count at its start, further on only named errors and shouting.
_LONG, _START = 200, 140
_NAMED = re.compile(r"\b(?:[A-Za-z]\w*(?:Error|Exception)|ERROR|FATAL|FAILED|PANIC|CRITICAL)\b")
_WORD_NEAR = re.compile(r"[A-Za-z✗✘✖×❌✕]")


def failure(line: str) -> int:
    """Tell how loudly a line speaks of failure: 3 an error, 2 a trouble or warning, 0 not at all."""
    if not _WORD_NEAR.search(line):
        return 0
    text = line if len(line) <= _LONG else line[:_START] + " ".join(_NAMED.findall(line[_START:4000]))
    text = _HARMLESS.sub(" ", text)
    if _HARD.search(text):
        return 3
    return 2 if _SOFT.search(text) else 0


def is_exit(line: str) -> bool:
    """Tell a line that gives an exit status."""
    return _EXIT.search(line[-600:]) is not None


def is_total(line: str) -> bool:
    """Tell a line that sums up a run: counts, a result, a duration."""
    return _TOTAL.search(line[:400]) is not None


def is_pass(line: str) -> bool:
    """Tell a line that says only that one thing went well."""
    return _PASS.search(line[:400]) is not None


def is_command(line: str) -> bool:
    """Tell the echo of a command: a prompt or a tracing shell."""
    return _COMMAND.search(line[:200]) is not None


def has_location(line: str) -> bool:
    """Tell a line that names a file and a line in it."""
    return LOCATION.search(line[:600]) is not None
