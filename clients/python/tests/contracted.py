"""Which model is which schema of the OpenAPI document, and which function makes which operation's request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnstone_client import models
from turnstone_client._calls import operations as requests
from turnstone_client._calls.call import Call, Request

# Schema names that differ from the model's name.
MODELS = {
    name: getattr(models, name)
    for name in [
        "ApiKey",
        "ApiKeys",
        "Entities",
        "EntityAlias",
        "EntityHit",
        "EntityItem",
        "Erased",
        "Explanation",
        "FactItem",
        "Facts",
        "Freshness",
        "Ingested",
        "Job",
        "Limits",
        "Me",
        "NestedObservation",
        "NewApiKey",
        "ObservationEvent",
        "ObservationHit",
        "ObservationItem",
        "Observations",
        "Receipt",
        "ReceiptHit",
        "Recalled",
        "Retention",
        "SessionItem",
        "Sessions",
        "StatedObservation",
        "TextPart",
        "TurnDetails",
        "TurnEntity",
        "TurnEvent",
        "TurnHit",
        "TurnItem",
        "Turns",
        "Usage",
        "UsageDaily",
        "UsageMonth",
        "UsageStatement",
        "UsageToday",
        "UserDetails",
        "UserItem",
        "Users",
    ]
}
# Requests, whose operations are compared below; errors, which have their own table; and what no client calls.
NOT_MODELS = {
    "Correct",
    "CorrectEntity",
    "CreateApiKey",
    "Erase",
    "Error",
    "Faults",
    "Filter",
    "Health",
    "Ingest",
    "InvalidRequest",
    "Jwks",
    "NameUser",
    "OnlyId",
    "QuotaDetails",
    "RateDetails",
    "Readiness",
    "Recall",
    "Say",
    "SetRetention",
    "SignUp",
    "SignedUp",
    "TitleSession",
    "TokenExchange",
    "TokenRefresh",
    "Tokens",
    "TooManyRequests",
}
# The key goes with every call, so tokens are for others.
NOT_CALLED = {
    "signUp",
    "exchangeToken",
    "refreshToken",
    "signingKeys",
    "export",
    "health",
    "readiness",
    "metrics",
    "openApi",
    "docs",
}
# By operation id; requests of the feed are built by the caller itself.
CALLS: dict[str, Callable[..., Call[Any] | Request]] = {
    "ingest": requests.ingest,
    "job": requests.job,
    "recall": requests.recall,
    "readReceipt": requests.read_receipt,
    "erase": requests.erase,
    "listUsers": requests.list_users,
    "listSessions": requests.list_sessions,
    "listTurns": requests.list_turns,
    "listObservations": requests.list_observations,
    "listEntities": requests.list_entities,
    "listFacts": requests.list_facts,
    "readTurn": requests.read_turn,
    "say": requests.say,
    "correct": requests.correct,
    "retractTurn": requests.retract_turn,
    "retractObservation": requests.retract_observation,
    "readUser": requests.read_user,
    "nameUser": requests.name_user,
    "correctEntity": requests.correct_entity,
    "titleSession": requests.title_session,
    "usageToday": requests.usage_today,
    "usageMonth": requests.usage_month,
    "usageDaily": requests.usage_daily,
    "usageStatement": requests.usage_statement,
    "me": requests.me,
    "retention": requests.retention,
    "setRetention": requests.set_retention,
    "listApiKeys": requests.list_api_keys,
    "createApiKey": requests.create_api_key,
    "revokeApiKey": requests.revoke_api_key,
}
IN_THE_CALLER = {"feed"}
