"""Items of the SDK as turns, and back: their words. What tools are asked and answer, and reasoning, have none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from agents import TResponseInputItem

from turnstone_client.models import TurnItem

_MOST_TEXT = 65_536
"""Maximum characters of a turn: the service's limit."""
_ROLES = ("user", "assistant", "system", "developer")


def words_of(item: TResponseInputItem) -> tuple[str, str] | None:
    """The role and the words of a message, cut to what the service takes; None of any other item."""
    message = cast(Mapping[str, Any], item)
    role, content = message.get("role"), message.get("content")
    if message.get("type", "message") != "message" or role not in _ROLES:
        return None
    text = content if isinstance(content, str) else "\n".join(_texts(content or ()))
    text = text[:_MOST_TEXT].encode("utf-8", "replace").decode()
    return (role, text) if text.strip() else None


def _texts(parts: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    for part in parts:
        text = part.get("text") or part.get("refusal")
        if isinstance(text, str) and text:
            yield text


def item_of(turn: TurnItem) -> TResponseInputItem | None:
    """The message that a turn was; of a speaker whom the SDK doesn't know one of the user. None of a tool's."""
    if turn.role == "tool":
        return None
    role = turn.role if turn.role in _ROLES else "user"
    # Without an id: the service of the model would look for what went with it, such as its reasoning.
    return cast(TResponseInputItem, {"role": role, "content": turn.text})
