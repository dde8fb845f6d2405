"""The calls that have a name of two words: ``client.usage``, ``client.memory`` and ``client.keys``."""

from __future__ import annotations

import builtins
from collections.abc import AsyncGenerator, Sequence

from . import _operations as operations
from . import models
from ._async_transport import AsyncTransport
from ._caller import Caller
from ._calls import listed
from ._inputs import Instant


class AsyncUsage:
    """Tokens in and out, by UTC days and calendar months. Every call that was answered before is in them."""

    def __init__(self, caller: Caller, transport: AsyncTransport) -> None:
        self._caller = caller
        self._transport = transport

    async def today(self, *, timeout: float | None = None) -> models.UsageToday:
        """Of the running UTC day, with the caps."""
        return await self._transport.run(self._caller.call(operations.usage_today(), timeout))

    async def month(self, month: str | None = None, *, timeout: float | None = None) -> models.UsageMonth:
        """Of a month, as ``2026-01``; default: the current one."""
        return await self._transport.run(self._caller.call(operations.usage_month(month), timeout))

    async def daily(self, month: str | None = None, *, timeout: float | None = None) -> models.UsageDaily:
        """Of each day of a month, as ``2026-01``; default: the current one, up to today."""
        return await self._transport.run(self._caller.call(operations.usage_daily(month), timeout))


class AsyncMemory:
    """What is stored. Lists are fetched page by page as they are iterated, and stay exact while turns arrive.

    They span all that the key may see; the client's own ``user`` and ``session`` don't narrow them.
    ``page_size``: items that are fetched at a time, 1 to 200; default 50.
    """

    def __init__(self, caller: Caller, transport: AsyncTransport) -> None:
        self._caller = caller
        self._transport = transport

    def users(
        self, *, page_size: int | None = None, timeout: float | None = None
    ) -> AsyncGenerator[models.UserItem, None]:
        """Users, by name."""
        return self._transport.iterate(self._caller.items(operations.list_users(page_size), timeout))

    def sessions(
        self, *, user: str | None = None, page_size: int | None = None, timeout: float | None = None
    ) -> AsyncGenerator[models.SessionItem, None]:
        """Sessions, by user and name."""
        return self._transport.iterate(self._caller.items(operations.list_sessions(user, page_size), timeout))

    def turns(
        self,
        *,
        user: str | None = None,
        session: str | None = None,
        role: str | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
        order: models.Order | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.TurnItem, None]:
        """Turns, by user, session and time: as they were spoken, or the other way round with ``order="desc"``."""
        call = operations.list_turns(
            user=user, session=session, role=role, since=since, until=until, order=order, page_size=page_size
        )
        return self._transport.iterate(self._caller.items(call, timeout))

    def observations(
        self,
        *,
        user: str | None = None,
        session: str | None = None,
        turn_id: str | None = None,
        source: models.Source | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.ObservationItem, None]:
        """Observations, in the order of their turns."""
        call = operations.list_observations(
            user=user,
            session=session,
            turn_id=turn_id,
            source=source,
            since=since,
            until=until,
            page_size=page_size,
        )
        return self._transport.iterate(self._caller.items(call, timeout))

    def entities(
        self,
        *,
        user: str | None = None,
        session: str | None = None,
        turn_id: str | None = None,
        kind: str | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.EntityItem, None]:
        """People, places, organizations and products that turns name."""
        call = operations.list_entities(user=user, session=session, turn_id=turn_id, kind=kind, page_size=page_size)
        return self._transport.iterate(self._caller.items(call, timeout))

    async def turn(self, id: str, *, timeout: float | None = None) -> models.TurnDetails:
        """One turn with what was made of it, and its place in the log."""
        return await self._transport.run(self._caller.call(operations.turn(id), timeout))


class AsyncKeys:
    """The API keys of the organization. Needs the role ``keys:manage``."""

    def __init__(self, caller: Caller, transport: AsyncTransport) -> None:
        self._caller = caller
        self._transport = transport

    async def list(self, *, timeout: float | None = None) -> builtins.list[models.ApiKey]:
        """Oldest first, without those that are revoked."""
        answer = await self._transport.run(self._caller.call(operations.list_api_keys(), timeout))
        return listed(answer, "api_keys")

    async def create(
        self,
        name: str,
        *,
        roles: Sequence[models.Role] | None = None,
        user: str | None = None,
        session: str | None = None,
        timeout: float | None = None,
    ) -> models.NewApiKey:
        """Makes a key, whose secret is in ``api_key`` this once. Not repeated where it is not known to have failed.

        Without ``roles`` it has those of the key that makes it; ``user`` and ``session`` are those of its tokens.
        """
        call = operations.create_api_key(name, roles=roles, user=user, session=session)
        return await self._transport.run(self._caller.call(call, timeout))

    async def revoke(self, id: str, *, timeout: float | None = None) -> None:
        """Revokes a key; its tokens are refused from then on. One that there is not: ``not_found``."""
        await self._transport.run(self._caller.removal(operations.revoke_api_key(id), timeout))
