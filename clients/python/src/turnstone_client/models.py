"""Models of answers and turns. A test checks every member and type against the OpenAPI document.

Server and client may have different versions: an answer keeps members that the client doesn't know (``model_extra``), a
member that the server doesn't send is missing (``AttributeError``), and one of another type or outside its enumeration
stays unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, ClassVar, Literal, TypeAlias, TypedDict

from pydantic import BaseModel, ConfigDict, Field

Count: TypeAlias = Annotated[int, Field(ge=0)]
Days: TypeAlias = Annotated[int, Field(ge=1, le=36_500)]
HitKind: TypeAlias = Literal["turn", "observation", "entity"]
Holds: TypeAlias = Literal["now", "ever"]
Mode: TypeAlias = Literal["active", "deep"]
Order: TypeAlias = Literal["asc", "desc"]
Role: TypeAlias = Literal["*", "memory:write", "memory:read", "usage:read", "keys:manage"]
FilterValue: TypeAlias = str | int | float | bool
Source: TypeAlias = Literal["client", "rules", "llm"]


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


class Answer(BaseModel):
    """An answer of the service; immutable."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)


# ---- sent ------------------------------------------------------------------------------------------------


class Turn(BaseModel):
    """One thing said.

    ``timestamp`` is when it was said; default: now. A turn of the same role, text and instant is neither stored nor
    billed twice. A ``datetime`` needs a time zone; a string is RFC 3339, in UTC if it has no offset.
    ``observations`` are facts that you know about the turn, recallable as soon as it is; a mapping has a ``text``
    and may have ``attribute``, ``value``, ``subject``, ``valid_from`` and ``ended``.
    """

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    role: str
    text: str
    timestamp: datetime | str | None = None
    observations: Sequence[str | Mapping[str, object]] | None = None


# ---- memory ----------------------------------------------------------------------------------------------


class Usage(Answer):
    tokens_in: Count
    tokens_out: Count


class Freshness(Answer):
    """How far the index is with what an answer was looked up in."""

    indexed_until: datetime
    """The index shows what was recorded before this moment; later writes come from the active tail."""
    from_tail: Count
    """How many of the items or hits came from the active tail."""


class Ingested(Answer):
    job_id: str
    active_fragment_ids: list[str]
    passive_job_id: str | None
    usage: Usage


class Job(Answer):
    job_id: str
    status: Literal["queued", "done", "failed"]
    turns: Count
    observations: Count
    entities: Count
    reason: str | None


class _Fragment(Answer):
    id: str
    text: str
    timestamp: str
    """Unix seconds, with a fraction if there are milliseconds."""
    user_id: str
    session_id: str


class Part(Answer):
    feature: str
    aspect: Literal["words", "meaning", "conversation", "speaker", "time", "form"]
    log_odds: float


class Explanation(Answer):
    """``score = factor / (1 + exp(-(base + sum of the log_odds)))``."""

    base: float
    parts: list[Part]
    factor: float


class TextPart(Answer):
    """Where the part of a long text is that matters: ``text[part.from_:part.to]`` of all its words."""

    from_: Count = Field(alias="from")
    to: Count


class Subject(Answer):
    id: str
    """The entity's id."""
    label: str


class TurnHit(_Fragment):
    """``text`` is ``[date] [role] words``."""

    kind: Literal["turn"]
    score: float
    role: str
    content: str
    said_at: datetime
    part: TextPart | None = None
    explanation: Explanation | None = None
    superseded_by: str | None = None
    """The observation that says what holds instead, where nothing of what was asked for holds here any more."""


class ObservationHit(_Fragment):
    kind: Literal["observation"]
    score: float
    content: str
    said_at: datetime
    source_turn_ids: list[str]
    source: Source
    part: TextPart | None = None
    explanation: Explanation | None = None
    subject: Subject | None = None
    attribute: str | None = None
    value: str | None = None
    valid_from: datetime | None = None
    ended: bool | None = None
    """It says that something no longer holds."""
    valid_until: datetime | None = None
    """Where it no longer holds: since when."""
    superseded_by: str | None = None


