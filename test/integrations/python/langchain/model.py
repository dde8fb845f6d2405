"""A model whose answers a test sets, and that keeps what it was told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import Field


class ScriptedModel(BaseChatModel):
    replies: list[AIMessage] = Field(default_factory=list)
    """One after the other; when they have run out: "Noted."."""
    calls: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Runnable[Any, AIMessage]:
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> ChatResult:
        self.calls.append(messages)
        reply = self.replies.pop(0) if self.replies else AIMessage("Noted.")
        return ChatResult(generations=[ChatGeneration(message=reply)])

    @property
    def told(self) -> str:
        """The instructions of the newest call."""
        return "\n".join(str(one.text) for one in self.calls[-1] if isinstance(one, SystemMessage))
