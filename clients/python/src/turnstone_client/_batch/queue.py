"""Decides which turns of a batch are sent in one request, and when. Pure; the batches drive it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, TypeAlias

from ..errors import TurnstoneError

MOST_TURNS = 1_000
MOST_BYTES = 4 * 1024 * 1024 - 64 * 1024
"""For a request's turns: the service's limit, less the rest of the body."""

Scope: TypeAlias = tuple[str | None, str | None]
"""User and session."""


@dataclass(frozen=True)
class BatchLimits:
    max_turns: int
    max_age: float
    max_in_flight: int
    max_pending: int

    def __post_init__(self) -> None:
        if not 1 <= self.max_turns <= MOST_TURNS:
            raise TurnstoneError(f"max_turns must be from 1 to {MOST_TURNS}.", code="configuration")
        if not (self.max_age >= 0 and self.max_in_flight >= 1 and self.max_pending >= 1):
            message = "max_age must be at least 0, max_in_flight and max_pending at least 1."
            raise TurnstoneError(message, code="configuration")


@dataclass(frozen=True, eq=False)
class Entry:
    """One added turn."""

    index: int
    scope: Scope
    body: dict[str, Any] = field(repr=False)
    bytes: int
    added_at: float
    future: Any = field(repr=False)


class _Lane:
    """The turns of one scope, whose requests are sent one after another."""

    def __init__(self) -> None:
        self.waiting: deque[Entry] = deque()
        self.bytes = 0
        self.is_busy = False

    def is_full(self, max_turns: int) -> bool:
        return len(self.waiting) >= max_turns or self.bytes >= MOST_BYTES

    def take(self, max_turns: int) -> list[Entry]:
        taken: list[Entry] = []
        size = 0
        while self.waiting and len(taken) < max_turns:
            if taken and size + self.waiting[0].bytes > MOST_BYTES:
                break
            entry = self.waiting.popleft()
            size += entry.bytes
            taken.append(entry)
        self.bytes -= size
        return taken


class BatchQueue:
    def __init__(self, limits: BatchLimits) -> None:
        self.limits = limits
        self.pending = 0
        """Added turns that are not done."""
        self._announced = 0
        self._unsettled: dict[int, None] = {}
        self._in_flight = 0
        self._lanes: dict[Scope, _Lane] = {}
        # Idle lanes by their oldest turn. An entry is stale when its lane has sent that turn since.
        self._by_age: list[tuple[int, Scope]] = []
        self._full: dict[Scope, None] = {}
        self._hurried = -1

    @property
    def has_room(self) -> bool:
        return self.pending < self.limits.max_pending

    @property
    def may_send(self) -> bool:
        return self._in_flight < self.limits.max_in_flight

    def announce(self) -> int:
        """The index of a turn that will be added, possibly once there is room."""
        index = self._announced
        self._announced += 1
        self._unsettled[index] = None
        return index

    def withdraw(self, index: int) -> None:
        """Removes an announced turn that gave up waiting for room."""
        self._unsettled.pop(index, None)

    @property
    def newest(self) -> int:
        """The last announced index; -1 if there is none."""
        return self._announced - 1

    def is_settled(self, index: int) -> bool:
        """Whether all turns announced up to this index are done."""
        return next(iter(self._unsettled), index + 1) > index

    def add(self, entry: Entry) -> None:
        self.pending += 1
        lane = self._lanes.setdefault(entry.scope, _Lane())
        lane.waiting.append(entry)
        lane.bytes += entry.bytes
        if len(lane.waiting) == 1 and not lane.is_busy:
            self._rank(entry.scope, lane)
        if lane.is_full(self.limits.max_turns):
            self._full[entry.scope] = None

    def hurry(self, index: int) -> None:
        """Turns added up to this index no longer wait for others."""
        self._hurried = max(self._hurried, index)

    def take(self, now: float) -> list[Entry]:
        """The turns of the next request; none when nothing is due or the limit of requests is reached."""
        scope = self._due(now) if self.may_send else None
        if scope is None:
            return []
        lane = self._lanes[scope]
        taken = lane.take(self.limits.max_turns)
        if not lane.is_full(self.limits.max_turns):
            self._full.pop(scope, None)
        lane.is_busy = True
        self._in_flight += 1
        return taken

    def done(self, taken: list[Entry]) -> None:
        scope = taken[0].scope
        lane = self._lanes[scope]
        lane.is_busy = False
        self._in_flight -= 1
        self.pending -= len(taken)
        for entry in taken:
            self._unsettled.pop(entry.index, None)
        if lane.waiting:
            self._rank(scope, lane)
        else:
            del self._lanes[scope]

    def drop(self) -> list[Entry]:
        """Removes and returns all turns that are in no request."""
        dropped: list[Entry] = []
        for scope, lane in list(self._lanes.items()):
            dropped += lane.waiting
            lane.waiting.clear()
            lane.bytes = 0
            if not lane.is_busy:
                del self._lanes[scope]
        self._full.clear()
        self.pending -= len(dropped)
        for entry in dropped:
            self._unsettled.pop(entry.index, None)
        return dropped

    def due_in(self, now: float) -> float | None:
        """Seconds until the oldest waiting turn is due; None if no turn waits."""
        oldest = self._oldest()
        return None if oldest is None else max(0.0, oldest.added_at + self.limits.max_age - now)

    def _rank(self, scope: Scope, lane: _Lane) -> None:
        heappush(self._by_age, (lane.waiting[0].index, scope))

    def _due(self, now: float) -> Scope | None:
        for scope in self._full:
            if not self._lanes[scope].is_busy:
                return scope
        oldest = self._oldest()
        if oldest is None:
            return None
        has_waited = oldest.index <= self._hurried or now >= oldest.added_at + self.limits.max_age
        # When no more can be added, there is nothing to wait for.
        return oldest.scope if has_waited or not self.has_room else None

    def _oldest(self) -> Entry | None:
        while self._by_age:
            index, scope = self._by_age[0]
            lane = self._lanes.get(scope)
            if lane and not lane.is_busy and lane.waiting and lane.waiting[0].index == index:
                return lane.waiting[0]
            heappop(self._by_age)
        return None
