"""What is told of turns that were not stored."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._batch_queue import BatchQueue
from .errors import TurnstoneError

_FAILURES_TOLD = 100
"""One by one."""


class Failures:
    """Those of a batch, until they are told. Each flush tells of all that it waited for, as if it were the only one."""

    def __init__(self) -> None:
        self._untold: list[tuple[int, TurnstoneError]] = []
        self._flushes: list[int] = []

    def note(self, index: int, error: TurnstoneError) -> None:
        self._untold.append((index, error))

    @contextmanager
    def told_up_to(self, newest: int) -> Iterator[None]:
        """Around a flush's wait for the turns up to an index; raises ``not_stored`` at its end."""
        self._flushes.append(newest)
        try:
            yield
        finally:
            self._flushes.remove(newest)
        failed = sorted((pair for pair in self._untold if pair[0] <= newest), key=lambda pair: pair[0])
        awaited = max(self._flushes, default=-1)
        self._untold = [pair for pair in self._untold if pair[0] > newest or pair[0] <= awaited]
        if failed:
            raise _not_stored(failed)


def _not_stored(failed: list[tuple[int, TurnstoneError]]) -> TurnstoneError:
    """``failed``: by the index of the turn, in the order in which they were added."""
    first = failed[0][1]
    told = [{"index": index, "code": error.code, "message": error.message} for index, error in failed[:_FAILURES_TOLD]]
    return TurnstoneError(
        f"{len(failed)} turns were not stored; the first: {first.message}",
        code="not_stored",
        status=first.status,
        request_id=first.request_id,
        details={"failed": told, "omitted": len(failed) - len(told)},
        retry_after=first.retry_after,
    )


def unforeseen(error: BaseException) -> TurnstoneError:
    """For turns that were given up by something else than a call's end, as a program's."""
    if isinstance(error, TurnstoneError):
        return error
    message = f"It is not known whether the turn was stored: {type(error).__name__}."
    return TurnstoneError(message, code="network")


def given_up() -> TurnstoneError:
    """For turns that no request has taken when somebody stops waiting for the batch."""
    return TurnstoneError("The batch was given up before the turn was sent.", code="not_stored")


def warn_at_loss(batch: Any, queue: BatchQueue) -> None:
    """Warns when the batch goes, or the program ends, while turns of it are not acknowledged."""
    weakref.finalize(batch, _warn_of_loss, queue, os.getpid())


def _warn_of_loss(queue: BatchQueue, process: int) -> None:
    # What a process had at its fork is its own, and no loss of its child's.
    if queue.pending and os.getpid() == process:
        message = f"{queue.pending} turns may be lost: their batch ended before they were acknowledged."
        # No ResourceWarning: nobody sees those, and work is lost, as with a coroutine that was never awaited.
        warnings.warn(message, RuntimeWarning, stacklevel=1)
