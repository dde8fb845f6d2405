"""Lists of what is stored."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from .. import models
from .._calls import operations
from .._calls.caller import Caller
from .._calls.inputs import Instant, reading_user
from .._calls.sent import Filter
from .._calls.settings import Settings
from .._http.async_transport import AsyncTransport


class AsyncLists:
    """Lists are fetched page by page during iteration, and stay exact while turns arrive.

    They are of the client's own ``user``, unless the call names another or says ``all_users=True``: all that the
    key may see, as in ``users``.
    ``q``: words to look for: the items that have them, the best first, at most 1,000, each with a ``match``; not
    together with ``sort`` or ``order``.
    ``filter``: only turns whose metadata passes, and what was found in them.
    ``page_size``: items per request, 1 to 200; default 50.
    """

    def __init__(self, caller: Caller, transport: AsyncTransport, settings: Settings) -> None:
        self._caller = caller
        self._transport = transport
        self._settings = settings

    def _user(self, user: str | None, all_users: bool) -> str | None:
        return reading_user(user, all_users, self._settings.user)

    def users(
        self,
        *,
        sort: models.Sort | None = None,
        q: str | None = None,
        filter: Filter | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.UserItem, None]:
        """Users, ordered by name; with ``sort="last_at"`` by their last turn, the newest first.

        By ``last_at`` what gets a turn meanwhile moves to the front, where later pages do not come.
        """
        call = operations.list_users(sort=sort, q=q, filter=filter, page_size=page_size)
        return self._transport.iterate(self._caller.items(call, timeout))

    def sessions(
        self,
        *,
        user: str | None = None,
        all_users: bool = False,
        sort: models.Sort | None = None,
        q: str | None = None,
        filter: Filter | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.SessionItem, None]:
        """Sessions, ordered by user and name; with ``sort="last_at"`` by their last turn, as ``users``."""
        call = operations.list_sessions(
            user=self._user(user, all_users), sort=sort, q=q, filter=filter, page_size=page_size
        )
        return self._transport.iterate(self._caller.items(call, timeout))

    def turns(
        self,
        *,
        user: str | None = None,
        all_users: bool = False,
        session: str | None = None,
        role: str | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
        order: models.Order | None = None,
        q: str | None = None,
        filter: Filter | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.TurnItem, None]:
        """Turns, ordered by user, session and time; descending with ``order="desc"``."""
        call = operations.list_turns(
            user=self._user(user, all_users),
            session=session,
            role=role,
            since=since,
            until=until,
            order=order,
            q=q,
            filter=filter,
            page_size=page_size,
        )
        return self._transport.iterate(self._caller.items(call, timeout))

    def observations(
        self,
        *,
        user: str | None = None,
        all_users: bool = False,
        session: str | None = None,
        turn_id: str | None = None,
        source: models.Source | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
        q: str | None = None,
        filter: Filter | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.ObservationItem, None]:
        """Observations, in the order of their turns."""
        call = operations.list_observations(
            user=self._user(user, all_users),
            session=session,
            turn_id=turn_id,
            source=source,
            since=since,
            until=until,
            q=q,
            filter=filter,
            page_size=page_size,
        )
        return self._transport.iterate(self._caller.items(call, timeout))

    def entities(
        self,
        *,
        user: str | None = None,
        all_users: bool = False,
        session: str | None = None,
        turn_id: str | None = None,
        kind: str | None = None,
        q: str | None = None,
        filter: Filter | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.EntityItem, None]:
        """People, places, organizations, products and others mentioned in turns."""
        call = operations.list_entities(
            user=self._user(user, all_users),
            session=session,
            turn_id=turn_id,
            kind=kind,
            q=q,
            filter=filter,
            page_size=page_size,
        )
        return self._transport.iterate(self._caller.items(call, timeout))

    def facts(
        self,
        *,
        user: str | None = None,
        all_users: bool = False,
        session: str | None = None,
        subject: str | None = None,
        value: str | None = None,
        attribute: str | None = None,
        holds: models.Holds | None = None,
        as_of: Instant | None = None,
        q: str | None = None,
        filter: Filter | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.FactItem, None]:
        """What holds of one user and of the people and things they speak of; with ``holds="ever"`` also what held.

        ``user`` is required for a key that may name any. ``value``: only facts whose value names this entity, so what
        it is to others. ``as_of``: what held then, of what was recorded by then.
        """
        call = operations.list_facts(
            user=self._user(user, all_users),
            session=session,
            subject=subject,
            value=value,
            attribute=attribute,
            holds=holds,
            as_of=as_of,
            q=q,
            filter=filter,
            page_size=page_size,
        )
        return self._transport.iterate(self._caller.items(call, timeout))

    async def stats(
        self,
        *,
        user: str | None = None,
        all_users: bool = False,
        days: int | None = None,
        timeout: float | None = None,
    ) -> models.MemoryStats:
        """What was stored and asked on each of the last UTC days, and the recalls of these days in bins.

        ``days``: so many, up to and with the current one, 1 to 366; default 30.
        """
        call = operations.read_stats(user=self._user(user, all_users), days=days)
        return await self._transport.run(self._caller.call(call, timeout))

    async def turn(self, id: str, *, timeout: float | None = None) -> models.TurnDetails:
        """One turn with its observations, its entities and its position in the log."""
        return await self._transport.run(self._caller.call(operations.read_turn(id), timeout))
