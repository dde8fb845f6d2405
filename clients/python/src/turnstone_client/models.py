"""Models of answers. Generated from the OpenAPI document by ``npm run client:generate``: do not edit.

Server and client may have different versions: an answer keeps members that the client doesn't know (``model_extra``), a
member that the server doesn't send is missing (``AttributeError``), and one of another type or outside its enumeration
stays unchanged.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Count: TypeAlias = Annotated[int, Field(ge=0)]
AuditAction: TypeAlias = Literal[
    "account.read",
    "audit.read",
    "keys.create",
    "keys.first_use",
    "keys.read",
    "keys.recover",
    "keys.revoke",
    "keys.rotate",
    "limits.set",
    "memory.correct",
    "memory.erase",
    "memory.export",
    "memory.feed",
    "memory.feedback",
    "memory.import",
    "memory.read",
    "memory.recall",
    "memory.receipt",
    "memory.retract",
    "memory.write",
    "names.entity",
    "names.session",
    "names.user",
    "organization.create",
    "organization.delete",
    "organization.delete_ask",
    "organization.delete_withdraw",
    "retention.set",
    "screening.set",
    "sign_in",
    "usage.read",
    "webhooks.create",
    "webhooks.delete",
    "webhooks.read",
    "webhooks.resume",
]
HitKind: TypeAlias = Literal["turn", "observation", "entity"]
Holds: TypeAlias = Literal["now", "ever"]
Mode: TypeAlias = Literal["active", "deep"]
Order: TypeAlias = Literal["asc", "desc"]
Screen: TypeAlias = Literal["off", "secrets"]
ScreenChoice: TypeAlias = Literal["off", "secrets", "default"]
Role: TypeAlias = Literal[
    "*", "memory:write", "memory:read", "memory:curate", "memory:erase", "usage:read", "keys:manage", "audit:read"
]
Source: TypeAlias = Literal["client", "rules", "llm"]
SplitBy: TypeAlias = Literal["user", "session", "key"]
Sort: TypeAlias = Literal["id", "last_at"]
Verdict: TypeAlias = Literal["helpful", "wrong"]
Stance: TypeAlias = Literal["holds", "changed", "plan", "was"]
WebhookEvent: TypeAlias = Literal["turn", "fact", "erased", "quota"]


class Answer(BaseModel):
    """An answer of the service; immutable."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)


class Freshness(Answer):
    indexed_until: datetime
    """The index shows every write of the searched scope that was acknowledged by the time of this call and recorded
    before this moment: the oldest recorded_at that waits in the active tail, or the time of the call if none waits;
    the as_of of a call that has one. Writes since then come from the active tail. What is extracted from a turn
    follows when its job is done."""
    from_tail: Count
    """How many of the items or hits of this answer were taken from the active tail, as the index did not show them
    yet; with include_hits false, of the hits that would be in it."""


class Page(Answer):
    """A page of a list."""

    name: ClassVar[str]
    """The name of the member with its items."""
    next_cursor: str | None


class Usage(Answer):
    tokens_in: Count
    tokens_out: Count


class Ingested(Answer):
    job_id: str
    """Derived from the scope and the turns: a retry gets the same id. Any other write of known turns alone gets the
    job of the write that stored its first turn."""
    active_fragment_ids: list[str]
    """One id per turn, in the request's order; none of a turn that was hidden or has expired; empty without the
    active tier."""
    passive_job_id: str | None
    """Job of the background enrichment; null when none is pending."""
    usage: Usage
    screened: dict[str, Count] | None = None
    """How many secrets of what was sent were replaced, by rule; absent where nothing is screened (GET
    /me/screening)."""


class Job(Answer):
    job_id: str
    status: Literal["queued", "done", "failed"]
    turns: Count
    observations: Count
    entities: Count
    reason: str | None


class Part(Answer):
    feature: str
    aspect: Literal["words", "meaning", "conversation", "speaker", "time", "form"]
    """What the feature measures."""
    log_odds: float
    """The contribution of the feature, positive or negative."""


