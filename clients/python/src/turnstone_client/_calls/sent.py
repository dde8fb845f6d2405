"""What callers send as a whole: turns and filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias, TypedDict

from pydantic import BaseModel, ConfigDict

FilterValue: TypeAlias = str | int | float | bool


class FilterEq(TypedDict):
    key: str
    eq: FilterValue


FilterIn = TypedDict("FilterIn", {"key": str, "in": Sequence[FilterValue]})


class FilterGt(TypedDict):
    key: str
    gt: str | float


class FilterGte(TypedDict):
    key: str
    gte: str | float


class FilterLt(TypedDict):
    key: str
    lt: str | float


class FilterLte(TypedDict):
    key: str
    lte: str | float


class FilterExists(TypedDict):
    key: str
    exists: bool


class FilterAll(TypedDict):
    all: Sequence[Filter]


class FilterAny(TypedDict):
    any: Sequence[Filter]


FilterNot = TypedDict("FilterNot", {"not": "Filter"})

Filter: TypeAlias = (
    FilterEq | FilterIn | FilterGt | FilterGte | FilterLt | FilterLte | FilterExists | FilterAll | FilterAny | FilterNot
)
"""What the metadata of a write has to say: ``{"key": "agent_id", "eq": "planner"}``, combined by all, any and not."""


class Turn(BaseModel):
    """One thing said.

    ``timestamp`` is when it was said; default: now. A turn of the same role, text and instant is neither stored nor
    billed twice. A ``datetime`` needs a time zone; a string is RFC 3339, in UTC if it has no offset.
    ``observations`` are facts that you know about the turn, recallable as soon as it is; a mapping has a ``text``
    and may have ``attribute``, ``about``, ``value``, ``subject``, ``valid_from``,
    ``ended`` and ``stance``.
    """

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    role: str
    text: str
    timestamp: datetime | str | None = None
    observations: Sequence[str | Mapping[str, object]] | None = None
