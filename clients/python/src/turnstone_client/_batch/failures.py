"""Reports of turns that were not stored."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..errors import TurnstoneError
from .queue import BatchQueue

_FAILURES_TOLD = 100
"""Maximum number of failures that are listed one by one."""


@dataclass(eq=False)
class _Failed:
    count: int = 0
    first: list[tuple[int, TurnstoneError]] = field(default_factory=list)
    """The index and error of each turn, in the order of failure."""

    def add(self, index: int, error: TurnstoneError) -> None:
        self.count += 1
        if len(self.first) < _FAILURES_TOLD:
            # A copy: the traceback of a raised error would keep its request with all turns in memory.
            self.first.append((index, error.copy()))


class Failures:
    """The failures of a batch until a flush reports them. Concurrent flushes both report what failed during them."""

    def __init__(self) -> None:
        self._untold = _Failed()
        self._flushes: list[_Failed] = []

    def note(self, index: int, error: TurnstoneError) -> None:
        for failed in (self._untold, *self._flushes):
            failed.add(index, error)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Wraps a flush's wait; raises ``not_stored`` at its end if there are failures that were unreported before."""
        failed = _Failed(self._untold.count, [*self._untold.first])
        self._flushes.append(failed)
        try:
            yield
        finally:
            self._flushes.remove(failed)
        # This flush has them all: those from before its start, and every one since.
        self._untold = _Failed()
        if failed.count:
            raise _not_stored(failed)


def _not_stored(failed: _Failed) -> TurnstoneError:
    in_order = sorted(failed.first, key=lambda pair: pair[0])
    first = in_order[0][1]
    return TurnstoneError(
        f"{failed.count} turns were not stored; the first: {first.message}",
        code="not_stored",
        status=first.status,
        request_id=first.request_id,
        details={
            "failed": [{"index": index, "code": error.code, "message": error.message} for index, error in in_order],
            "omitted": failed.count - len(in_order),
        },
        retry_after=first.retry_after,
    )


def unforeseen(error: BaseException) -> TurnstoneError:
    """For turns whose request ended otherwise than by an answer, such as by the end of the program."""
    if isinstance(error, TurnstoneError):
        return error
    message = f"It is not known whether the turn was stored: {type(error).__name__}."
    return TurnstoneError(message, code="network")


def given_up() -> TurnstoneError:
    """For turns that are in no request when the caller stops waiting for the batch."""
    return TurnstoneError("The batch was given up before the turn was sent.", code="not_stored")


def warn_at_loss(batch: Any, queue: BatchQueue) -> None:
    """Warns when the batch is garbage-collected, or the program ends, before all its turns are acknowledged."""
    weakref.finalize(batch, _warn_of_loss, queue, os.getpid())


def _warn_of_loss(queue: BatchQueue, process: int) -> None:
    # Turns added before a fork belong to the parent process, so the child loses none.
    if queue.pending and os.getpid() == process:
        message = f"{queue.pending} turns may be lost: their batch ended before they were acknowledged."
        # Not a ResourceWarning, which is hidden by default: data is lost, as with a coroutine that is never awaited.
        warnings.warn(message, RuntimeWarning, stacklevel=1)
