"""What callers pass in, as the contract has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, TypeAlias, TypedDict

from .errors import TurnstoneError
from .models import Turn

Instant: TypeAlias = datetime | str
"""A ``datetime`` with a time zone, or RFC 3339 as ``2026-01-05T09:30:00Z``."""


class _TurnRequired(TypedDict):
    role: str
    text: str


class TurnDict(_TurnRequired, total=False):
    """A ``Turn`` as a dictionary."""

    timestamp: Instant
    observations: Sequence[str | Mapping[str, str]]


TurnLike: TypeAlias = Turn | TurnDict | Mapping[str, object]
"""A mapping has the members of a ``Turn``."""


def unusable(message: str) -> TurnstoneError:
    return TurnstoneError(message, code="invalid")


def instant(value: Instant | None) -> str | None:
    if not isinstance(value, datetime):
        return value
    if value.utcoffset() is None:
        raise unusable("A datetime without a time zone names no instant: give it one, as datetime.now(timezone.utc).")
    try:
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except OverflowError:
        raise unusable("A datetime of the first or the last day of all has no UTC.") from None


def turn_body(turn: TurnLike) -> dict[str, Any]:
    """Of the form that is sent. What it holds is left for the service to judge, which tells all faults at once.

    But not its names: the service leaves out what it does not know, and a time that was misspelt would be now.
    """
    if isinstance(turn, Turn):
        members = turn.model_dump(exclude_none=True)
    elif isinstance(turn, Mapping):
        members = {**turn}
    else:
        raise unusable("A turn is a Turn, or a mapping with its members.")
    unknown = members.keys() - Turn.model_fields.keys()
    if unknown:
        raise unusable(f"A turn has no {', '.join(sorted(map(str, unknown)))}.")
    timestamp: Any = members.get("timestamp")
    members["timestamp"] = instant(datetime.now(timezone.utc) if timestamp is None else timestamp)
    return members


def turn_bodies(turns: TurnLike | Iterable[TurnLike]) -> list[dict[str, Any]]:
    if isinstance(turns, (Turn, Mapping)) or not isinstance(turns, Iterable):
        return [turn_body(turns)]
    return [turn_body(turn) for turn in turns]


def given(value: str | None, default: str | None) -> str | None:
    """An empty name is one too: the service says what it makes of it, nobody else's memory is taken instead."""
    return default if value is None else value


def in_utf8(text: str) -> str:
    """The text, which a path or a query needs to have UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise unusable("Half of a surrogate pair has no place in an address.") from None
    return text


def without_none(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
