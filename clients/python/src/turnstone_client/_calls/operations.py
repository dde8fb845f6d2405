"""The requests of all operations. Generated from the OpenAPI document by ``npm run client:generate``: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import models
from .call import Call, Request
from .inputs import Instant, filter_text, instant, path_id, scope, without_none
from .sent import Filter


def ingest(
    turns: list[dict[str, Any]],
    *,
    user: str | None,
    session: str | None,
    write_active: bool | None,
    write_passive: bool | None,
    expires_at: Instant | None,
    ttl_days: int | None,
    session_title: str | None,
    metadata: Mapping[str, Any] | None,
) -> Call[models.Ingested]:
    """Write turns."""
    options = without_none(
        {
            "write_active": write_active,
            "write_passive": write_passive,
            "expires_at": instant(expires_at),
            "ttl_days": ttl_days,
            "session_title": session_title,
        }
    )
    body = without_none(
        {
            "scope": scope(user, session),
            "turns": turns,
            "options": options or None,
            "metadata": metadata,
        }
    )
    return Call(Request("POST", "/ingestion/memory", body=body), models.Ingested)


def job(id: str) -> Call[models.Job]:
    """Get the state of a write."""
    return Call(Request("GET", f"/ingestion/jobs/{path_id(id)}"), models.Job)


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
    kinds: Sequence[models.HitKind] | None,
    since: Instant | None,
    until: Instant | None,
    as_of: Instant | None,
    utc_offset: int | None,
    receipt: bool | None,
    filter: Filter | None,
    embeddings_model: str | None,
    explain: bool | None,
) -> Call[models.Recalled]:
    """Find what was said."""
    body = without_none(
        {
            "scope": scope(user, session),
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
            "kinds": None if kinds is None else list(kinds),
            "since": instant(since),
            "until": instant(until),
            "as_of": instant(as_of),
            "utc_offset": utc_offset,
            "receipt": receipt,
            "filter": filter,
            "embeddings_model": embeddings_model,
            "explain": explain,
        }
    )
    return Call(Request("POST", "/recall", body=body), models.Recalled)


def read_receipt(id: str) -> Call[models.Receipt]:
    """Read what a recall answered."""
    return Call(Request("GET", f"/recalls/{path_id(id)}"), models.Receipt)


def give_feedback(id: str, hit_id: str, verdict: models.Verdict) -> Call[models.Feedback]:
    """Say whether a hit was helpful."""
    body = {"hit_id": hit_id, "verdict": verdict}
    return Call(Request("POST", f"/recalls/{path_id(id)}/feedback", body=body), models.Feedback)


def say(
    text: str,
    *,
    user: str | None,
    session: str | None,
    subject: str | None,
    attribute: str | None,
    about: str | None,
    value: str | None,
    valid_from: Instant | None,
    ended: bool | None,
    stance: models.Stance | None,
    timestamp: Instant | None,
    metadata: Mapping[str, Any] | None,
) -> Call[models.StatedObservation]:
    """Say something without a turn."""
    body = without_none(
        {
            "scope": scope(user, session),
            "text": text,
            "subject": subject,
            "attribute": attribute,
            "about": about,
            "value": value,
            "valid_from": instant(valid_from),
            "ended": ended,
            "stance": stance,
            "timestamp": instant(timestamp),
            "metadata": metadata,
        }
    )
    return Call(Request("POST", "/memory/observations", body=body), models.StatedObservation)


def list_observations(
    *,
    user: str | None,
    session: str | None,
    turn_id: str | None,
    source: models.Source | None,
    since: Instant | None,
    until: Instant | None,
    q: str | None,
    filter: Filter | None,
    page_size: int | None,
) -> Call[models.Observations]:
    """List observations."""
    query = {
        "user_id": user,
        "session_id": session,
        "turn_id": turn_id,
        "source": source,
        "since": instant(since),
        "until": instant(until),
        "q": q,
        "filter": filter_text(filter),
        "limit": page_size,
    }
    return Call(Request("GET", "/memory/observations", query=query), models.Observations)


def correct(
    id: str,
    *,
    text: str | None,
    subject: str | None,
    attribute: str | None,
    about: str | None,
    value: str | None,
    valid_from: Instant | None,
    stance: models.Stance | None,
) -> Call[models.StatedObservation]:
    """Correct an observation."""
    body = without_none(
        {
            "text": text,
            "subject": subject,
            "attribute": attribute,
            "about": about,
            "value": value,
            "valid_from": instant(valid_from),
            "stance": stance,
        }
    )
    return Call(Request("PATCH", f"/memory/observations/{path_id(id)}", body=body), models.StatedObservation)


def retract_observation(id: str) -> Request:
    """Hide an observation."""
    return Request("DELETE", f"/memory/observations/{path_id(id)}")


def retract_turn(id: str) -> Request:
    """Hide a turn."""
    return Request("DELETE", f"/memory/turns/{path_id(id)}")


def read_turn(id: str) -> Call[models.TurnDetails]:
    """Get a turn."""
    return Call(Request("GET", f"/memory/turns/{path_id(id)}"), models.TurnDetails)


def read_user(id: str) -> Call[models.UserDetails]:
    """Get a user."""
    return Call(Request("GET", f"/memory/users/{path_id(id)}"), models.UserDetails)


def name_user(id: str, names: Sequence[str]) -> Call[models.UserDetails]:
    """Set a user's own names."""
    body = {"names": None if names is None else list(names)}
    return Call(Request("PUT", f"/memory/users/{path_id(id)}", body=body), models.UserDetails)


