"""Usage: ``client.usage``."""

from __future__ import annotations

from .. import models
from .._calls import operations
from .._calls.caller import Caller
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
