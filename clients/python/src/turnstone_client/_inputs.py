"""What callers pass in, as the contract has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any, TypeAlias, TypedDict, cast

from .models import Turn

Instant: TypeAlias = datetime | str
"""A ``datetime`` with a time zone, or RFC 3339 as ``2026-01-05T09:30:00Z``."""


class _TurnRequired(TypedDict):
    role: str
    text: str


class TurnDict(_TurnRequired, total=False):
    """A ``Turn`` as a dictionary."""

    timestamp: Instant
    observations: list[str]


TurnLike: TypeAlias = Turn | TurnDict


def instant(value: Instant | None) -> str | None:
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError("A datetime without a time zone names no instant: give it one, as datetime.now(timezone.utc).")
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def turn_body(turn: TurnLike) -> dict[str, Any]:
    """Of the form that is sent. What it holds is left for the service to judge, which tells all faults at once."""
    members: dict[str, Any] = turn.model_dump(exclude_none=True) if isinstance(turn, Turn) else {**turn}
    timestamp = members.get("timestamp")
    members["timestamp"] = instant(datetime.now(timezone.utc) if timestamp is None else timestamp)
    return members


def turn_bodies(turns: TurnLike | Iterable[TurnLike]) -> list[dict[str, Any]]:
    if isinstance(turns, Turn):
        return [turn_body(turns)]
    if isinstance(turns, Mapping):
        return [turn_body(cast(TurnDict, turns))]
    return [turn_body(turn) for turn in turns]


def given(value: str | None, default: str | None) -> str | None:
    """An empty name is one too: the service says what it makes of it, nobody else's memory is taken instead."""
    return default if value is None else value


def without_none(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