def correct_entity(
    id: str,
    *,
    label: str | None,
    merge_into: str | None,
    split: Sequence[str | Mapping[str, Any]] | None,
    user: str | None,
) -> Call[models.EntityItem]:
    """Correct an entity."""
    query = {"user_id": user}
    body = without_none({"label": label, "merge_into": merge_into, "split": None if split is None else list(split)})
    return Call(Request("PATCH", f"/memory/entities/{path_id(id)}", query=query, body=body), models.EntityItem)


def title_session(id: str, title: str | None, *, user: str | None) -> Call[models.SessionItem]:
    """Title a session."""
    query = {"user_id": user}
    body = {"title": title}
    return Call(Request("PATCH", f"/memory/sessions/{path_id(id)}", query=query, body=body), models.SessionItem)


def erase(*, user: str | None, session: str | None) -> Call[models.Erased]:
    """Erase a user or a session."""
    query = {"user_id": user, "session_id": session}
    return Call(Request("DELETE", "/memory", query=query), models.Erased)


def list_users(
    *,
    sort: models.Sort | None,
    q: str | None,
    filter: Filter | None,
    page_size: int | None,
) -> Call[models.Users]:
    """List users."""
    query = {"sort": sort, "q": q, "filter": filter_text(filter), "limit": page_size}
    return Call(Request("GET", "/memory/users", query=query), models.Users)


def list_sessions(
    *,
    user: str | None,
    sort: models.Sort | None,
    q: str | None,
    filter: Filter | None,
    page_size: int | None,
) -> Call[models.Sessions]:
    """List sessions."""
    query = {"user_id": user, "sort": sort, "q": q, "filter": filter_text(filter), "limit": page_size}
    return Call(Request("GET", "/memory/sessions", query=query), models.Sessions)


def list_turns(
    *,
    user: str | None,
    session: str | None,
    role: str | None,
    since: Instant | None,
    until: Instant | None,
    filter: Filter | None,
    order: models.Order | None,
    q: str | None,
    page_size: int | None,
) -> Call[models.Turns]:
    """List turns."""
    query = {
        "user_id": user,
        "session_id": session,
        "role": role,
        "since": instant(since),
        "until": instant(until),
        "filter": filter_text(filter),
        "order": order,
        "q": q,
        "limit": page_size,
    }
    return Call(Request("GET", "/memory/turns", query=query), models.Turns)


def list_facts(
    *,
    user: str | None,
    session: str | None,
    subject: str | None,
    value: str | None,
    attribute: str | None,
    holds: models.Holds | None,
    as_of: Instant | None,
    q: str | None,
    filter: Filter | None,
    page_size: int | None,
) -> Call[models.Facts]:
    """List what holds."""
    query = {
        "user_id": user,
        "session_id": session,
        "subject": subject,
        "value": value,
        "attribute": attribute,
        "holds": holds,
        "as_of": instant(as_of),
        "q": q,
        "filter": filter_text(filter),
        "limit": page_size,
    }
    return Call(Request("GET", "/memory/facts", query=query), models.Facts)


def list_entities(
    *,
    user: str | None,
    session: str | None,
    turn_id: str | None,
    kind: str | None,
    q: str | None,
    filter: Filter | None,
    page_size: int | None,
) -> Call[models.Entities]:
    """List entities."""
    query = {
        "user_id": user,
        "session_id": session,
        "turn_id": turn_id,
        "kind": kind,
        "q": q,
        "filter": filter_text(filter),
        "limit": page_size,
    }
    return Call(Request("GET", "/memory/entities", query=query), models.Entities)


def read_stats(*, user: str | None, days: int | None) -> Call[models.MemoryStats]:
    """Count turns, facts and recalls by day."""
    query = {"user_id": user, "days": days}
    return Call(Request("GET", "/memory/stats", query=query), models.MemoryStats)


def usage_today(*, by: models.SplitBy | None, page_size: int | None) -> Call[models.UsageToday]:
    """Usage of the current UTC day."""
    query = {"by": by, "limit": page_size}
    return Call(Request("GET", "/usage/today", query=query), models.UsageToday)


def usage_month(*, month: str | None, by: models.SplitBy | None, page_size: int | None) -> Call[models.UsageMonth]:
    """Usage of a calendar month in UTC."""
    query = {"month": month, "by": by, "limit": page_size}
    return Call(Request("GET", "/usage/summary", query=query), models.UsageMonth)


