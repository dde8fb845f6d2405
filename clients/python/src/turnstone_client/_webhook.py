"""Checks messages of webhooks, as Standard Webhooks has it."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import TurnstoneError

PREFIX = "whsec_"


@dataclass(frozen=True)
class WebhookMessage:
    """A message whose signature is right.

    ``id`` is the same in every attempt: one that came before is to be answered and forgotten. ``type``: ``turn``,
    ``fact``, ``erased`` or ``quota``; ``timestamp``: when it happened.
    """

    id: str
    type: str
    timestamp: str
    data: dict[str, Any]


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: str | bytes,
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> WebhookMessage:
    """Returns a message whose signature is right; raises ``unauthenticated`` otherwise.

    ``body``: as it came, before anything has parsed it. ``tolerance``: how old a message may be, in seconds; one that
    is retried is signed anew.
    """
    key = _key(secret)
    named = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (
        _header(named, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    at = int(timestamp) if timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12 else None
    if at is None or abs((time.time() if now is None else now) - at) > tolerance:
        raise _refused("The message is too old, or from the future.")
    content = body.encode() if isinstance(body, str) else body
    expected = base64.b64encode(hmac.digest(key, f"{id}.{timestamp}.".encode() + content, "sha256")).decode()
    if not any(hmac.compare_digest(f"v1,{expected}".encode(), one.encode()) for one in signatures.split(" ")):
        raise _refused("The signature is wrong.")
    try:
        message = json.loads(content)
        return WebhookMessage(id, message["type"], message["timestamp"], message["data"])
    except (ValueError, TypeError, KeyError):
        raise _refused("The message is not one of Turnstone.") from None


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True) if secret.startswith(PREFIX) else b""
    except binascii.Error:
        key = b""
    if not key:
        raise TurnstoneError("The secret of a webhook begins with whsec_.", code="configuration")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name, "")
    if not value:
        raise _refused(f"The header {name} is missing.")
    return value


def _refused(message: str) -> TurnstoneError:
    return TurnstoneError(message, code="unauthenticated")
