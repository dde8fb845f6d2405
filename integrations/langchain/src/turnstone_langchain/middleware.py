"""A middleware that gives an agent a memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from typing import Annotated, Any, TypedDict

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langgraph.channels import UntrackedValue
from langgraph.config import get_config
from langgraph.runtime import Runtime
from typing_extensions import NotRequired

from turnstone_client import Turn, Turnstone

from .memory import MOST_TEXT, Memory, fitting, log


class Asked(TypedDict):
    """What a run began with."""

    at: datetime
    context: str
    last: str | None
    """The id of the newest message then: what comes after it was said in this run."""


class MemoryState(AgentState[Any]):
    """Nothing of it is kept in a checkpoint: what is forgotten by Turnstone is not to be found in one."""

    turnstone: NotRequired[Annotated[Asked, UntrackedValue, PrivateStateAttr]]


class TurnstoneMiddleware(AgentMiddleware[MemoryState, Any, Any]):
    """Adds what holds now and what was said before to the agent's instructions; remembers questions and answers.

    ``user``: whose memory; default: ``user_id`` of the run's ``configurable``. ``session``: the conversation; default:
    its ``thread_id``, else the key's own. ``context_max_tokens``: of what is added, 50 to 8,000. ``patience``: seconds
    that a run waits for a recall, and for a write. ``on_error`` gets the reason where the memory failed or was slow,
    and the agent answered without it; default: a warning of the logger ``turnstone_langchain``.
    """

    state_schema = MemoryState

    def __init__(
        self,
        client: Turnstone,
        *,
        user: str | None = None,
        session: str | None = None,
        context_max_tokens: int = 800,
        patience: float = 2.0,
        on_error: Callable[[Exception], None] = log,
    ) -> None:
        super().__init__()
        self._user = user
        self._session = session
        self._memory = Memory(client, context_max_tokens=context_max_tokens, patience=patience, on_error=on_error)

    def before_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any]:
        messages = state["messages"]
        at, last = datetime.now(timezone.utc), messages[-1].id if messages else None
        return {"turnstone": Asked(at=at, context=self._recall(messages), last=last)}

    async def abefore_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any]:
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        return handler(_told(request, self._context(request)))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        return await handler(_told(request, await asyncio.to_thread(self._context, request)))

    def after_agent(self, state: MemoryState, runtime: Runtime[Any]) -> None:
        user, session = self._scope()
        self._memory.remember(_said_in(state), user, session)

    async def aafter_agent(self, state: MemoryState, runtime: Runtime[Any]) -> None:
        await asyncio.to_thread(self.after_agent, state, runtime)

    def _scope(self) -> tuple[str, str | None]:
        configurable = get_config().get("configurable", {})
        user = self._user or configurable.get("user_id")
        if not user:
            raise ValueError("Whose memory? Pass user to the middleware, or user_id in the run's configurable.")
        session = self._session or configurable.get("thread_id")
        return str(user), str(session) if session else None

    def _context(self, request: ModelRequest[Any]) -> str:
        asked: Asked | None = request.state.get("turnstone")  # type: ignore[assignment]
        # A run that was interrupted is resumed without what isn't in its checkpoint.
        return self._recall(request.messages) if asked is None else asked["context"]

    def _recall(self, messages: list[AnyMessage]) -> str:
        user, _ = self._scope()
        asked = _last_question(messages)
        return "" if asked is None else self._memory.recall(str(messages[asked].text).strip(), user)


def _last_question(messages: list[AnyMessage]) -> int | None:
    return next((i for i in reversed(range(len(messages))) if isinstance(messages[i], HumanMessage)), None)


def _told(request: ModelRequest[Any], context: str) -> ModelRequest[Any]:
    """The request with the context behind the agent's own instructions, so that their beginning stays in caches."""
    if not context:
        return request
    own = request.system_message
    if own is None:
        return request.override(system_message=SystemMessage(context))
    content = own.content
    added = f"{content}\n\n{context}" if isinstance(content, str) else [*content, {"type": "text", "text": context}]
    return request.override(system_message=own.model_copy(update={"content": added}))


def _said_in(state: MemoryState) -> list[Turn]:
    """The question, unless an earlier run had it, and the words of the answer, without what tools said."""
    messages = state["messages"]
    question = _last_question(messages)
    if question is None:
        return []
    asked = state.get("turnstone")
    known = None if asked is None else next((i for i, one in enumerate(messages) if one.id == asked["last"]), None)
    # A summary may have replaced the messages that the run began with.
    begin = question if known is None or known == question else known + 1
    answered = datetime.now(timezone.utc)
    turns: list[Turn] = []
    for message in messages[begin:]:
        text = fitting(str(message.text), MOST_TEXT)
        if not text.strip():
            continue
        if isinstance(message, HumanMessage):
            at = asked["at"] if asked else answered
            turns.append(Turn(role="user", text=text, timestamp=at))
        elif isinstance(message, AIMessage):
            # A millisecond apart, in the order in which they were said.
            at = answered + timedelta(milliseconds=len(turns))
            turns.append(Turn(role="assistant", text=text, timestamp=at))
    return turns
