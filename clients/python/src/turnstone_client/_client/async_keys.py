"""API keys: ``client.keys``. And the settings of an organization."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from .. import models
from .._calls import operations
from .._calls.call import listed
from .._calls.caller import Caller
from .._calls.inputs import Instant
from .._http.async_transport import AsyncTransport


class AsyncKeys:
    """API keys: the organization's with ``*``, else those of the own user. Needs the role ``keys:manage``."""

    def __init__(self, caller: Caller, transport: AsyncTransport) -> None:
        self._caller = caller
        self._transport = transport

    async def list(self, *, timeout: float | None = None) -> builtins.list[models.ApiKey]:
        """The keys, oldest first, without revoked ones."""
        answer = await self._transport.run(self._caller.call(operations.list_api_keys(), timeout))
        return listed(answer, "api_keys")

    async def create(
        self,
        name: str,
        *,
        roles: Sequence[models.Role] | None = None,
        user: str | None = None,
        session: str | None = None,
        expires_at: Instant | None = None,
        addresses: Sequence[str] | None = None,
        strict: bool | None = None,
        timeout: float | None = None,
    ) -> models.NewApiKey:
        """Creates a key; ``api_key`` has its secret, only this once. Not retried: a failed attempt may have created it.

        ``roles``: default: those of the creating key; ``user`` and ``session``: those of calls that name none;
        ``expires_at``: until when it works; ``addresses``: the client addresses that it works from, alone or as ranges
        (``192.0.2.0/24``); ``strict``: whether user and session are bounds instead.
        """
        call = operations.create_api_key(
            name,
            roles=roles,
            user=user,
            session=session,
            expires_at=expires_at,
            addresses=addresses,
            strict=strict,
        )
        return await self._transport.run(self._caller.call(call, timeout))

    async def revoke(self, id: str, *, timeout: float | None = None) -> None:
        """Revokes a key; its tokens are refused from then on. Raises ``not_found`` for an unknown key."""
        await self._transport.run(self._caller.removal(operations.revoke_api_key(id), timeout))


class AsyncSettings:
    """How long an organization keeps what it stores, and what it screens."""

    _caller: Caller
    _transport: AsyncTransport

    async def retention(self, *, timeout: float | None = None) -> models.Retention:
        """How long the organization keeps what has no expiry of its own."""
        return await self._transport.run(self._caller.call(operations.retention(), timeout))

    async def set_retention(self, days: int | None, *, timeout: float | None = None) -> models.Retention:
        """Sets it to 1 to 36,500 days, or ``None`` for ever; in force 24 hours later. Needs the role ``*``."""
        return await self._transport.run(self._caller.call(operations.set_retention(days), timeout))

    async def screening(self, *, timeout: float | None = None) -> models.Screening:
        """Whether secrets are replaced in what the organization sends, before it is stored."""
        return await self._transport.run(self._caller.call(operations.screening(), timeout))

    async def set_screening(self, screen: models.ScreenChoice, *, timeout: float | None = None) -> models.Screening:
        """Sets it, from the next call on; ``default``: what the installation does. Needs the role ``*``."""
        return await self._transport.run(self._caller.call(operations.set_screening(screen), timeout))
