"""What belongs to the organization: ``client.keys``, ``webhooks``, ``usage`` and ``audit``, and its settings."""

from __future__ import annotations

import builtins
from collections.abc import AsyncGenerator, Sequence

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

    async def rotate(
        self, id: str, *, grace_seconds: int | None = None, timeout: float | None = None
    ) -> models.NewApiKey:
        """Makes a key with the same rights; the former still works for ``grace_seconds`` (default: a day, 0: it is
        revoked at once).

        ``api_key`` has the secret, only this once. Not retried: a failed attempt may have made it.
        """
        call = operations.rotate_api_key(id, grace_seconds=grace_seconds)
        return await self._transport.run(self._caller.call(call, timeout))

    async def revoke(self, id: str, *, timeout: float | None = None) -> None:
        """Revokes a key; its tokens are refused from then on. Raises ``not_found`` for an unknown key."""
        await self._transport.run(self._caller.removal(operations.revoke_api_key(id), timeout))


class AsyncWebhooks:
    """Webhooks: the organization's with ``*``, else those of the own user. Needs the role ``keys:manage``."""

    def __init__(self, caller: Caller, transport: AsyncTransport) -> None:
        self._caller = caller
        self._transport = transport

    async def list(self, *, timeout: float | None = None) -> builtins.list[models.Webhook]:
        """The webhooks, oldest first, without their secrets."""
        answer = await self._transport.run(self._caller.call(operations.list_webhooks(), timeout))
        return listed(answer, "webhooks")

    async def create(
        self,
        url: str,
        events: Sequence[models.WebhookEvent],
        *,
        user: str | None = None,
        timeout: float | None = None,
    ) -> models.NewWebhook:
        """Creates a webhook; ``secret`` signs its messages (``verify_webhook``) and is shown only this once.

        Not retried: a failed attempt may have created it. ``user``: only this user's; default: all the key may see.
        """
        call = operations.create_webhook(url, events, user=user)
        return await self._transport.run(self._caller.call(call, timeout))

    async def delete(self, id: str, *, timeout: float | None = None) -> None:
        """Deletes a webhook. Raises ``not_found`` for an unknown one."""
        await self._transport.run(self._caller.removal(operations.delete_webhook(id), timeout))

    async def deliveries(self, id: str, *, timeout: float | None = None) -> builtins.list[models.WebhookDelivery]:
        """The last attempts, newest first, without words."""
        answer = await self._transport.run(self._caller.call(operations.list_webhook_deliveries(id), timeout))
        return listed(answer, "deliveries")

    async def resume(self, id: str, *, timeout: float | None = None) -> models.Webhook:
        """It goes on from where it stopped, with the rights of this key."""
        return await self._transport.run(self._caller.call(operations.resume_webhook(id), timeout))


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

    async def deletion(self, *, timeout: float | None = None) -> models.OrganizationDeletion:
        """Whether somebody asked for the deletion of the organization, and when it can be confirmed."""
        return await self._transport.run(self._caller.call(operations.deletion(), timeout))

    async def ask_deletion(self, org_id: str, *, timeout: float | None = None) -> models.OrganizationDeletion:
        """Asks for the deletion of the organization, which ``org_id`` names; it can be confirmed a day later.

        Needs the role ``*``.
        """
        return await self._transport.run(self._caller.call(operations.ask_deletion(org_id), timeout))

    async def confirm_deletion(self, org_id: str, *, timeout: float | None = None) -> models.OrganizationDeletion:
        """Confirms it, which can't be undone: every key is refused from then on.

        Raises ``conflict`` where it is too early, or too late.
        """
        return await self._transport.run(self._caller.call(operations.confirm_deletion(org_id), timeout))

    async def withdraw_deletion(self, *, timeout: float | None = None) -> models.OrganizationDeletion:
        """Takes it back. Needs the role ``*``."""
        return await self._transport.run(self._caller.call(operations.withdraw_deletion(), timeout))

    async def screening(self, *, timeout: float | None = None) -> models.Screening:
        """Whether secrets are replaced in what the organization sends, before it is stored."""
        return await self._transport.run(self._caller.call(operations.screening(), timeout))

    async def set_screening(self, screen: models.ScreenChoice, *, timeout: float | None = None) -> models.Screening:
        """Sets it, from the next call on; ``default``: what the installation does. Needs the role ``*``."""
        return await self._transport.run(self._caller.call(operations.set_screening(screen), timeout))


class AsyncUsage:
    """Tokens in and out, by UTC day and calendar month, including every call that was answered before."""

    def __init__(self, caller: Caller, transport: AsyncTransport) -> None:
        self._caller = caller
        self._transport = transport

    async def today(
        self, *, by: models.SplitBy | None = None, limit: int | None = None, timeout: float | None = None
    ) -> models.UsageToday:
        """Usage of the current UTC day, with the caps. With ``by`` also ``split``: the sums by user, by session
        or by key, of which ``limit`` (default 100) are told apart; for a key without ``*`` its own user's
        alone, of which the sums are then, too."""
        return await self._transport.run(self._caller.call(operations.usage_today(by=by, page_size=limit), timeout))

    async def month(
        self,
        month: str | None = None,
        *,
        by: models.SplitBy | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.UsageMonth:
        """Usage of a month, such as ``2026-01``; default: the current one. ``by`` and ``limit`` as in
        ``today``."""
        call = operations.usage_month(month=month, by=by, page_size=limit)
        return await self._transport.run(self._caller.call(call, timeout))

    async def daily(
        self,
        month: str | None = None,
        *,
        by: models.SplitBy | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.UsageDaily:
        """Usage of each day of a month, such as ``2026-01``; default: the current one, up to today. ``by`` and
        ``limit`` as in ``today``."""
        call = operations.usage_daily(month=month, by=by, page_size=limit)
        return await self._transport.run(self._caller.call(call, timeout))

    async def statement(self, month: str, *, timeout: float | None = None) -> models.UsageStatement:
        """The signed statement of a month, such as ``2026-01``: a JWS of its totals by day and the Merkle
        root of what was billed. 409 until two hours after the month's end, 422 for a month in the
        future."""
        return await self._transport.run(self._caller.call(operations.usage_statement(month), timeout))


class AsyncAudit:
    """What was done with the organization; needs the role ``audit:read``."""

    def __init__(self, caller: Caller, transport: AsyncTransport) -> None:
        self._caller = caller
        self._transport = transport

    def entries(
        self,
        *,
        since: Instant | None = None,
        until: Instant | None = None,
        action: str | None = None,
        actor: str | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.AuditEntry, None]:
        """Entries, newest first, fetched page by page during iteration.

        ``since``, ``until``: from the one instant on and before the other. ``action``: such as ``keys.create``.
        ``actor``: the id of a key or of a user, or a kind: ``key``, ``operator``, ``sign_up``.
        """
        call = operations.read_audit(since=since, until=until, action=action, actor=actor, page_size=page_size)
        return self._transport.iterate(self._caller.items(call, timeout))
