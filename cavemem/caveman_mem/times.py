"""Times as people and files write them. Nanoseconds UTC inside, RFC 3339 in the user's zone outside. Pure."""

from datetime import UTC, date, datetime, time, timedelta

from caveman_engine.errors import UsageError

_SECOND = 1_000_000_000
_UNITS = {"day": 1, "days": 1, "week": 7, "weeks": 7}


def shown(nanoseconds: int | None) -> str | None:
    """Give RFC 3339 in local time with all nine digits of the fraction that are not zero."""
    if nanoseconds is None:
        return None
    seconds, fraction = divmod(nanoseconds, _SECOND)
    at = datetime.fromtimestamp(seconds, UTC).astimezone()
    text = at.strftime("%Y-%m-%dT%H:%M:%S")
    zone = at.strftime("%z")
    digits = f".{fraction:09d}".rstrip("0") if fraction else ""
    return f"{text.zfill(19)}{digits}{zone[:3]}:{zone[3:5]}"


def exact(text: str) -> int:
    """Read what `shown` gives, to the nanosecond.

    Raises:
        ValueError: it is no RFC 3339 time with a zone.
    """
    head, _, tail = text.partition(".")
    digits = tail[: len(tail) - len(tail.lstrip("0123456789"))]
    at = datetime.fromisoformat(head + tail[len(digits) :])
    if at.tzinfo is None or len(digits) > 9:
        raise ValueError(text)
    return nanoseconds(at) + int(digits.ljust(9, "0") or 0)


def nanoseconds(at: datetime) -> int:
    """Give an aware datetime as nanoseconds UTC.

    Raises:
        UsageError: it has no zone.
    """
    if at.tzinfo is None:
        raise UsageError(f"{at} has no time zone", hint="datetime.now().astimezone(), or tzinfo=UTC")
    delta = at - datetime(1970, 1, 1, tzinfo=UTC)
    return (delta.days * 86400 + delta.seconds) * _SECOND + delta.microseconds * 1000


def moment(value: "str | date | datetime", now: int, *, end: bool = False) -> int:
    """Read a time: a datetime, a date, or text such as ``2026-03-04``, ``yesterday``, ``3 days ago``, RFC 3339.

    A day means its beginning in the user's zone; with ``end`` the beginning of the day after it.

    Raises:
        UsageError: it is no time.
    """
    if isinstance(value, datetime):
        return nanoseconds(value)
    if isinstance(value, date):
        return _midnight(value + timedelta(days=end))
    text = value.strip().lower()
    today = datetime.fromtimestamp(now / _SECOND, UTC).astimezone().date()
    named = {"today": 0, "yesterday": 1, "tomorrow": -1}.get(text)
    words = text.split()
    if len(words) == 3 and words[1] in _UNITS and words[2] == "ago" and words[0].isdecimal():
        named = int(words[0][:10]) * _UNITS[words[1]]
    if text == "now":
        return now
    try:
        if named is not None:
            return _midnight(today - timedelta(days=named) + timedelta(days=end))
        if len(text) == 10:
            return _midnight(date.fromisoformat(text) + timedelta(days=end))
        return nanoseconds(datetime.fromisoformat(value.strip()).astimezone())
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"{value!r} is no time", hint="2026-03-04, 2026-03-04T09:30, yesterday, '3 days ago', now"
        ) from None


def _midnight(day: date) -> int:
    return nanoseconds(datetime.combine(day, time()).astimezone())