class Explanation(Answer):
    """score = factor / (1 + exp(-(base + the sum of the log_odds)))."""

    base: float
    """Log-odds before any feature contributes."""
    parts: list[Part]
    """Largest contribution first."""
    factor: float
    """Not 1 for a hit that has another place than its own words give it: an observation instead of its turn, or one
    behind the turns."""


class TextPart(Answer):
    """Of a text of more than about 80 words: the part that matters for the question, from the character at from up
    to the one at to, which is not in it. They are counted over all words of the turn or observation; a character is
    a Unicode code point. With passages, content is this part; without, content has all words."""

    from_: Count = Field(alias="from")
    to: Count


class Subject(Answer):
    id: str
    """The entity's."""
    label: str


class NestedObservation(Answer):
    id: str
    text: str
    source: Source
    """The client, or the extractor that found it."""
    subject: Subject | None = None
    attribute: str | None = None
    about: str | None = None
    """The object that the attribute is of: a budget about a laptop."""
    value: str | None = None
    valid_from: datetime | None = None
    """From when it holds; null where nothing is said of it."""
    valid_until: datetime | None = None
    """Until when it holds, where that is known."""
    ended: bool | None = None
    """It says that something no longer holds."""
    stance: Stance | None = None
    """How it was said: as holding, as news, as a plan, or as over."""
    certainty: float | None = None
    """From 0 to 1; what is less certain than 0.8 ends nothing."""
    superseded_by: str | None = None
    """The observation that says what holds instead, or that it has ended."""
    disputed_by: list[str] | None = None
    """Observations that say otherwise, where nobody knows which of them holds."""


class TurnHit(Answer):
    id: str
    text: str
    score: float
    timestamp: str
    """Unix seconds."""
    user_id: str
    session_id: str
    kind: Literal["turn"]
    content: str
    """The words alone; those of the part, with passages."""
    said_at: datetime
    """When it was said."""
    role: str
    utc_offset: Annotated[int, Field(ge=-1439, le=1439)] | None = None
    """The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it."""
    explanation: Explanation | None = None
    part: TextPart | None = None
    superseded_by: str | None = None
    """The observation that says what holds instead, or that it has ended."""
    observations: list[NestedObservation] | None = None
    """What was understood of this turn: its observations that state an attribute or resolve a date, the one that
    answers the question first. They take no places among the hits."""
    later: str | None = None
    """The turn among the hits that says another value now, if the ranking decided so and no fact. It orders and
    labels, and leaves nothing out of a context."""


class ObservationHit(Answer):
    id: str
    text: str
    score: float
    timestamp: str
    """Unix seconds."""
    user_id: str
    session_id: str
    content: str
    """The words alone; those of the part, with passages."""
    said_at: datetime
    """When it was said."""
    kind: Literal["observation"]
    source_turn_ids: list[str]
    source: Source
    """The client, or the extractor that found it."""
    utc_offset: Annotated[int, Field(ge=-1439, le=1439)] | None = None
    """The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it."""
    explanation: Explanation | None = None
    part: TextPart | None = None
    subject: Subject | None = None
    attribute: str | None = None
    about: str | None = None
    """The object that the attribute is of: a budget about a laptop."""
    value: str | None = None
    valid_from: datetime | None = None
    """From when it holds; null where nothing is said of it."""
    valid_until: datetime | None = None
    """Until when it holds, where that is known."""
    ended: bool | None = None
    """It says that something no longer holds."""
    stance: Stance | None = None
    """How it was said: as holding, as news, as a plan, or as over."""
    certainty: float | None = None
    """From 0 to 1; what is less certain than 0.8 ends nothing."""
    superseded_by: str | None = None
    """The observation that says what holds instead, or that it has ended."""
    disputed_by: list[str] | None = None
    """Observations that say otherwise, where nobody knows which of them holds."""


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
    """The probability that what was found contains what the query asks for, whether or not hits are returned; 0 when
    nothing was found."""
    timeline: str | None
    """Lines in chronological order, each with its date (UTC), within 400 tokens; null without hits or when not
    requested."""
    context: str | None
    """What holds now, facts that bear on the question first, then what was said in chronological order, each line
    with date and speaker, quoted, each thing once, within context_max_tokens; null when nothing was found or fits,
    or when not requested."""
    mode: Mode
    freshness: Freshness
    usage: Usage
    degraded: list[Literal["embeddings", "rerank", "reader"]] | None = None
    """Which of the configured models took no part in the ranking, since they did not answer in time, or were busy: a
    repetition may have other hits. Missing where all of them did."""
    receipt_id: str | None = None
    """Where receipt was true: the id for GET /recalls/{id}."""