def usage_daily(*, month: str | None, by: models.SplitBy | None, page_size: int | None) -> Call[models.UsageDaily]:
    """Usage of each UTC day of a month."""
    query = {"month": month, "by": by, "limit": page_size}
    return Call(Request("GET", "/usage/daily", query=query), models.UsageDaily)


def usage_statement(month: str) -> Call[models.UsageStatement]:
    """The signed statement of a month."""
    query = {"month": month}
    return Call(Request("GET", "/usage/statement", query=query), models.UsageStatement)


def me() -> Call[models.Me]:
    """Get the key's organization, user and roles."""
    return Call(Request("GET", "/me"), models.Me)


def retention() -> Call[models.Retention]:
    """Get the organization's retention."""
    return Call(Request("GET", "/me/retention"), models.Retention)


def set_retention(days: int | None) -> Call[models.Retention]:
    """Set the organization's retention."""
    body = {"days": days}
    return Call(Request("PUT", "/me/retention", body=body), models.Retention)


def screening() -> Call[models.Screening]:
    """Get what is screened."""
    return Call(Request("GET", "/me/screening"), models.Screening)


def set_screening(screen: models.ScreenChoice) -> Call[models.Screening]:
    """Set what is screened."""
    body = {"screen": screen}
    return Call(Request("PUT", "/me/screening", body=body), models.Screening)


def deletion() -> Call[models.OrganizationDeletion]:
    """Get the state of the organization's deletion."""
    return Call(Request("GET", "/me/deletion"), models.OrganizationDeletion)


def ask_deletion(org_id: str) -> Call[models.OrganizationDeletion]:
    """Ask for the deletion of the organization."""
    body = {"org_id": org_id}
    return Call(Request("PUT", "/me/deletion", body=body), models.OrganizationDeletion)


def withdraw_deletion() -> Call[models.OrganizationDeletion]:
    """Take the deletion of the organization back."""
    return Call(Request("DELETE", "/me/deletion"), models.OrganizationDeletion)


def confirm_deletion(org_id: str) -> Call[models.OrganizationDeletion]:
    """Confirm the deletion of the organization."""
    body = {"org_id": org_id}
    return Call(Request("POST", "/me/deletion/confirmation", body=body), models.OrganizationDeletion)


def list_api_keys() -> Call[models.ApiKeys]:
    """List API keys."""
    return Call(Request("GET", "/me/api-keys"), models.ApiKeys)


def create_api_key(
    name: str,
    *,
    roles: Sequence[models.Role] | None,
    user: str | None,
    session: str | None,
    expires_at: Instant | None,
    addresses: Sequence[str] | None,
    strict: bool | None,
) -> Call[models.NewApiKey]:
    """Create an API key."""
    body = without_none(
        {
            "name": name,
            "roles": None if roles is None else list(roles),
            "user_id": user,
            "session_id": session,
            "expires_at": instant(expires_at),
            "addresses": None if addresses is None else list(addresses),
            "strict": strict,
        }
    )
    return Call(Request("POST", "/me/api-keys", body=body, repeatable=False), models.NewApiKey)


def rotate_api_key(id: str, *, grace_seconds: int | None) -> Call[models.NewApiKey]:
    """Rotate an API key."""
    body = without_none({"grace_seconds": grace_seconds})
    return Call(Request("POST", f"/me/api-keys/{path_id(id)}/rotate", body=body, repeatable=False), models.NewApiKey)


def revoke_api_key(id: str) -> Request:
    """Revoke an API key."""
    return Request("DELETE", f"/me/api-keys/{path_id(id)}")


def list_webhooks() -> Call[models.Webhooks]:
    """List webhooks."""
    return Call(Request("GET", "/me/webhooks"), models.Webhooks)


def create_webhook(url: str, events: Sequence[models.WebhookEvent], *, user: str | None) -> Call[models.NewWebhook]:
    """Create a webhook."""
    body = without_none({"url": url, "events": None if events is None else list(events), "user_id": user})
    return Call(Request("POST", "/me/webhooks", body=body, repeatable=False), models.NewWebhook)


def delete_webhook(id: str) -> Request:
    """Delete a webhook."""
    return Request("DELETE", f"/me/webhooks/{path_id(id)}")


def list_webhook_deliveries(id: str) -> Call[models.WebhookDeliveries]:
    """List the last deliveries of a webhook."""
    return Call(Request("GET", f"/me/webhooks/{path_id(id)}/deliveries"), models.WebhookDeliveries)


def resume_webhook(id: str) -> Call[models.Webhook]:
    """Resume a webhook."""
    return Call(Request("POST", f"/me/webhooks/{path_id(id)}/resume"), models.Webhook)


def read_audit(
    *,
    since: Instant | None,
    until: Instant | None,
    action: str | None,
    actor: str | None,
    page_size: int | None,
) -> Call[models.AuditPage]:
    """Read the audit log."""
    query = {"since": instant(since), "until": instant(until), "action": action, "actor": actor, "limit": page_size}
    return Call(Request("GET", "/audit", query=query), models.AuditPage)
