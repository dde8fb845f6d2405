"""A capability that gives an agent a memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime, timedelta, timezone
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelRequest, TextPart, UserContent, UserPromptPart
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import AgentDepsT

from turnstone_client import AsyncTurnstone, Turn, TurnstoneError
from turnstone_client.models import Ingested

_MOST_QUESTION = 8_192
"""Maximum characters of a question: the service's limit."""
_MOST_TEXT = 65_536
"""Maximum characters of a turn: the service's limit."""

_logger = logging.getLogger("turnstone_pydantic_ai")


def _log(error: Exception) -> None:
    # A client's error has neither words nor keys; of another only the type is told.
    _logger.warning("no memory: %s", error if isinstance(error, TurnstoneError) else type(error).__name__)


@dataclass
class TurnstoneMemory(AbstractCapability[AgentDepsT]):
    """Adds what holds now and what was said before to the agent's instructions; remembers questions and answers."""

    client: AsyncTurnstone
    _: KW_ONLY
    user: str | Callable[[RunContext[AgentDepsT]], str]
    """Whose memory it is, or a function that says so for a run."""
    session: str | Callable[[RunContext[AgentDepsT]], str] | None = None
    """The conversation. Default: the run's ``conversation_id``."""
    context_max_tokens: int = 800
    """Maximum tokens of what is added, 50 to 8,000."""
    patience: float = 2.0
    """Seconds that a run waits for the recall, and at its end for the write, which then goes on."""
    on_error: Callable[[Exception], None] = _log
    """Gets the reason where the memory failed or was slow, and the agent answered without it."""
    _writing: set[asyncio.Task[Ingested]] = field(default_factory=set, repr=False)
    _told: str | None = field(default=None, repr=False)
    """What this run's model is told; None before it was recalled."""

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> TurnstoneMemory[AgentDepsT]:
        return replace(self, _told=None)

    def get_instructions(self) -> Callable[[RunContext[AgentDepsT]], Any]:
        return self._instructions

    async def _instructions(self, ctx: RunContext[AgentDepsT]) -> str:
        if self._told is None:
            self._told = await self._recall(_text(ctx.prompt), _given(self.user, ctx))
        return self._told

    async def _recall(self, question: str, user: str) -> str:
        if not question.strip():
            return ""
        recall = self.client.context(question[:_MOST_QUESTION], tokens=self.context_max_tokens, user=user)
        try:
            return await asyncio.wait_for(recall, self.patience)
        except asyncio.TimeoutError:
            self.on_error(TurnstoneError("No recall within the patience.", code="timeout"))
        except TurnstoneError as error:
            self.on_error(error)
        return ""

    async def after_run(self, ctx: RunContext[AgentDepsT], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        turns = list(_said_in(result.new_messages()))
        if turns:
            session = ctx.conversation_id if self.session is None else _given(self.session, ctx)
            remember = self.client.remember(turns, user=_given(self.user, ctx), session=session)
            task = asyncio.ensure_future(remember)
            self._writing.add(task)
            task.add_done_callback(self._written)
            await asyncio.wait([task], timeout=self.patience)
        return result

    def _written(self, task: asyncio.Task[Ingested]) -> None:
        self._writing.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self.on_error(error)


def _given(value: str | Callable[[RunContext[AgentDepsT]], str], ctx: RunContext[AgentDepsT]) -> str:
    return value(ctx) if callable(value) else value


def _text(content: str | Iterable[UserContent] | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(text for part in content if isinstance(text := getattr(part, "content", part), str))


def _said_in(messages: Iterable[ModelMessage]) -> Iterator[Turn]:
    """The words of the person and of the model, without what tools were asked and answered."""
    last = datetime.min.replace(tzinfo=timezone.utc)
    for message in messages:
        if isinstance(message, ModelRequest):
            asked = [part for part in message.parts if isinstance(part, UserPromptPart)]
            said = [("user", _text(part.content), part.timestamp) for part in asked]
        else:
            words = "".join(part.content for part in message.parts if isinstance(part, TextPart))
            said = [("assistant", words, message.timestamp)]
        for role, text, timestamp in said:
            if text.strip():
                # In the order in which they were said, also where the model's service tells whole seconds.
                last = max(timestamp, last + timedelta(milliseconds=1))
                fitting = text[:_MOST_TEXT].encode("utf-8", "replace").decode()
                yield Turn(role=role, text=fitting, timestamp=last)
