"""The tokens that a client holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from .models import Tokens

EARLY = 60.0
"""Seconds before its expiry at which an access token is renewed; for a short-lived one, a tenth of its lifetime."""


@dataclass(frozen=True)
class Held:
    access: str = field(repr=False)
    refresh: str = field(repr=False)
    renew_at: float
    """On the monotonic clock."""


def hold(tokens: Tokens, asked_at: float) -> Held:
    early = min(EARLY, tokens.expires_in / 10)
    return Held(tokens.access_token, tokens.refresh_token, asked_at + tokens.expires_in - early)
