"""What the calls' steps ask for. The steps are generators that do nothing themselves, so that the sync and the async
client share them: a transport does what a step asks for and sends back what came of it.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

from .errors import TurnstoneError

T = TypeVar("T")


@dataclass(frozen=True)
class Send:
    """Send a request; what comes of it is an ``Answer`` or ``Unreachable``."""

    method: str
    url: str
    headers: dict[str, str] = field(repr=False)
    content: bytes | None = field(default=None, repr=False)
    timeout: float = 40.0
    """Seconds for all of it; of a stream, for its beginning."""
    silence: float | None = None
    """A stream's: the body of a success is left to ``Read``, which waits for so many seconds."""


@dataclass(frozen=True)
class Read:
    """The next bytes of the stream that is open; None at its end, or ``Unreachable``."""


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Alone:
    """Steps that no two callers of a client may take at the same time; what they return comes of it."""

    steps: Steps[Any]
    within: float
    """Seconds that the caller waits: for its turn, and where others wait for it too, for what comes of it."""


@dataclass(frozen=True)
class Emit:
    """A value for whoever iterates."""

    value: Any


Effect: TypeAlias = Send | Read | Sleep | Alone | Emit
Steps: TypeAlias = Generator[Effect, Any, T]


def go_on(steps: Steps[Any], outcome: Any) -> Effect:
    """What the steps ask for next. A failure is raised where they asked: they may have an answer to it."""
    return steps.throw(outcome) if isinstance(outcome, TurnstoneError) else steps.send(outcome)


@dataclass(frozen=True)
class Answer:
    status: int
    content_type: str
    retry_after: str | None
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Unreachable:
    """No answer, or a part of one."""

    code: Literal["network", "timeout"]
    reason: str
    """For people; nothing of the request is in it."""