class ReceiptHit(Answer):
    kind: HitKind
    used_in: Literal["hits", "context", "facts"]
    """hits: a hit of the answer. context: only its context or its timeline quotes it, the part that is shown. facts:
    what the context says that holds."""
    status: Literal["shown", "erased"]
    """erased: it was erased or hidden since, and has no words."""
    id: str | None
    """null for an erased observation or entity, whose id is made of its words."""
    score: float | None
    """As it was answered; null for facts."""
    text: str | None = None
    """As a recall renders it, read anew."""
    content: str | None = None
    """The words alone, and only those that the answer had: of a long turn or a cut one the part, of a fact its
    value."""
    part: TextPart | None = None
    said_at: datetime | None = None
    utc_offset: Annotated[int, Field(ge=-1439, le=1439)] | None = None
    """The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it."""
    user_id: str | None = None
    session_id: str | None = None
    role: str | None = None
    """Of a turn."""
    source: Source | None = None
    """The client, or the extractor that found it."""
    label: str | None = None
    """Of an entity."""
    verdict: Verdict | None = None
    """What was said last of this turn or observation (POST /recalls/{id}/feedback)."""


class FeedbackCounts(Answer):
    """How many of the turns and observations are said to be so."""

    helpful: Count
    wrong: Count


class Receipt(Answer):
    receipt_id: str
    recalled_at: datetime
    """When it was answered."""
    expires_at: datetime
    """From this moment on it is a 404."""
    q: str | None
    """The question; null once what it searched was erased."""
    mode: Mode
    as_of: datetime | None
    """The as_of of the question."""
    ranker: str
    """Names the weights that ranked it."""
    confidence: Annotated[float, Field(ge=0, le=1)]
    hits: list[ReceiptHit]
    """In the order of the answer, best first."""
    feedback: FeedbackCounts
    """How many of the turns and observations are said to be so."""


class Feedback(Answer):
    receipt_id: str
    hit_id: str
    verdict: Verdict


class Match(Answer):
    score: Annotated[float, Field(ge=0, le=1)]
    """How well the words match (BM25): comparable within one list, and no probability."""
    by: Literal["text", "title", "name", "label", "id"]
    """What has the words: the text of the item or, of a user or a session, of one of its turns; a session's title;
    what a user or an entity is called; the id of a user or a session."""
    text: str | None = None
    """Of a user or a session: the title or the name that has the words, or the first 500 characters of the turn. Of
    an entity: another of its names."""
    turn_id: str | None = None
    """Of a user or a session found by what was said: the turn."""


class StatedObservation(Answer):
    id: str
    user_id: str
    session_id: str
    turn_id: str | None
    """The turn that it comes from; null for one that was said without a turn. A turn written with write_active false
    is not stored itself."""
    source: Source
    """The client, or the extractor that found it."""
    text: str
    timestamp: datetime
    """The turn's timestamp."""
    utc_offset: Annotated[int, Field(ge=-1439, le=1439)] | None = None
    """The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it."""
    subject: Subject | None = None
    attribute: str | None = None
    about: str | None = None
    """The object that the attribute is of: a budget about a laptop."""
    value: str | None = None
    valid_from: datetime | None = None
    """From when it holds; null where nothing is said of it."""
    valid_until: datetime | None = None
    """Until when it holds, where that is known."""
    ended: bool | None = None
    """It says that something no longer holds."""
    stance: Stance | None = None
    """How it was said: as holding, as news, as a plan, or as over."""
    certainty: float | None = None
    """From 0 to 1; what is less certain than 0.8 ends nothing."""
    corrects: str | None = None
    """The observation that it corrects."""
    superseded_by: str | None = None
    """The observation that corrects it."""
    match: Match | None = None
    usage: Usage
    screened: dict[str, Count] | None = None
    """How many secrets of what was sent were replaced, by rule; absent where nothing is screened (GET
    /me/screening)."""