class EntityHit(Answer):
    id: str
    kind: Literal["entity"]
    label: str
    score: float


class Hits(Answer):
    turns: list[TurnHit]
    observations: list[ObservationHit]
    entities: list[EntityHit]


class Recalled(Answer):
    hits: Hits
    confidence: Annotated[float, Field(ge=0, le=1)]
    """The probability that what was found contains what was asked for; 0 when nothing was found."""
    timeline: str | None
    mode: Mode
    freshness: Freshness
    """A service from before it has none."""
    usage: Usage
    context: str | None
    """For a prompt, with ``include_context``. A service from before it has none."""
    receipt_id: str | None = None
    """For ``get_recall``, with ``receipt=True``."""
    degraded: list[Literal["embeddings", "rerank"]] | None = None
    """Models of the service that took no part in the ranking, since they did not answer in time."""


class ReceiptHit(Answer):
    """A hit of a recall, as it was; its words are those of today."""

    kind: HitKind
    used_in: Literal["hits", "context", "facts"]
    """``hits``: of the answer; ``context``: only its context or timeline was made of it; ``facts``: said to hold."""
    status: Literal["shown", "erased"]
    """``erased``: it was erased or hidden since, and has no words."""
    id: str | None
    score: float | None
    text: str | None = None
    content: str | None = None
    part: TextPart | None = None
    said_at: datetime | None = None
    user_id: str | None = None
    session_id: str | None = None
    role: str | None = None
    source: Source | None = None
    label: str | None = None


class Receipt(Answer):
    """What a recall answered."""

    receipt_id: str
    recalled_at: datetime
    expires_at: datetime
    q: str | None
    """None once what it searched was erased."""
    mode: Mode
    as_of: datetime | None
    ranker: str
    """Names the weights that ranked it."""
    confidence: Annotated[float, Field(ge=0, le=1)]
    hits: list[ReceiptHit]


class TurnEvent(_Fragment):
    """``text`` is what was said, unchanged."""

    kind: Literal["turn"]
    role: str
    recorded_at: datetime


class ObservationEvent(_Fragment):
    kind: Literal["observation"]
    source_turn_ids: list[str]
    source: Source
    recorded_at: datetime


@dataclass(frozen=True)
class Event:
    """An item of ``events()``."""

    position: str
    """Pass it to ``events(after=...)`` to continue after this event."""
    data: TurnEvent | ObservationEvent


class ErasedCounts(Answer):
    turns: Count
    observations: Count
    entities: Count
    sessions: Count


class Erased(Answer):
    erased: ErasedCounts
    erased_at: datetime
    receipt: str
    """A JWS, signed by a key of ``/.well-known/jwks.json``."""


# ---- what is stored --------------------------------------------------------------------------------------


class UserItem(Answer):
    user_id: str
    sessions: Count
    turns: Count
    last_at: datetime | None


class SessionItem(Answer):
    user_id: str
    session_id: str
    title: str | None
    turns: Count
    first_at: datetime | None
    last_at: datetime | None


class TurnItem(Answer):
    id: str
    user_id: str
    session_id: str
    role: str
    text: str
    timestamp: datetime


class ObservationItem(Answer):
    id: str
    user_id: str
    session_id: str
    turn_id: str | None
    """None for one that was said without a turn."""
    source: Source
    text: str
    timestamp: datetime
    """The turn's timestamp."""
    subject: Subject | None = None
    attribute: str | None = None
    value: str | None = None
    valid_from: datetime | None = None
    ended: bool | None = None
    corrects: str | None = None
    """The observation that it corrects."""
    superseded_by: str | None = None
    """The observation that corrects it."""


class StatedObservation(ObservationItem):
    """What was said without a turn, or corrected."""

    usage: Usage


