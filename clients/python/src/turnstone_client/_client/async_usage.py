"""Usage, ``client.usage``, and the audit log, ``client.audit``."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from .. import models
from .._calls import operations
from .._calls.caller import Caller
from .._calls.inputs import Instant
from .._http.async_transport import AsyncTransport


class AsyncUsage:
    """Tokens in and out, by UTC day and calendar month, including every call that was answered before."""

    def __init__(self, caller: Caller, transport: AsyncTransport) -> None:
        self._caller = caller
        self._transport = transport

    async def today(self, *, timeout: float | None = None) -> models.UsageToday:
        """Usage of the current UTC day, with the caps."""
        return await self._transport.run(self._caller.call(operations.usage_today(), timeout))

    async def month(self, month: str | None = None, *, timeout: float | None = None) -> models.UsageMonth:
        """Usage of a month, such as ``2026-01``; default: the current one."""
        return await self._transport.run(self._caller.call(operations.usage_month(month=month), timeout))

    async def daily(self, month: str | None = None, *, timeout: float | None = None) -> models.UsageDaily:
        """Usage of each day of a month, such as ``2026-01``; default: the current one, up to today."""
        return await self._transport.run(self._caller.call(operations.usage_daily(month=month), timeout))

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
