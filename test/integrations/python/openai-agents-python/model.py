"""A model whose answers a test sets, and that keeps what it was told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agents import Model, ModelResponse, TResponseInputItem, Usage
from agents.items import TResponseOutputItem, TResponseStreamEvent
from openai.types.responses import Response, ResponseCompletedEvent, ResponseOutputMessage, ResponseOutputText


def message(text: str) -> TResponseOutputItem:
    content = ResponseOutputText(annotations=[], text=text, type="output_text")
    return ResponseOutputMessage(id="msg_1", content=[content], role="assistant", status="completed", type="message")


class ScriptedModel(Model):
    def __init__(self, *replies: list[TResponseOutputItem]) -> None:
        self._replies = list(replies)
        """One after the other; when they have run out: "Noted."."""
        self.instructions: list[str] = []
        self.inputs: list[list[TResponseInputItem]] = []

    def _answer(self, instructions: str | None, given: str | list[TResponseInputItem]) -> list[TResponseOutputItem]:
        assert isinstance(given, list)
        self.instructions.append(instructions or "")
        self.inputs.append(given)
        return self._replies.pop(0) if self._replies else [message("Noted.")]

    async def get_response(
        self, system_instructions: str | None, input: str | list[TResponseInputItem], *_: Any, **__: Any
    ) -> ModelResponse:
        output = self._answer(system_instructions, input)
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    async def stream_response(
        self, system_instructions: str | None, input: str | list[TResponseInputItem], *_: Any, **__: Any
    ) -> AsyncIterator[TResponseStreamEvent]:
        response = Response(
            id="resp_1",
            created_at=0,
            model="scripted",
            object="response",
            output=self._answer(system_instructions, input),
            parallel_tool_calls=False,
            tool_choice="none",
            tools=[],
        )
        yield ResponseCompletedEvent(response=response, sequence_number=0, type="response.completed")