class ObservationItem(Answer):
    id: str
    user_id: str
    session_id: str
    turn_id: str | None
    """The turn that it comes from; null for one that was said without a turn. A turn written with write_active false
    is not stored itself."""
    source: Source
    """The client, or the extractor that found it."""
    text: str
    timestamp: datetime
    """The turn's timestamp."""
    utc_offset: Annotated[int, Field(ge=-1439, le=1439)] | None = None
    """The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it."""
    subject: Subject | None = None
    attribute: str | None = None
    about: str | None = None
    """The object that the attribute is of: a budget about a laptop."""
    value: str | None = None
    valid_from: datetime | None = None
    """From when it holds; null where nothing is said of it."""
    valid_until: datetime | None = None
    """Until when it holds, where that is known."""
    ended: bool | None = None
    """It says that something no longer holds."""
    stance: Stance | None = None
    """How it was said: as holding, as news, as a plan, or as over."""
    certainty: float | None = None
    """From 0 to 1; what is less certain than 0.8 ends nothing."""
    corrects: str | None = None
    """The observation that it corrects."""
    superseded_by: str | None = None
    """The observation that corrects it."""
    match: Match | None = None


class Observations(Page):
    name = "observations"
    observations: list[ObservationItem]
    freshness: Freshness


class TurnEntity(Answer):
    id: str
    user_id: str
    label: str
    kind: str


class TurnDetails(Answer):
    id: str
    user_id: str
    session_id: str
    role: str
    text: str
    """As it was said."""
    timestamp: datetime
    observations: list[ObservationItem]
    """Observations made of this turn."""
    entities: list[TurnEntity]
    """Entities that it mentions. GET /memory/entities counts the turns that mention each."""
    recorded_at: datetime | None
    """When the service recorded it; null for the moment until it is projected."""
    expires_at: datetime | None
    """When it expires by itself; null: a retention of the organization decides."""
    utc_offset: Annotated[int, Field(ge=-1439, le=1439)] | None = None
    """The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it."""


class UserDetails(Answer):
    user_id: str
    sessions: Count
    turns: Count
    last_at: datetime | None
    """By the turns' own timestamps; null without a stored turn."""
    names: list[str]
    """The user's own names, as they were set; the first is shown."""
    suggested_names: list[str]
    """Names that the user gave ("my name is Ada") and that are not set: nothing is renamed."""


class EntityAlias(Answer):
    id: str
    """The entity of this name: turns that use it mention that one."""
    label: str
    turns: Count
    """The number of turns in the scope that use this name."""
    rule: Literal["honorific", "initial", "first_name", "short_form", "typo", "relation", "correction"]
    """Why it is taken for the same person: Dr. Anna Meier, Anna M, Anna, Annie, Anan or my sister Anna; or because
    somebody said so."""
    matched: str
    """The name that the rule matched; that one may be an alias too."""


class EntityItem(Answer):
    id: str
    user_id: str
    label: str
    kind: str
    turns: Count
    """The number of turns in the scope that mention it, by any of its names."""
    aliases: list[EntityAlias]
    """Other names of this person in the scope, where exactly one person fits. In the list of one user only, and not
    with turn_id."""
    match: Match | None = None


class SessionItem(Answer):
    user_id: str
    session_id: str
    title: str | None
    """As it was titled (PATCH /memory/sessions/{id}); null without a title."""
    turns: Count
    first_at: datetime | None
    """By the turns' own timestamps; null without a stored turn."""
    last_at: datetime | None
    """By the turns' own timestamps; null without a stored turn."""
    match: Match | None = None


class ErasedCounts(Answer):
    """Counts at the time the erasure began; entities: those mentioned in its turns."""

    turns: Count
    observations: Count
    entities: Count
    sessions: Count


