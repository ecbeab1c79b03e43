"""Finding secrets before anything is written. Owns the rules; knows no store. On the start-up path.

A text that holds none of the marks in `_MARKS` is clean without a regular expression being compiled. What is
reported of a secret is its rule and place, never its text.
"""

from caveman_mem.errors import SecretFound

POLICIES = ("refuse", "mask", "allow")

# Every rule below needs one of these in the text, in lower case.
_MARKS = (
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "akia", "asia", "xox", "sk-", "sk_", "rk_",
    "aiza", "ya29.", "eyj", "npm_", "pypi-", "hf_", "sg.", "private key", "bearer", "basic ", "://", "passw", "pwd",
    "secret", "token", "key", "credential",
)  # fmt: skip

_RULES = (
    ("private-key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"),
    ("github-token", r"\b(gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,})"),
    ("gitlab-token", r"\b(glpat-[\w-]{20,})"),
    ("aws-access-key", r"\b((?:AKIA|ASIA)[A-Z0-9]{16})\b"),
    ("slack-token", r"\b(xox[abeoprs]-[\w-]{10,})"),
    ("stripe-key", r"\b([sr]k_(?:live|test)_[A-Za-z0-9]{16,})"),
    ("api-key", r"\b(sk-(?:ant-|proj-)?[\w-]{20,})"),
    ("google-api-key", r"\b(AIza[\w-]{30,}|ya29\.[\w-]{20,})"),
    ("json-web-token", r"\b(eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,})"),
    (
        "package-token",
        r"\b(npm_[A-Za-z0-9]{30,}|pypi-[\w-]{40,}|hf_[A-Za-z0-9]{30,}|SG\.[\w-]{16,}\.[\w-]{16,})",
    ),
    ("bearer-token", r"(?i:\b(?:bearer|basic)\s+)([\w.~+/=-]{20,})"),
    ("url-password", r"\b[A-Za-z][\w+.-]*://[^\s/:@]*:([^\s/@]{3,})@"),
)
_ASSIGNED = (
    r"(?i:(?:passw(?:or)?d|passphrase|pwd|secret|token|credential|(?:api|access|private|signing|encryption)[_ -]?key)"
    r"\w*[\"']?\s*(?:[:=]+>?|\bis\b)\s*)[\"'`]?([^\s\"'`,;]{8,})"
)
# Values that stand for a secret without being one.
_PLACEHOLDER = ("$", "<", "{", "%", "*", "xxx", "...", "your", "example", "changeme")


def screen(text: str, policy: str) -> str:
    """Give the text as it may be stored under a policy: ``refuse``, ``mask`` or ``allow``.

    Raises:
        SecretFound: the policy is refuse and there is one.
    """
    if policy == "allow" or not suspicious(text):
        return text
    found = find(text)
    if not found:
        return text
    if policy == "refuse":
        rule, start, _ = found[0]
        line = text.count("\n", 0, start) + 1
        raise SecretFound(
            f"this looks like a secret: {rule}",
            where=f"line {line}, character {start - text.rfind(chr(10), 0, start)}",
            hint="--mask stores the fact with the secret masked, --allow-secret stores it as it stands",
        )
    for rule, start, end in reversed(found):
        text = f"{text[:start]}[masked: {rule}]{text[end:]}"
    return text


def suspicious(text: str) -> bool:
    """Tell whether it is worth running the rules."""
    lower = text.lower()
    for mark in _MARKS:  # noqa: SIM110 - every fact of an import passes here
        if mark in lower:
            return True
    return False


def find(text: str) -> list[tuple[str, int, int]]:
    """Give (rule, start, end) of each secret's own characters, in order, without overlaps."""
    import re

    spans: list[tuple[int, int, str]] = []
    for rule, pattern in _RULES:
        matches = re.finditer(pattern, text, re.DOTALL if rule == "private-key" else 0)
        spans += [
            (*match.span(1), rule) for match in matches if rule != "url-password" or not _stands_for(match[1])
        ]
    spans += [
        (*match.span(1), "secret-assignment") for match in re.finditer(_ASSIGNED, text) if _random(match[1])
    ]
    out: list[tuple[str, int, int]] = []
    for start, end, rule in sorted(spans):
        if not out or start >= out[-1][2]:
            out.append((rule, start, end))
    return out


def _stands_for(value: str) -> bool:
    """Tell a placeholder from a value."""
    lower = value.lower()
    return any(mark in lower for mark in _PLACEHOLDER)


def _random(value: str) -> bool:
    """Tell a made-up value from a word, a path or a placeholder: mixed characters of high entropy."""
    from math import log2

    value = value.rstrip(".)")
    if len(value) < 8 or _stands_for(value) or value.startswith(("/", "./", "~/", "http")):
        return False
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    bits = -sum(n / len(value) * log2(n / len(value)) for n in map(value.count, set(value)))
    return mixed and bits >= (2.8 if len(value) < 20 else 3.2)
