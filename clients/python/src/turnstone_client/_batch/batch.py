"""Batches of the sync client: threads send the requests of a queue. _async_batch.py is the counterpart."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from concurrent.futures import Future
from threading import TIMEOUT_MAX, Condition, Thread
from types import TracebackType
from typing import Any

from .._calls.call import encode
from .._calls.caller import Caller
from .._calls.inputs import Instant, TurnLike, given, turn_body
from .._http.transport import Transport
from ..errors import TurnstoneError
from .failures import Failures, given_up, unforeseen, warn_at_loss
from .queue import BatchLimits, BatchQueue, Entry
from .store import Stored, WriteOptions, store


class Batch:
    """Made by ``Turnstone.batch``. Use it in ``with``: all added turns are stored when the block ends."""

    def __init__(
        self,
        caller: Caller,
        transport: Transport,
        limits: BatchLimits,
        *,
        user: str | None,
        session: str | None,
        write_active: bool | None,
        write_passive: bool | None,
        expires_at: Instant | None,
        ttl_days: int | None,
        metadata: Mapping[str, Any] | None,
    ) -> None:
        self._caller = caller
        self._transport = transport
        self._scope = (user, session)
        self._options = WriteOptions(write_active, write_passive, expires_at, ttl_days, metadata)
        self._queue = BatchQueue(limits)
        self._changed = Condition()
        self._threads: list[Thread] = []
        self._failures = Failures()
        self._is_closed = False
        self._is_given_up = False
        self._process = os.getpid()
        warn_at_loss(self, self._queue)

    def add(self, turn: TurnLike, *, user: str | None = None, session: str | None = None) -> Future[str | None]:
        """Adds a turn; waits while ``max_pending`` are not acknowledged. Thread-safe.

        The future resolves to the turn's id once it is stored, to None for a message without words, or fails with a
        ``TurnstoneError``. ``flush`` and ``close`` report failures too, so the future may be ignored.
        """
        self._check_process()
        body = turn_body(turn)
        future: Future[str | None] = Future()
        future.set_running_or_notify_cancel()
        size = 0 if body is None else len(encode(body)) + 1
        with self._changed:
            if self._is_closed:
                raise TurnstoneError("The batch is closed.", code="configuration")
            index = self._queue.announce()
            if body is None:
                self._queue.withdraw(index)
                future.set_result(None)
                return future
            try:
                self._changed.wait_for(lambda: self._queue.has_room)
                if self._is_given_up:
                    raise given_up()
                self._start_thread()
            except BaseException:
                self._queue.withdraw(index)
                self._changed.notify_all()
                raise
            scope = (given(user, self._scope[0]), given(session, self._scope[1]))
            self._queue.add(Entry(index, scope, body, size, time.monotonic(), future))
            self._changed.notify_all()
        return future

    def flush(self) -> None:
        """Sends what was added before, and waits until all of it is acknowledged.

        Raises ``not_stored`` if some turns failed, with their indexes and codes in ``details["failed"]``.
        """
        self._check_process()
        with self._changed:
            newest = self._queue.newest
            self._queue.hurry(newest)
            self._changed.notify_all()
            with self._failures.told():
                self._changed.wait_for(lambda: self._queue.is_settled(newest))

    def close(self) -> None:
        """Flushes, including adds that wait for room, and accepts no more turns.

        When interrupted, as by Ctrl-C, it gives up turns that are in no request yet.
        """
        self._check_process()
        with self._changed:
            self._is_closed = True
        try:
            self.flush()
        except TurnstoneError:
            raise
        except BaseException:
            self._give_up(given_up())
            raise
        finally:
            # Threads of a batch that was given up may take long to end a request.
            if not self._is_given_up:
                for thread in self._threads:
                    thread.join()

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, KeyboardInterrupt):
            self._give_up(given_up())
            return
        try:
            self.close()
        except TurnstoneError:
            # An error raised in the block takes precedence.
            if error is None:
                raise

    def _check_process(self) -> None:
        """A forked process has none of the threads, and its lock may be held for ever."""
        if os.getpid() != self._process:
            message = "A batch belongs to the process that created it: create another after a fork."
            raise TurnstoneError(message, code="configuration")

    def _start_thread(self) -> None:
        """Starts another thread unless the limit is reached. A single one suffices to send everything."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        if len(self._threads) >= self._queue.limits.max_in_flight:
            return
        # A daemon, so that a program which ends without closing the batch does not hang.
        thread = Thread(target=self._work, name="turnstone-batch", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            if not self._threads:
                raise TurnstoneError("No thread could be started to send turns.", code="configuration") from None
        else:
            self._threads.append(thread)

    def _give_up(self, why: TurnstoneError) -> None:
        """Accepts and sends nothing more. Requests in flight are completed, but nobody waits for them."""
        with self._changed:
            self._is_closed = self._is_given_up = True
            dropped = self._queue.drop()
            for entry in dropped:
                self._failures.note(entry.index, why)
            self._changed.notify_all()
        for entry in dropped:
            entry.future.set_exception(why)

    def _work(self) -> None:
        try:
            while taken := self._next():
                self._send(taken)
        except BaseException as error:
            # There may be no other thread to send the rest.
            self._give_up(unforeseen(error))
            raise

    def _send(self, taken: list[Entry]) -> None:
        outcomes: list[Stored]
        try:
            outcomes = self._transport.run(store(self._caller, taken, self._options))
        except BaseException as error:
            outcomes = [unforeseen(error)] * len(taken)
        with self._changed:
            for entry, outcome in zip(taken, outcomes, strict=True):
                if isinstance(outcome, TurnstoneError):
                    self._failures.note(entry.index, outcome)
            self._queue.done(taken)
            self._changed.notify_all()
        for entry, outcome in zip(taken, outcomes, strict=True):
            if isinstance(outcome, TurnstoneError):
                entry.future.set_exception(outcome)
            else:
                entry.future.set_result(outcome)

    def _next(self) -> list[Entry]:
        """Waits for the next request and returns its turns; none when the batch is closed and all is sent."""
        with self._changed:
            while True:
                now = time.monotonic()
                taken = self._queue.take(now)
                if taken or (self._is_closed and self._queue.is_settled(self._queue.newest)):
                    return taken
                due_in = self._queue.due_in(now)
                self._changed.wait(None if due_in is None else min(due_in, TIMEOUT_MAX))
