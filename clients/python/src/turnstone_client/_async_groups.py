"""The groups of calls: ``client.usage``, ``client.memory`` and ``client.keys``."""

from __future__ import annotations

import builtins
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from . import _operations as operations
from . import models
from ._async_transport import AsyncTransport
from ._caller import Caller
from ._calls import listed
from ._inputs import Instant, given, reading_user
from ._sent import Filter
from ._settings import Settings


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


class AsyncMemory:
    """Lists of what is stored, and calls that say, correct or hide one item, and correct names. Lists are
    fetched page by page during iteration, and stay exact while turns arrive.

    Lists are of the client's own ``user``, unless the call names another or says ``all_users=True``: all that the
    key may see, as in ``users``. The client's own ``session`` applies to ``add_fact`` alone.
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
        filter: Filter | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.UserItem, None]:
        """Users, ordered by name."""
        call = operations.list_users(filter=filter, page_size=page_size)
        return self._transport.iterate(self._caller.items(call, timeout))

    def sessions(
        self,
        *,
        user: str | None = None,
        all_users: bool = False,
        filter: Filter | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.SessionItem, None]:
        """Sessions, ordered by user and name."""
        call = operations.list_sessions(user=self._user(user, all_users), filter=filter, page_size=page_size)
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
            filter=filter,
            page_size=page_size,
        )
        return self._transport.iterate(self._caller.items(call, timeout))

    async def turn(self, id: str, *, timeout: float | None = None) -> models.TurnDetails:
        """One turn with its observations, its entities and its position in the log."""
        return await self._transport.run(self._caller.call(operations.read_turn(id), timeout))

    async def add_fact(
        self,
        text: str,
        *,
        user: str | None = None,
        session: str | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        value: str | None = None,
        valid_from: Instant | None = None,
        ended: bool | None = None,
        timestamp: Instant | None = None,
        metadata: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> models.StatedObservation:
        """Says a fact that no turn says. It is found at once; saying the same again in the session stores nothing.

        ``subject``: whose ``attribute`` it is; default: The user. ``ended=True``: it no longer holds.
        ``valid_from``: from when it holds; default: the ``timestamp``, by default the service's now.
        """
        call = operations.say(
            text,
            user=given(user, self._settings.user),
            session=given(session, self._settings.session),
            subject=subject,
            attribute=attribute,
            value=value,
            valid_from=valid_from,
            ended=ended,
            timestamp=timestamp,
            metadata=metadata,
        )
        return await self._transport.run(self._caller.call(call, timeout))

    async def correct(
        self,
        id: str,
        *,
        text: str | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        value: str | None = None,
        valid_from: Instant | None = None,
        timeout: float | None = None,
    ) -> models.StatedObservation:
        """Corrects an observation or fact by any of its ids; returns the observation that supersedes it.

        The old value never held, wherever it was said by now; what began later still holds. What is left out stays.
        ``text``: default: the old one with the corrected value and subject in it.
        """
        call = operations.correct(
            id, text=text, subject=subject, attribute=attribute, value=value, valid_from=valid_from
        )
        return await self._transport.run(self._caller.call(call, timeout))

    async def delete_turn(self, id: str, *, timeout: float | None = None) -> None:
        """Hides a turn, with its observations and mentions, from every answer for good.

        Its words are destroyed only when its session is erased, by ``forget``.
        Raises ``not_found`` for an unknown turn.
        """
        await self._transport.run(self._caller.removal(operations.retract_turn(id), timeout))

    async def delete_observation(self, id: str, *, timeout: float | None = None) -> None:
        """Hides one observation or fact; the older value holds again. Its turn stays, as does what other turns say."""
        await self._transport.run(self._caller.removal(operations.retract_observation(id), timeout))

    async def correct_entity(
        self,
        id: str,
        *,
        label: str | None = None,
        merge_into: str | None = None,
        split: Sequence[str] | None = None,
        user: str | None = None,
        timeout: float | None = None,
    ) -> models.EntityItem:
        """Renames an entity, merges it with another one, or sets names of it apart; a later correction undoes it.

        ``merge_into``: the id of the entity that it is. ``split``: ids of its names (aliases) that are somebody
        else's; not together with ``merge_into``. ``user`` is required for a key that may name any. Returns the
        entity as the list has it.
        """
        call = operations.correct_entity(id, label=label, merge_into=merge_into, split=split, user=user)
        return await self._transport.run(self._caller.call(call, timeout))

    async def title_session(
        self, id: str, title: str | None, *, user: str | None = None, timeout: float | None = None
    ) -> models.SessionItem:
        """Gives a session a title, which lists show; ``None`` removes it."""
        return await self._transport.run(self._caller.call(operations.title_session(id, title, user=user), timeout))


class AsyncKeys:
    """The API keys of the organization. Needs the role ``keys:manage``."""

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
        strict: bool | None = None,
        timeout: float | None = None,
    ) -> models.NewApiKey:
        """Creates a key; ``api_key`` has its secret, only this once. Not retried: a failed attempt may have created it.

        ``roles``: default: those of the creating key; ``user`` and ``session``: those of calls that name none;
        ``strict``: whether they are bounds instead.
        """
        call = operations.create_api_key(name, roles=roles, user=user, session=session, strict=strict)
        return await self._transport.run(self._caller.call(call, timeout))

    async def revoke(self, id: str, *, timeout: float | None = None) -> None:
        """Revokes a key; its tokens are refused from then on. Raises ``not_found`` for an unknown key."""
        await self._transport.run(self._caller.removal(operations.revoke_api_key(id), timeout))