class FactItem(Answer):
    """What holds, or held, of a subject."""

    id: str
    """The observation that said it last."""
    user_id: str
    session_id: str
    subject: Subject
    attribute: str
    value: str
    value_id: str
    """The id of the entity that the value names, if it names one."""
    text: str
    valid_from: datetime
    valid_until: datetime | None
    """None while it holds."""
    superseded_by: str | None
    source_turn_ids: list[str]
    """Every turn that says it, the latest first."""
    source: Source
    recorded_at: datetime | None
    """None for the moment until it is projected."""


class TurnEntity(Answer):
    id: str
    user_id: str
    label: str
    kind: str


class EntityAlias(Answer):
    """Another name of a person, with the evidence for it."""

    id: str
    label: str
    turns: Count
    rule: Literal["honorific", "initial", "first_name", "short_form", "typo", "correction"]
    matched: str


class EntityItem(TurnEntity):
    turns: Count
    aliases: list[EntityAlias]


class Provenance(Answer):
    """A turn's position in the log."""

    topic: Literal["turns"]
    partition: Count
    offset: Count
    recorded_at: datetime


class TurnDetails(TurnItem):
    observations: list[ObservationItem]
    entities: list[TurnEntity]
    provenance: Provenance | None
    expires_at: datetime | None
    """When it expires by itself; a retention of the organization may come first."""
    """None for the moment until the turn is projected."""


class Page(Answer):
    """A page of a list."""

    next_cursor: str | None
    freshness: Freshness
    """A service from before it has none."""

    name: ClassVar[str]
    """The name of the member with its items."""


class Users(Page):
    name = "users"
    users: list[UserItem]


class Sessions(Page):
    name = "sessions"
    sessions: list[SessionItem]


class Turns(Page):
    name = "turns"
    turns: list[TurnItem]


class Observations(Page):
    name = "observations"
    observations: list[ObservationItem]


class Entities(Page):
    name = "entities"
    entities: list[EntityItem]


class Facts(Page):
    name = "facts"
    facts: list[FactItem]


# ---- usage and accounts ----------------------------------------------------------------------------------


class Limits(Answer):
    """Tokens per UTC day; 0: no cap."""

    tokens_in: Count
    tokens_out: Count


class UsageToday(Answer):
    period: Literal["day_utc"]
    start: datetime
    end: datetime
    tokens_in: Count
    tokens_out: Count
    limits: Limits


class UsageMonth(Answer):
    period: Literal["month"]
    start: datetime
    end: datetime
    tokens_in: Count
    tokens_out: Count


class UsageOfDay(Answer):
    day: date
    tokens_in: Count
    tokens_out: Count


class UsageDaily(Answer):
    period: Literal["month"]
    start: datetime
    end: datetime
    days: list[UsageOfDay]
    """Every day of the month up to today, including days without usage."""


class UsageStatement(Answer):
    statement: str
    """A JWS, verifiable with ``/.well-known/jwks.json``."""


class Me(Answer):
    org_id: str
    user_id: str
    session_id: str | None
    """The session of calls that name none."""
    strict: bool
    """Whether the key can not leave its user and session; otherwise they are defaults."""
    roles: list[str]
    plan: str
    limits: Limits
    created_at: datetime


class NextRetention(Answer):
    days: Days | None
    """None: for ever."""
    in_force_at: datetime


class Retention(Answer):
    """How long what has no expiry of its own is kept."""

    days: Days | None
    """In force now; None: for ever."""
    next: NextRetention | None
    """What was set and takes its place."""


class ApiKey(Answer):
    id: str
    name: str
    prefix: str
    roles: list[str]
    user_id: str
    session_id: str | None
    strict: bool
    created_at: datetime
    last_used_at: str | None


class ApiKeys(Answer):
    api_keys: list[ApiKey]


class NewApiKey(ApiKey):
    api_key: Annotated[str, Field(repr=False)]
    """The key; shown only once, and not in this object's repr."""
