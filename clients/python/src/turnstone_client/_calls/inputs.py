"""Converts callers' arguments to the contract's form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, TypeAlias, TypedDict
from urllib.parse import quote

from ..errors import TurnstoneError
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
    """A message as chat APIs have it."""

    role: str
    content: str


TurnLike: TypeAlias = Turn | TurnDict | MessageDict | Mapping[str, object]
"""A mapping has the members of a ``Turn``, or ``content`` instead of ``text``: the messages of chat APIs."""


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


def turn_body(turn: TurnLike) -> dict[str, Any]:
    """The turn in the form that is sent. Values are left to the service, which reports all faults at once.

    Names are checked here: the service ignores unknown ones, so that a misspelt timestamp would become now.
    """
    if isinstance(turn, Turn):
        members = turn.model_dump(exclude_none=True)
    elif isinstance(turn, Mapping):
        members = _with_text({**turn})
    else:
        raise unusable("A turn must be a Turn, or a mapping with its members.")
    unknown = members.keys() - Turn.model_fields.keys()
    if unknown:
        raise unusable(f"A turn has no member {', '.join(sorted(map(str, unknown)))}.")
    timestamp: Any = members.get("timestamp")
    members["timestamp"] = instant(datetime.now(timezone.utc) if timestamp is None else timestamp)
    observations: Any = members.get("observations")
    if isinstance(observations, (list, tuple)):
        members["observations"] = [_observation(one) for one in observations]
    return members


def _with_text(members: dict[str, Any]) -> dict[str, Any]:
    if "content" not in members:
        return members
    if "text" in members:
        raise unusable("A turn has a text or a content, not both.")
    members["text"] = members.pop("content")
    return members


def _observation(observation: Any) -> Any:
    if not isinstance(observation, Mapping) or not isinstance(observation.get("valid_from"), datetime):
        return observation
    return {**observation, "valid_from": instant(observation["valid_from"])}


def turn_bodies(turns: TurnLike | Iterable[TurnLike]) -> list[dict[str, Any]]:
    if isinstance(turns, (Turn, Mapping)) or not isinstance(turns, Iterable):
        return [turn_body(turns)]
    return [turn_body(turn) for turn in turns]


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
