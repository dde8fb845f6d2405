"""A session that is kept by Turnstone, and recalled in others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from datetime import datetime, timedelta, timezone
from typing import Any

from agents import SessionSettings, TResponseInputItem
from agents.run import CallModelData, ModelInputData

from turnstone_client import AsyncTurnstone, Turn, TurnstoneError
from turnstone_client.models import TurnItem

from .items import item_of, words_of

_MOST_QUESTION = 8_192
"""Maximum characters of a question: the service's limit."""
_LARGEST_PAGE = 200
_MILLISECOND = timedelta(milliseconds=1)

_logger = logging.getLogger("turnstone_openai_agents")


def _log(error: TurnstoneError) -> None:
    # It has neither words nor keys.
    _logger.warning("no recall: %s", error)


class TurnstoneSession:
    """The SDK's ``Session``, of which the words are turns of Turnstone: what is hidden or erased there is gone here.

    Its calls fail as those of the client do: without them there is no conversation. ``recalled`` never fails a run.

    ``user``: whose memory. ``context_max_tokens``: of what is recalled, 50 to 8,000. ``patience``: seconds that a run
    waits for a recall. ``on_error`` gets the reason where there was none; default: a warning of the logger
    ``turnstone_openai_agents``. ``session_settings``: the SDK's, such as the number of items that a run begins with.
    """

    def __init__(
        self,
        client: AsyncTurnstone,
        session_id: str,
        *,
        user: str,
        context_max_tokens: int = 800,
        patience: float = 2.0,
        on_error: Callable[[TurnstoneError], None] = _log,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._client = client
        self._user = user
        self._context_max_tokens = context_max_tokens
        self._patience = patience
        self._on_error = on_error
        self._last = datetime.min.replace(tzinfo=timezone.utc)
        self._asked: tuple[str, datetime] | None = None
        self._told = ("", "")

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The messages in the order in which they were said; with ``limit`` the newest."""
        items: list[TResponseInputItem] = []
        if limit is not None and limit <= 0:
            return items
        async for turn in self._turns(newest_first=limit is not None, page_size=limit):
            item = item_of(turn)
            if item is not None:
                items.append(item)
            if len(items) == limit:
                break
        return items if limit is None else items[::-1]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Stores the words of messages. Items without any, such as calls of tools, are left out."""
        said = [words for words in map(words_of, items) if words is not None]
        if not said:
            return
        # Turns are ordered by their time: each has one of its own.
        begin = max(datetime.now(timezone.utc), self._last + _MILLISECOND)
        turns = [Turn(role=role, text=text, timestamp=begin + i * _MILLISECOND) for i, (role, text) in enumerate(said)]
        self._last = begin + (len(turns) - 1) * _MILLISECOND
        if said[-1][0] == "user":
            self._asked = said[-1][1], self._last
        for first in range(0, len(turns), 1_000):
            await self._client.remember(turns[first : first + 1_000], user=self._user, session=self.session_id)

    async def pop_item(self) -> TResponseInputItem | None:
        """Hides the newest message from every answer, and returns it."""
        async for turn in self._turns(newest_first=True, page_size=1):
            item = item_of(turn)
            if item is not None:
                await self._client.memory.delete_turn(turn.id)
                return item
        return None

    async def clear_session(self) -> None:
        """Erases the session: its words are destroyed, and facts that were found in them are gone."""
        await self._client.forget(user=self._user, session=self.session_id)

    async def recalled(self, data: CallModelData[Any]) -> ModelInputData:
        """Adds to the instructions what holds now and what was said before, for the question.

        To be the ``call_model_input_filter`` of a run. A run's later steps, after tools, are told the same.
        """
        model_data = data.model_data
        users = [i for i, item in enumerate(model_data.input) if (words_of(item) or ("",))[0] == "user"]
        if not users:
            return model_data
        _, question = words_of(model_data.input[users[-1]]) or ("", "")
        if users[-1] == len(model_data.input) - 1 or self._told[0] != question:
            self._told = question, await self._recall(question)
        context = self._told[1]
        told = "\n\n".join(text for text in (model_data.instructions, context) if text)
        return ModelInputData(input=model_data.input, instructions=told or None)

    async def _recall(self, question: str) -> str:
        # The question itself may be stored already.
        asked = self._asked
        until = asked[1] - _MILLISECOND if asked is not None and asked[0] == question else None
        tokens = self._context_max_tokens
        recall = self._client.context(question[:_MOST_QUESTION], tokens=tokens, user=self._user, until=until)
        try:
            return await asyncio.wait_for(recall, self._patience)
        except TurnstoneError as error:
            self._on_error(error)
        except asyncio.TimeoutError:
            self._on_error(TurnstoneError("No recall within the patience.", code="timeout"))
        return ""

    async def _turns(self, *, newest_first: bool, page_size: int | None) -> AsyncIterator[TurnItem]:
        turns = self._client.memory.turns(
            user=self._user,
            session=self.session_id,
            order="desc" if newest_first else "asc",
            page_size=min(page_size or _LARGEST_PAGE, _LARGEST_PAGE),
        )
        async with aclosing(turns):
            async for turn in turns:
                yield turn