class Erased(Answer):
    erased: ErasedCounts
    """Counts at the time the erasure began; entities: those mentioned in its turns."""
    erased_at: datetime
    receipt: str
    """A JWS (RFC 7515) over scope, erased and erased_at; jti is the id of the erasure's event in the log."""


class UserItem(Answer):
    user_id: str
    sessions: Count
    turns: Count
    last_at: datetime | None
    """By the turns' own timestamps; null without a stored turn."""
    match: Match | None = None


class Users(Page):
    name = "users"
    users: list[UserItem]
    freshness: Freshness


class Sessions(Page):
    name = "sessions"
    sessions: list[SessionItem]
    freshness: Freshness


class TurnItem(Answer):
    id: str
    user_id: str
    session_id: str
    role: str
    text: str
    """As it was said."""
    timestamp: datetime
    utc_offset: Annotated[int, Field(ge=-1439, le=1439)] | None = None
    """The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it."""
    match: Match | None = None


class Turns(Page):
    name = "turns"
    turns: list[TurnItem]
    freshness: Freshness


class FactItem(Answer):
    id: str
    """The observation that said it last."""
    user_id: str
    session_id: str
    """The session in which it was said last."""
    subject: Subject
    attribute: str
    about: str | None
    """The object that the attribute is of; null without one."""
    value: str
    value_id: str
    """The id of the entity that the value names, if it names one: a fact is then a relation between two. GET
    /memory/entities lists what turns name."""
    text: str
    """The observation."""
    valid_from: datetime | None
    """From when it holds; null where nothing is said of it."""
    valid_until: datetime | None
    """null while it holds."""
    stance: Stance
    """How it was said: as holding, as news, as a plan, or as over."""
    certainty: float
    """From 0 to 1; what is less certain than 0.8 ends nothing."""
    superseded_by: str | None
    """The observation that said another value, or that it has ended."""
    disputed_by: list[str]
    """Observations that say otherwise, where nobody knows which of them holds."""
    source_turn_ids: list[str]
    """Every turn that says it, the latest first."""
    source: Source
    """The client, or the extractor that found it."""
    recorded_at: datetime | None
    """When the service recorded it; null for the moment until it is projected."""
    match: Match | None = None


class Facts(Page):
    name = "facts"
    facts: list[FactItem]
    freshness: Freshness


class Entities(Page):
    name = "entities"
    entities: list[EntityItem]
    freshness: Freshness


class StatsOfDay(Answer):
    day: date
    """In UTC, of when it was recorded."""
    turns: Count
    """Turns stored: each once, whatever has become of it."""
    users: Count
    """Users of whom a turn was stored."""
    sessions: Count
    """Sessions of which a turn was stored."""
    facts: Count
    """Facts learnt: observations that say an attribute, of clients and of extractors."""
    recalls: Count
    """Recalls answered."""


class LatencyBin(Answer):
    up_to: int | None
    """Milliseconds, inclusive; null: any number above the bin before."""
    recalls: Count


class ConfidenceBin(Answer):
    from_: Annotated[float, Field(ge=0, le=1)] = Field(alias="from")
    to: Annotated[float, Field(ge=0, le=1)]
    """Exclusive, but 1 itself is in the last bin."""
    recalls: Count


class MemoryStats(Answer):
    days: list[StatsOfDay]
    """Every day in order, the current one last, also those on which nothing happened."""
    latency_ms: list[LatencyBin]
    """The recalls of these days, by how long each took from its admission until its answer was made: all bins, in
    order."""
    confidence: list[ConfidenceBin]
    """The recalls of these days, by the confidence of their answers: ten bins, in order."""


class Limits(Answer):
    """Tokens per UTC day; 0: no cap."""

    tokens_in: Count
    tokens_out: Count


class UsageShare(Answer):
    tokens_in: Count
    tokens_out: Count
    user_id: str | None = None
    """By user, and by session."""
    session_id: str | None = None
    """By session; null: the user's recalls, which are counted to no session."""
    key_id: str | None = None
    """By key; null: what was imported."""


