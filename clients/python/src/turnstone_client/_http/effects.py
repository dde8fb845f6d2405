"""The effects that steps request. Steps are generators without side effects, shared by the sync and the async client:
a transport performs the effect and sends its outcome back.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

from ..errors import TurnstoneError

T = TypeVar("T")


@dataclass(frozen=True)
class Send:
    """Send a request; the outcome is an ``Answer`` or ``Unreachable``."""

    method: str
    url: str
    headers: dict[str, str] = field(repr=False)
    content: bytes | None = field(default=None, repr=False)
    timeout: float = 40.0
    """Seconds for the whole answer; for a stream, until it starts."""
    silence: float | None = None
    """For a stream: seconds that each ``Read`` of a successful answer's body may wait."""


@dataclass(frozen=True)
class Read:
    """The next bytes of the open stream; None at its end, or ``Unreachable``."""


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Emit:
    """A value for the consumer of the iteration."""

    value: Any


Effect: TypeAlias = Send | Read | Sleep | Emit
Steps: TypeAlias = Generator[Effect, Any, T]


def go_on(steps: Steps[Any], outcome: Any) -> Effect:
    """Resumes the steps and returns their next effect. An error is raised inside the steps, which may handle it."""
    return steps.throw(outcome) if isinstance(outcome, TurnstoneError) else steps.send(outcome)


@dataclass(frozen=True)
class Answer:
    status: int
    content_type: str
    retry_after: str | None
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Unreachable:
    """No answer, or an incomplete one."""

    code: Literal["network", "timeout"]
    reason: str
    """Human-readable; contains nothing of the request."""
