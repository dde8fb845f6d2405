"""Converts answers and errors of httpx. Its messages are not used: those of h11, for one, repeat invalid headers."""

from __future__ import annotations

from time import monotonic

import httpx

from ..errors import TurnstoneError
from .effects import Answer, Unreachable

NO_ANSWER_IN_TIME = Unreachable("timeout", "The server did not answer in time.")
CUT_SHORT = Unreachable("network", "The connection broke before the answer was complete.")


class TimeLeft(dict[str, float]):
    """Time-outs of a request whose phases share one limit: each phase gets what the earlier ones left."""

    def __init__(self, ends_at: float) -> None:
        self._ends_at = ends_at
        super().__init__(dict.fromkeys(("pool", "connect", "write", "read"), self._left()))

    def get(self, name: str, default: object = None) -> float:
        return self._left()

    def _left(self) -> float:
        return max(0.001, self._ends_at - monotonic())


def no_address() -> TurnstoneError:
    return TurnstoneError("The arguments are too long for a URL.", code="invalid")


def unreachable(error: httpx.RequestError) -> Unreachable:
    if isinstance(error, httpx.TimeoutException):
        return NO_ANSWER_IN_TIME
    if isinstance(error, httpx.ConnectError):
        return Unreachable("network", f"No connection to the server: {error}")
    return CUT_SHORT


def answer_of(response: httpx.Response, content: bytes) -> Answer:
    headers = response.headers
    return Answer(response.status_code, headers.get("content-type", ""), headers.get("retry-after"), content)