class UsageSplit(Answer):
    by: SplitBy
    """Adds the split of the sums by user, by session or by API key. For a key without the role *, sums and split are
    then its own user's."""
    shares: list[UsageShare]
    """Most tokens first. A turn is counted to the user and the session that it was written to, a recall to the user
    that it searched, or to the user whose key asked where it searched all. In each day of a month the shares are of
    those with the most tokens in the month."""
    other: Usage
    """All shares beyond the limit."""
    erased: Usage
    """What belongs to users and sessions that were erased or have expired, and recalls of users of whom nothing is
    stored: nothing names them any more. By key it is with its key."""
    pending: Usage
    """Billed in the last moments, and not split yet."""


class UsageToday(Answer):
    period: Literal["day_utc"]
    start: datetime
    end: datetime
    tokens_in: Count
    tokens_out: Count
    limits: Limits
    split: UsageSplit | None = None
    """With by; it adds up to the sums."""


class UsageMonth(Answer):
    period: Literal["month"]
    start: datetime
    end: datetime
    tokens_in: Count
    tokens_out: Count
    split: UsageSplit | None = None
    """With by; it adds up to the sums."""


class UsageOfDay(Answer):
    day: date
    """In UTC."""
    tokens_in: Count
    tokens_out: Count
    split: UsageSplit | None = None
    """With by; it adds up to the sums."""


class UsageDaily(Answer):
    period: Literal["month"]
    start: datetime
    end: datetime
    days: list[UsageOfDay]
    """Every day of the month in order, including days without usage; no future days."""


class UsageStatement(Answer):
    statement: str
    """A JWS (RFC 7515) with org_id, month, tokens_in, tokens_out, the number of billed events, the same by day in
    days, and root: the root of the Merkle tree of RFC 6962 (SHA-256, hexadecimal) over the billed events in the
    order of their ids' bytes; a leaf is an event as compact JSON, [id, tokens_in, tokens_out]."""


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
    """What was set and takes its place; null: nothing."""

    days: Annotated[int, Field(ge=1, le=36500)] | None
    """Days from when it was recorded; null: for ever."""
    in_force_at: datetime


class Retention(Answer):
    """How long an organization keeps what has no expiry of its own."""

    days: Annotated[int, Field(ge=1, le=36500)] | None
    """What is in force now: days from when it was recorded; null: for ever."""
    next: NextRetention | None
    """What was set and takes its place; null: nothing."""


class Screening(Answer):
    screen: Screen
    """secrets: they are replaced before anything is stored; off: nothing is."""
    own: bool
    """Whether the organization has set it; else the installation did."""
    rules: str
    """The version of the rules."""


class OrganizationDeletion(Answer):
    state: Literal["none", "asked", "confirmed"]
    """none: nobody has asked, or it was taken back, or not confirmed in time."""
    org_id: str
    asked_at: datetime | None
    confirm_from: datetime | None
    """When it can be confirmed at the earliest: later, if the service has not run all the time."""
    confirm_until: datetime | None
    """From then on it has to be asked for again."""


class ApiKey(Answer):
    id: str
    name: str
    prefix: str
    """The public prefix of the key."""
    roles: list[str]
    user_id: str
    session_id: str | None
    strict: bool
    """Whether the key can not leave its user and session; otherwise they are defaults."""
    expires_at: datetime | None
    """Null: it does not expire."""
    addresses: list[str] | None
    """The addresses and ranges that it works from; null: any."""
    created_at: datetime
    last_used_at: str | None
    """Accurate to a minute, unless very many keys are in use."""


class ApiKeys(Answer):
    api_keys: list[ApiKey]


class NewApiKey(Answer):
    id: str
    name: str
    prefix: str
    """The public prefix of the key."""
    roles: list[str]
    user_id: str
    session_id: str | None
    strict: bool
    """Whether the key can not leave its user and session; otherwise they are defaults."""
    expires_at: datetime | None
    """Null: it does not expire."""
    addresses: list[str] | None
    """The addresses and ranges that it works from; null: any."""
    created_at: datetime
    last_used_at: str | None
    """Accurate to a minute, unless very many keys are in use."""
    api_key: Annotated[str, Field(repr=False)]
    """Shown only now."""


