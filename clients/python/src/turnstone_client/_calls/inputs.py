"""Converts callers' arguments to the contract's form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, TypeAlias, TypedDict
from urllib.parse import quote

from pydantic import BaseModel

from ..errors import TurnstoneError
from .messages import is_message, words_of
from .sent import Filter, Turn

# The contract requires an organization in a body, but the token decides which one it is.
_ORGANIZATION = "token"

Instant: TypeAlias = datetime | str
"""A ``datetime`` with a time zone, or RFC 3339 such as ``2026-01-05T09:30:00Z``."""


class _TurnRequired(TypedDict):
    role: str
    text: str


class TurnDict(_TurnRequired, total=False):
    """A ``Turn`` as a dictionary."""

    timestamp: Instant
    observations: Sequence[str | Mapping[str, object]]


class MessageDict(TypedDict):
    """A message as chat APIs have it; its other members are ignored."""

    role: str
    content: str | Sequence[Mapping[str, object]] | None


TurnLike: TypeAlias = Turn | TurnDict | MessageDict | Mapping[str, object] | BaseModel
"""A mapping has the members of a ``Turn``; or it is a message as chat APIs have it, with ``content`` or ``parts``, of
which the words are stored. So is another model of pydantic, such as those of OpenAI's and Anthropic's clients. A
message without words, such as a call of a tool or a picture, is passed over.
"""


def unusable(message: str) -> TurnstoneError:
    return TurnstoneError(message, code="invalid")


def instant(value: Instant | None) -> str | None:
    if not isinstance(value, datetime):
        return value
    if value.utcoffset() is None:
        raise unusable("A datetime needs a time zone to be an instant, such as datetime.now(timezone.utc).")
    try:
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except OverflowError:
        raise unusable("A datetime on the first or last representable day can not be converted to UTC.") from None


def scope(user: str | None, session: str | None) -> dict[str, str]:
    return without_none({"org_id": _ORGANIZATION, "user_id": user, "session_id": session})


def path_id(value: str) -> str:
    # Dots would change the path: revoke("..") would be DELETE /me.
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise unusable("An id must be a string, and neither empty nor dots.")
    return quote(in_utf8(value), safe="")


def filter_text(filter: Filter | None) -> str | None:
    """A filter in a query."""
    if filter is None:
        return None
    try:
        return json.dumps(filter, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise unusable("A filter must be representable in JSON.") from error


def turn_body(turn: TurnLike) -> dict[str, Any] | None:
    """The turn in the form that is sent; None for a message without words.

    Values are left to the service, which reports all faults at once. Names are checked here: the service ignores
    unknown ones, so that a misspelt timestamp would become now.
    """
    if isinstance(turn, Turn):
        members: dict[str, Any] | None = turn.model_dump(exclude_none=True)
    elif isinstance(turn, BaseModel):
        members = _said_in(turn.model_dump())
    elif isinstance(turn, Mapping):
        members = _said_in(turn) if is_message(turn) else {**turn}
    else:
        raise unusable("A turn must be a Turn, or a mapping with its members.")
    if members is None:
        return None
    unknown = members.keys() - Turn.model_fields.keys()
    if unknown:
        raise unusable(f"A turn has no member {', '.join(sorted(map(str, unknown)))}.")
    timestamp: Any = members.get("timestamp")
    members["timestamp"] = instant(datetime.now(timezone.utc) if timestamp is None else timestamp)
    observations: Any = members.get("observations")
    if isinstance(observations, (list, tuple)):
        members["observations"] = [_observation(one) for one in observations]
    return members


def _said_in(message: Mapping[str, Any]) -> dict[str, Any] | None:
    """A message as a turn, without what chat APIs add to it."""
    if "text" in message:
        raise unusable("A turn has a text or a content, not both.")
    words = words_of(message)
    if words is None:
        return None
    ours = {name: message[name] for name in ("timestamp", "observations") if name in message}
    return {"role": words[0], "text": words[1], **ours}


def _observation(observation: Any) -> Any:
    if not isinstance(observation, Mapping) or not isinstance(observation.get("valid_from"), datetime):
        return observation
    return {**observation, "valid_from": instant(observation["valid_from"])}


def turn_bodies(turns: TurnLike | Iterable[TurnLike]) -> list[dict[str, Any]]:
    if isinstance(turns, (BaseModel, Mapping)) or not isinstance(turns, Iterable):
        said = [turn_body(turns)]
    else:
        said = [turn_body(turn) for turn in turns]
    bodies = [body for body in said if body is not None]
    if said and not bodies:
        raise unusable("None of these messages has words.")
    return bodies


def given(value: str | None, default: str | None) -> str | None:
    """The value if there is one. An empty name is left for the service to refuse, and not replaced by the default."""
    return default if value is None else value


def reading_user(user: str | None, all_users: bool, default: str | None) -> str | None:
    """Whose memory is read; None for everybody's. A forgotten user would read that, so it must be said."""
    if all_users:
        if user is not None:
            raise unusable("Name a user or say all_users, not both.")
        return None
    if user is None and default is None:
        raise unusable(
            "Whose memory? Pass user to the client or to the call, or all_users=True for all that the key may see; "
            "for a key of one user, that is its user."
        )
    return given(user, default)


def in_utf8(text: str) -> str:
    """The text, after checking that it can be encoded in a path or a query."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise unusable("A URL can not contain a lone surrogate.") from None
    return text


def without_none(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
