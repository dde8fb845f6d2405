"""The steps that store the turns of one request, and the outcome of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .._calls import operations
from .._calls.call import listed
from .._calls.caller import Caller
from .._calls.inputs import Instant
from .._http.effects import Steps
from ..errors import TurnstoneError, faults_of, with_faults
from .queue import Entry

Stored: TypeAlias = "str | TurnstoneError | None"
"""The turn's id, None if it was written with ``write_active=False``; or the error if it is not stored."""


@dataclass(frozen=True)
class WriteOptions:
    write_active: bool | None
    write_passive: bool | None
    expires_at: Instant | None
    ttl_days: int | None
    metadata: Mapping[str, Any] | None = field(repr=False)


def store(caller: Caller, entries: list[Entry], options: WriteOptions) -> Steps[list[Stored]]:
    """If the service refuses some turns, the others are sent without them."""
    user, session = entries[0].scope
    call = operations.ingest(
        [entry.body for entry in entries],
        user=user,
        session=session,
        write_active=options.write_active,
        write_passive=options.write_passive,
        expires_at=options.expires_at,
        ttl_days=options.ttl_days,
        session_title=None,
        metadata=options.metadata,
    )
    try:
        answer = yield from caller.call(call)
        ids = listed(answer, "active_fragment_ids")
    except TurnstoneError as error:
        refused = error
    else:
        return [ids[place] if place < len(ids) else None for place in range(len(entries))]
    by_turn = _by_turn(refused, len(entries))
    if by_turn:
        others = [entry for place, entry in enumerate(entries) if place not in by_turn]
        rest = iter((yield from store(caller, others, options)) if others else [])
        return [by_turn.get(place) or next(rest) for place in range(len(entries))]
    if refused.code == "too_large" and len(entries) > 1:
        half = (len(entries) + 1) // 2
        first = yield from store(caller, entries[:half], options)
        return first + (yield from store(caller, entries[half:], options))
    return [refused] * len(entries)


def _by_turn(error: TurnstoneError, turns: int) -> dict[int, TurnstoneError]:
    """A refusal's errors by the turn's index; empty if it is not only about single turns."""
    faults = faults_of(error.details) if error.code in ("malformed", "invalid") else []
    by_turn: dict[int, list[dict[str, Any]]] = {}
    for fault in faults:
        loc = fault["loc"]
        if len(loc) < 3 or loc[1] != "turns" or type(loc[2]) is not int or not 0 <= loc[2] < turns:
            return {}
        by_turn.setdefault(loc[2], []).append({**fault, "loc": ["turn", *loc[3:]]})
    return {
        place: TurnstoneError(
            with_faults("The turn was refused.", own),
            code=error.code,
            status=error.status,
            request_id=error.request_id,
            details={"errors": own},
        )
        for place, own in by_turn.items()
    }
