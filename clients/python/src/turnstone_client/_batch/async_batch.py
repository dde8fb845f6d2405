"""Batches of the async client; the counterpart of _batch.py, with tasks instead of threads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from functools import partial
from types import TracebackType
from typing import Any

from .._calls.call import encode
from .._calls.caller import Caller
from .._calls.inputs import Instant, TurnLike, given, turn_body
from .._http.async_transport import AsyncTransport
from ..errors import TurnstoneError
from .failures import Failures, given_up, unforeseen, warn_at_loss
from .queue import BatchLimits, BatchQueue, Entry
from .store import Stored, WriteOptions, store


class AsyncBatch:
    """Made by ``AsyncTurnstone.batch``. Use it in ``async with``: all added turns are stored when the block ends."""

    def __init__(
        self,
        caller: Caller,
        transport: AsyncTransport,
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
        self._acknowledged = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[list[Stored]]] = set()
        self._failures = Failures()
        self._is_closed = False
        self._is_given_up = False
        warn_at_loss(self, self._queue)

    async def add(
        self, turn: TurnLike, *, user: str | None = None, session: str | None = None
    ) -> asyncio.Future[str | None]:
        """Adds a turn; waits while ``max_pending`` are not acknowledged.

        The future resolves to the turn's id once it is stored, to None for a message without words, or fails with a
        ``TurnstoneError``. ``flush`` and ``close`` report failures too, so the future may be ignored.
        """
        self._transport.check_loop()
        body = turn_body(turn)
        size = 0 if body is None else len(encode(body)) + 1
        if self._is_closed:
            raise TurnstoneError("The batch is closed.", code="configuration")
        index = self._queue.announce()
        future: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        if body is None:
            self._queue.withdraw(index)
            future.set_result(None)
            return future
        try:
            while not self._queue.has_room:
                await self._acknowledgement()
            if self._is_given_up:
                raise given_up()
        except BaseException:
            self._queue.withdraw(index)
            self._acknowledged.set()
            raise
        scope = (given(user, self._scope[0]), given(session, self._scope[1]))
        self._queue.add(Entry(index, scope, body, size, time.monotonic(), future))
        self._send_what_is_due()
        return future

    async def flush(self) -> None:
        """Sends what was added before, and waits until all of it is acknowledged.

        Raises ``not_stored`` if some turns failed, with their indexes and codes in ``details["failed"]``.
        """
        self._transport.check_loop()
        newest = self._queue.newest
        self._queue.hurry(newest)
        self._send_what_is_due()
        with self._failures.told():
            while not self._queue.is_settled(newest):
                await self._acknowledgement()
                self._send_what_is_due()

    async def close(self) -> None:
        """Flushes, including adds that wait for room, and accepts no more turns.

        When cancelled, it gives up what is not acknowledged yet.
        """
        self._is_closed = True
        try:
            await self.flush()
        except TurnstoneError:
            raise
        except BaseException:
            await self._give_up()
            raise

    async def __aenter__(self) -> AsyncBatch:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt)):
            await self._give_up()
            return
        try:
            await self.close()
        except TurnstoneError:
            # An error raised in the block takes precedence.
            if error is None:
                raise

    async def _give_up(self) -> None:
        """Accepts and sends nothing more, and cancels requests in flight."""
        self._is_closed = self._is_given_up = True
        dropped = self._queue.drop()
        self._settle(dropped, [given_up()] * len(dropped))
        self._send_what_is_due()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _acknowledgement(self) -> None:
        self._acknowledged.clear()
        await self._acknowledged.wait()

    def _send_what_is_due(self) -> None:
        now = time.monotonic()
        while taken := self._queue.take(now):
            task = asyncio.create_task(self._transport.run(store(self._caller, taken, self._options)))
            self._tasks.add(task)
            task.add_done_callback(partial(self._sent, taken))
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due_in = self._queue.due_in(now)
        if due_in is not None and self._queue.may_send:
            self._timer = asyncio.get_running_loop().call_later(due_in, self._send_what_is_due)

    def _sent(self, taken: list[Entry], task: asyncio.Task[list[Stored]]) -> None:
        self._tasks.discard(task)
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        outcomes: list[Stored] = task.result() if error is None else [unforeseen(error)] * len(taken)
        self._queue.done(taken)
        self._settle(taken, outcomes)
        # A cancelled task, as when its loop ends, starts nothing new.
        if not task.cancelled():
            self._send_what_is_due()

    def _settle(self, entries: list[Entry], outcomes: list[Stored]) -> None:
        for entry, outcome in zip(entries, outcomes, strict=True):
            future: asyncio.Future[str | None] = entry.future
            if isinstance(outcome, TurnstoneError):
                self._failures.note(entry.index, outcome)
                if not future.done():
                    future.set_exception(outcome)
                    future.exception()  # marks it as retrieved: flush reports it too
            elif not future.done():
                future.set_result(outcome)
        self._acknowledged.set()
