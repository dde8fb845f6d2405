"""Builds the requests of the contract's operations. A test compares them with the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from . import models
from ._calls import Call, Request
from ._inputs import Instant, filter_text, in_utf8, instant, unusable, without_none

# The contract requires an organization in a body, but the token decides which one it is.
_ORGANIZATION = "token"


def _scope(user: str | None, session: str | None) -> dict[str, str]:
    return without_none({"org_id": _ORGANIZATION, "user_id": user, "session_id": session})


def _id(value: str) -> str:
    # Dots would change the path: revoke("..") would be DELETE /me.
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise unusable("An id must be a string, and neither empty nor dots.")
    return quote(in_utf8(value), safe="")


# ---- memory ----------------------------------------------------------------------------------------------


def ingest(
    turns: list[dict[str, Any]],
    *,
    user: str | None,
    session: str | None,
    write_active: bool | None,
    write_passive: bool | None,
    expires_at: Instant | None,
    ttl_days: int | None,
    metadata: Mapping[str, Any] | None,
) -> Call[models.Ingested]:
    options = without_none(
        {
            "write_active": write_active,
            "write_passive": write_passive,
            "expires_at": None if expires_at is None else instant(expires_at),
            "ttl_days": ttl_days,
        }
    )
    body = {
        "scope": _scope(user, session),
        "turns": turns,
        "options": options or None,
        "metadata": metadata,
    }
    return Call(Request("POST", "/ingestion/memory", body=without_none(body)), models.Ingested)


def job(id: str) -> Call[models.Job]:
    return Call(Request("GET", f"/ingestion/jobs/{_id(id)}"), models.Job)


def recall(
    q: str,
    *,
    user: str | None,
    session: str | None,
    mode: models.Mode | None,
    top_k: int | None,
    holds: models.Holds | None,
    include_timeline: bool | None,
    include_context: bool | None,
    context_max_tokens: int | None,
    include_hits: bool | None,
    min_score: float | None,
    max_tokens: int | None,
    passages: bool | None,
    filter: models.Filter | None,
    embeddings_model: str | None,
    kinds: Sequence[models.HitKind] | None,
    since: Instant | None,
    until: Instant | None,
    as_of: Instant | None,
    explain: bool | None,
    receipt: bool | None,
) -> Call[models.Recalled]:
    body = {
        "scope": _scope(user, session),
        "q": q,
        "mode": mode,
        "top_k": top_k,
        "holds": holds,
        "include_timeline": include_timeline,
        "include_context": include_context,
        "context_max_tokens": context_max_tokens,
        "include_hits": include_hits,
        "min_score": min_score,
        "max_tokens": max_tokens,
        "passages": passages,
        "filter": filter,
        "embeddings_model": embeddings_model,
        "kinds": None if kinds is None else list(kinds),
        "since": instant(since),
        "until": instant(until),
        "as_of": instant(as_of),
        "explain": explain,
        "receipt": receipt,
    }
    return Call(Request("POST", "/recall", body=without_none(body)), models.Recalled)


def receipt(id: str) -> Call[models.Receipt]:
    return Call(Request("GET", f"/recalls/{_id(id)}"), models.Receipt)


def erase(user: str, session: str | None) -> Call[models.Erased]:
    if not user:
        raise unusable("forget needs a user: nothing is erased by default.")
    # In the query: a proxy that drops the body of a DELETE would widen what is erased.
    return Call(Request("DELETE", "/memory", query={"user_id": user, "session_id": session}), models.Erased)


# ---- what is stored --------------------------------------------------------------------------------------


def list_users(*, filter: models.Filter | None, page_size: int | None) -> Call[models.Users]:
    query = {"filter": filter_text(filter), "limit": page_size}
    return Call(Request("GET", "/memory/users", query=query), models.Users)


def list_sessions(*, user: str | None, filter: models.Filter | None, page_size: int | None) -> Call[models.Sessions]:
    query = {"user_id": user, "filter": filter_text(filter), "limit": page_size}
    return Call(Request("GET", "/memory/sessions", query=query), models.Sessions)


def list_turns(
    *,
    user: str | None,
    session: str | None,
    role: str | None,
    since: Instant | None,
    until: Instant | None,
    order: models.Order | None,
    filter: models.Filter | None,
    page_size: int | None,
) -> Call[models.Turns]:
    query = {
        "user_id": user,
        "session_id": session,
        "role": role,
        "since": instant(since),
        "until": instant(until),
        "order": order,
        "filter": filter_text(filter),
        "limit": page_size,
    }
    return Call(Request("GET", "/memory/turns", query=query), models.Turns)


def list_observations(
    *,
    user: str | None,
    session: str | None,
    turn_id: str | None,
    source: models.Source | None,
    since: Instant | None,
    until: Instant | None,
    filter: models.Filter | None,
    page_size: int | None,
) -> Call[models.Observations]:
    query = {
        "user_id": user,
        "session_id": session,
        "turn_id": turn_id,
        "source": source,
        "since": instant(since),
        "until": instant(until),
        "filter": filter_text(filter),
        "limit": page_size,
    }
    return Call(Request("GET", "/memory/observations", query=query), models.Observations)


def list_entities(
    *,
    user: str | None,
    session: str | None,
    turn_id: str | None,
    kind: str | None,
    filter: models.Filter | None,
    page_size: int | None,
) -> Call[models.Entities]:
    query = {
        "user_id": user,
        "session_id": session,
        "turn_id": turn_id,
        "kind": kind,
        "filter": filter_text(filter),
        "limit": page_size,
    }
    return Call(Request("GET", "/memory/entities", query=query), models.Entities)


def list_facts(
    *,
    user: str | None,
    session: str | None,
    subject: str | None,
    value: str | None,
    attribute: str | None,
    holds: models.Holds | None,
    as_of: Instant | None,
    filter: models.Filter | None,
    page_size: int | None,
) -> Call[models.Facts]:
    query = {
        "user_id": user,
        "session_id": session,
        "subject": subject,
        "value": value,
        "attribute": attribute,
        "holds": holds,
        "as_of": instant(as_of),
        "filter": filter_text(filter),
        "limit": page_size,
    }
    return Call(Request("GET", "/memory/facts", query=query), models.Facts)


def turn(id: str) -> Call[models.TurnDetails]:
    return Call(Request("GET", f"/memory/turns/{_id(id)}"), models.TurnDetails)


def say(
    text: str,
    *,
    user: str | None,
    session: str | None,
    subject: str | None,
    attribute: str | None,
    value: str | None,
    valid_from: Instant | None,
    ended: bool | None,
    timestamp: Instant | None,
    metadata: Mapping[str, Any] | None,
) -> Call[models.StatedObservation]:
    # Without a timestamp the service leaves the time out of the identity, so a retry says nothing new.
    body = {
        "scope": _scope(user, session),
        "text": text,
        "subject": subject,
        "attribute": attribute,
        "value": value,
        "valid_from": instant(valid_from),
        "ended": ended,
        "timestamp": instant(timestamp),
        "metadata": metadata,
    }
    return Call(Request("POST", "/memory/observations", body=without_none(body)), models.StatedObservation)


def correct(
    id: str,
    *,
    text: str | None,
    subject: str | None,
    attribute: str | None,
    value: str | None,
    valid_from: Instant | None,
) -> Call[models.StatedObservation]:
    body = {
        "text": text,
        "subject": subject,
        "attribute": attribute,
        "value": value,
        "valid_from": instant(valid_from),
    }
    request = Request("PATCH", f"/memory/observations/{_id(id)}", body=without_none(body))
    return Call(request, models.StatedObservation)


def retract_turn(id: str) -> Request:
    return Request("DELETE", f"/memory/turns/{_id(id)}")


def retract_observation(id: str) -> Request:
    return Request("DELETE", f"/memory/observations/{_id(id)}")


def correct_entity(
    id: str,
    *,
    label: str | None,
    merge_into: str | None,
    split: Sequence[str] | None,
    user: str | None,
) -> Call[models.EntityItem]:
    body = {"label": label, "merge_into": merge_into, "split": None if split is None else list(split)}
    request = Request("PATCH", f"/memory/entities/{_id(id)}", query={"user_id": user}, body=without_none(body))
    return Call(request, models.EntityItem)


def title_session(id: str, title: str | None, *, user: str | None) -> Call[models.SessionItem]:
    request = Request("PATCH", f"/memory/sessions/{_id(id)}", query={"user_id": user}, body={"title": title})
    return Call(request, models.SessionItem)


# ---- usage and accounts ----------------------------------------------------------------------------------


def usage_today() -> Call[models.UsageToday]:
    return Call(Request("GET", "/usage/today"), models.UsageToday)


def usage_month(month: str | None) -> Call[models.UsageMonth]:
    return Call(Request("GET", "/usage/summary", query={"month": month}), models.UsageMonth)


def usage_daily(month: str | None) -> Call[models.UsageDaily]:
    return Call(Request("GET", "/usage/daily", query={"month": month}), models.UsageDaily)


def usage_statement(month: str) -> Call[models.UsageStatement]:
    return Call(Request("GET", "/usage/statement", query={"month": month}), models.UsageStatement)


def me() -> Call[models.Me]:
    return Call(Request("GET", "/me"), models.Me)


def retention() -> Call[models.Retention]:
    return Call(Request("GET", "/me/retention"), models.Retention)


def set_retention(days: int | None) -> Call[models.Retention]:
    return Call(Request("PUT", "/me/retention", body={"days": days}), models.Retention)


def list_api_keys() -> Call[models.ApiKeys]:
    return Call(Request("GET", "/me/api-keys"), models.ApiKeys)


def create_api_key(
    name: str,
    *,
    roles: Sequence[models.Role] | None,
    user: str | None,
    session: str | None,
    strict: bool | None,
) -> Call[models.NewApiKey]:
    body = {
        "name": name,
        "roles": None if roles is None else list(roles),
        "user_id": user,
        "session_id": session,
        "strict": strict,
    }
    # A request without an answer may have created a key, so that a second one would create another.
    request = Request("POST", "/me/api-keys", body=without_none(body), repeatable=False)
    return Call(request, models.NewApiKey)


def revoke_api_key(id: str) -> Request:
    return Request("DELETE", f"/me/api-keys/{_id(id)}")
