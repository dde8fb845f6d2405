"""What is stored: ``client.memory``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import models
from .._calls import operations
from .._calls.inputs import Instant, given
from .async_lists import AsyncLists


class AsyncMemory(AsyncLists):
    """Lists of what is stored, and calls that say, correct or hide one item, and correct names.

    The client's own ``session`` applies to ``add_fact`` alone.
    """

    async def add_fact(
        self,
        text: str,
        *,
        user: str | None = None,
        session: str | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        about: str | None = None,
        value: str | None = None,
        valid_from: Instant | None = None,
        ended: bool | None = None,
        stance: models.Stance | None = None,
        timestamp: Instant | None = None,
        metadata: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> models.StatedObservation:
        """Says a fact that no turn says. It is found at once; saying the same again in the session stores nothing.

        ``subject``: whose ``attribute`` it is; default: The user. ``ended=True``: it no longer holds.
        ``about``: the object that the attribute is of. ``valid_from``: from when it holds; default: not said.
        ``stance``: how it was said; default: plan if ``valid_from`` is later, else changed if it ended, else holds.
        """
        call = operations.say(
            text,
            user=given(user, self._settings.user),
            session=given(session, self._settings.session),
            subject=subject,
            attribute=attribute,
            about=about,
            value=value,
            valid_from=valid_from,
            ended=ended,
            stance=stance,
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
        about: str | None = None,
        value: str | None = None,
        valid_from: Instant | None = None,
        stance: models.Stance | None = None,
        timeout: float | None = None,
    ) -> models.StatedObservation:
        """Corrects an observation or fact by any of its ids; returns the observation that supersedes it.

        The old value never held, wherever it was said by now; what began later still holds. What is left out stays.
        ``text``: default: the old one with the corrected value and subject in it.
        """
        call = operations.correct(
            id,
            text=text,
            subject=subject,
            attribute=attribute,
            about=about,
            value=value,
            valid_from=valid_from,
            stance=stance,
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
        split: Sequence[str | Mapping[str, Any]] | None = None,
        user: str | None = None,
        timeout: float | None = None,
    ) -> models.EntityItem:
        """Renames an entity, merges it with another one, or sets names of it apart; a later correction undoes it.

        ``merge_into``: the id of the entity that it is. ``split``: ids of its names (aliases) that are somebody
        else's, or sessions in which its name is another person's, each ``{"session_id": …, "label": …}`` (the label
        is optional); not together with ``merge_into``. ``user`` is required for a key that may name any. Returns
        the entity as the list has it.
        """
        call = operations.correct_entity(id, label=label, merge_into=merge_into, split=split, user=user)
        return await self._transport.run(self._caller.call(call, timeout))

    async def user(self, id: str, *, timeout: float | None = None) -> models.UserDetails:
        """A user with its counts, its own names, and those that its words suggest ("my name is Ada")."""
        return await self._transport.run(self._caller.call(operations.read_user(id), timeout))

    async def name_user(self, id: str, names: Sequence[str], *, timeout: float | None = None) -> models.UserDetails:
        """Sets the names that are the user's own, in place of those set before; none removes them.

        What these names say and what the role user says is one subject, labelled by the first.
        """
        return await self._transport.run(self._caller.call(operations.name_user(id, names), timeout))

    async def title_session(
        self, id: str, title: str | None, *, user: str | None = None, timeout: float | None = None
    ) -> models.SessionItem:
        """Gives a session a title, which lists show; ``None`` removes it."""
        return await self._transport.run(self._caller.call(operations.title_session(id, title, user=user), timeout))