class WebhookPause(Answer):
    at: datetime
    reason: Literal["failing", "gone", "key", "position"]
    """failing: every attempt of 24 hours failed; gone: the receiver answered 410; key: the key is revoked or has
    expired; position: the log ends before the webhook's position."""


class Webhook(Answer):
    id: str
    url: str
    events: list[WebhookEvent]
    user_id: str | None
    """Null: every user."""
    key_id: str
    """The key whose rights it has: that of its creator, or of whoever resumed it last."""
    created_at: datetime
    state: Literal["active", "retrying", "paused"]
    """retrying: its receiver fails, and is tried again with longer and longer pauses."""
    failing_since: datetime | None
    """Since when every attempt fails; after 24 hours it is paused."""
    paused: WebhookPause | None
    dropped: Count
    """Messages of erasures that were not delivered, because more than 200 of them waited."""


class Webhooks(Answer):
    webhooks: list[Webhook]


class NewWebhook(Answer):
    id: str
    url: str
    events: list[WebhookEvent]
    user_id: str | None
    """Null: every user."""
    key_id: str
    """The key whose rights it has: that of its creator, or of whoever resumed it last."""
    created_at: datetime
    state: Literal["active", "retrying", "paused"]
    """retrying: its receiver fails, and is tried again with longer and longer pauses."""
    failing_since: datetime | None
    """Since when every attempt fails; after 24 hours it is paused."""
    paused: WebhookPause | None
    dropped: Count
    """Messages of erasures that were not delivered, because more than 200 of them waited."""
    secret: Annotated[str, Field(repr=False)]
    """Shown only now."""


class WebhookDelivery(Answer):
    webhook_id: str
    """The header webhook-id: that of the message, in every attempt."""
    event: WebhookEvent
    attempt: Annotated[int, Field(ge=1)]
    """Counted since the process began with it."""
    at: datetime
    status: Literal["delivered", "failed"]
    http_status: Annotated[int, Field(ge=100, le=999)] | None
    """Of the answer; null: there was none."""
    reason: str | None
    """Why it failed: status, redirect, address (the name has no address that may be called), timeout, connection."""
    duration_ms: Count


class WebhookDeliveries(Answer):
    deliveries: list[WebhookDelivery]


class AuditActor(Answer):
    kind: Literal["key", "operator", "sign_up"]
    """operator: a command of an operator."""
    key_id: str | None
    user_id: str | None
    """The key's user."""
    address: str | None
    """loopback, private or, of a public address, the range that it is in: its first 24 bits (IPv4) or 48 (IPv6)."""


class AuditTarget(Answer):
    """Null: the call was refused, or was one of very many of its key in this hour."""

    kind: Literal["organization", "key", "user", "session", "turn", "observation", "entity", "recall", "webhook"]
    id: str | None
    user_id: str | None
    """The user whose it is, where the call names one."""


class AuditEntry(Answer):
    id: str
    at: datetime
    actor: AuditActor
    action: AuditAction
    target: AuditTarget | None
    """Null: the call was refused, or was one of very many of its key in this hour."""
    outcome: Literal["done", "unchanged", "refused"]
    """unchanged: it was allowed, and there was nothing to change. refused: the credential may not."""
    request_id: str
    """The X-Correlation-ID of the call."""


class AuditPage(Page):
    name = "entries"
    entries: list[AuditEntry]


class TurnEvent(Answer):
    id: str
    text: str
    timestamp: str
    """Unix seconds."""
    user_id: str
    session_id: str
    recorded_at: datetime
    kind: Literal["turn"]
    role: str
    utc_offset: Annotated[int, Field(ge=-1439, le=1439)] | None = None
    """The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it."""


class ObservationEvent(Answer):
    id: str
    text: str
    timestamp: str
    """Unix seconds."""
    user_id: str
    session_id: str
    recorded_at: datetime
    kind: Literal["observation"]
    source_turn_ids: list[str]
    source: Source
    """The client, or the extractor that found it."""
    utc_offset: Annotated[int, Field(ge=-1439, le=1439)] | None = None
    """The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it."""
