"""When a request is sent again: the contract's guidance for clients."""

from __future__ import annotations

from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from .errors import ErrorCode

PAUSES = (0.5, 1.0)
"""Seconds before the second and the third attempt."""
TRANSIENT: frozenset[ErrorCode] = frozenset({"unavailable", "internal", "rate_limited", "network", "timeout"})
"""A call that ended so may succeed where it is made again. A quota's 429 stays until 00:00 UTC."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds between two attempts at a stream, unless the service asks for more."""

LONGEST_WAIT = (2**31 - 1) / 1_000
"""Seconds, of any wait: 24.8 days. Not every timer knows more."""


def wait_of(pause: float, retry_after: float | None) -> float:
    """At least the pause, and at least what the service asks for."""
    return min(max(pause, retry_after or 0.0), LONGEST_WAIT)


def pause_before_retry(attempt: int) -> float | None:
    """Seconds to wait after the given attempt (0 is the first), or as the service asks; None: it was the last."""
    return PAUSES[attempt] if attempt < len(PAUSES) else None


def pause_before_reconnect(failures: int, told: float | None) -> float:
    """Seconds to wait when a stream broke off: as it ``told``, and twice as long after each failure to get it back."""
    first = 1.0 if told is None else max(told, SHORTEST_PAUSE)
    return min(first * float(1 << min(failures, 16)), LONGEST_PAUSE)


def parse_retry_after(header: str | None, now: datetime | None = None) -> float | None:
    """Seconds that a ``Retry-After`` asks for, which may name a date; None where it says nothing of use."""
    if not header:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        until = parsedate_to_datetime(header)
        if until.tzinfo is None:
            until = until.replace(tzinfo=timezone.utc)
        return max(0.0, (until - (now or datetime.now(timezone.utc))).total_seconds())
    except (ValueError, OverflowError):
        return None
