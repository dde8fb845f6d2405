"""When to retry a request, as the contract recommends."""

from __future__ import annotations

from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from ..errors import ErrorCode

PAUSES = (0.5, 1.0)
"""Seconds before the second and the third attempt."""
TRANSIENT: frozenset[ErrorCode] = frozenset({"unavailable", "internal", "rate_limited", "network", "timeout"})
"""Errors after which a retry may succeed. A quota's 429 lasts until 00:00 UTC."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds between two attempts at a stream, unless the service asks for more."""

LONGEST_WAIT = (2**31 - 1) / 1_000
"""Maximum seconds of any wait, 24.8 days: some timers support no more."""


def wait_of(pause: float, retry_after: float | None) -> float:
    """At least the pause, and at least what the service asks for."""
    return min(max(pause, retry_after or 0.0), LONGEST_WAIT)


def pause_before_retry(attempt: int) -> float | None:
    """Seconds to wait after an attempt (0 is the first), unless the service asks for more; None after the last one."""
    return PAUSES[attempt] if attempt < len(PAUSES) else None


def pause_before_reconnect(failures: int, told: float | None) -> float:
    """Seconds to wait before a reconnect: as the stream ``told``, doubled after each failure."""
    first = 1.0 if told is None else max(told, SHORTEST_PAUSE)
    return min(first * float(1 << min(failures, 16)), LONGEST_PAUSE)


def parse_retry_after(header: str | None, now: datetime | None = None) -> float | None:
    """Seconds that a ``Retry-After``, possibly a date, asks for; None if it is missing or invalid."""
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
