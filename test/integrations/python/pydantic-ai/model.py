"""A model whose answers a test sets, and that keeps what it was told."""

from __future__ import annotations

from collections.abc import AsyncIterator

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCalls, FunctionModel


class Script:
    def __init__(self, *replies: ModelResponse) -> None:
        self._replies = list(replies)
        """One after the other; when they have run out: "Noted."."""
        self.told: list[str] = []
        self.model = FunctionModel(self._answer, stream_function=self._stream)

    def _answer(self, messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        newest = messages[-1]
        assert isinstance(newest, ModelRequest)
        self.told.append(newest.instructions or "")
        return self._replies.pop(0) if self._replies else ModelResponse(parts=[TextPart("Noted.")])

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        for part in self._answer(messages, info).parts:
            assert isinstance(part, TextPart)
            for word in part.content.split(" "):
                yield word
