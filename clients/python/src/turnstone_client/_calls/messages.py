"""The words of messages as chat APIs have them, without what programs say to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

# The types of parts that are said: OpenAI's two interfaces, Anthropic's and the AI SDK's.
_SAID = (None, "text", "input_text", "output_text")


def is_message(members: Mapping[str, Any]) -> bool:
    return any(name in members for name in ("content", "parts", "tool_calls", "function_call"))


def words_of(message: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """The role and the text; None where there are no words: a call of a tool, a picture, a sound.

    Words beside a tool's answer are what was said.
    """
    content = message["content"] if "content" in message else message.get("parts")
    if not isinstance(content, (list, tuple)):
        calls_tools = message.get("tool_calls") is not None or message.get("function_call") is not None
        is_silent = content is None or (content == "" and calls_tools)
        return None if is_silent else (message.get("role"), content)
    text = _text_of(content)
    if text:
        return message.get("role"), text
    answered = _tool_text_of(content)
    return ("tool", answered) if answered else None


def _joined(texts: Iterable[Any]) -> str:
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def _text_of(parts: Iterable[Any]) -> str:
    return _joined(part.get("text") for part in parts if isinstance(part, Mapping) and part.get("type") in _SAID)


def _tool_text_of(parts: Iterable[Any]) -> str:
    """What tools answered: Anthropic has it as parts of a message of the user."""
    answers = (part.get("content") for part in parts if isinstance(part, Mapping) and part.get("type") == "tool_result")
    return _joined(_text_of(answer) if isinstance(answer, (list, tuple)) else answer for answer in answers)
