"""The calls of an agent's run: they never fail it, and it waits for each of them only so long."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Semaphore
from typing import TypeVar

from turnstone_client import Turn, Turnstone, TurnstoneError

MOST_QUESTION = 8_192
"""Maximum characters of a question: the service's limit."""
MOST_TEXT = 65_536
"""Maximum characters of a turn: the service's limit."""
_MOST_CALLS = 32
_MOST_PENDING = 1_000
"""Maximum calls that run or wait. Beyond it nothing more is recalled or remembered: what waits stays bounded."""

_T = TypeVar("_T")
_logger = logging.getLogger("turnstone_langchain")


def log(error: Exception) -> None:
    """The default of ``on_error``. A client's error has neither words nor keys; of another only the type is told."""
    _logger.warning("no memory: %s", error if isinstance(error, TurnstoneError) else type(error).__name__)


def fitting(text: str, most: int) -> str:
    """The text, cut to what the service takes, in Unicode that can be sent."""
    return text[:most].encode("utf-8", "replace").decode()


class Memory:
    def __init__(
        self, client: Turnstone, *, context_max_tokens: int, patience: float, on_error: Callable[[Exception], None]
    ) -> None:
        self._client = client
        self._context_max_tokens = context_max_tokens
        self._patience = patience
        self._on_error = on_error
        # Its threads are joined when the program ends: what is being written then is stored.
        self._pool = ThreadPoolExecutor(_MOST_CALLS, thread_name_prefix="turnstone")
        self._room = Semaphore(_MOST_PENDING)

    def recall(self, question: str, user: str) -> str:
        """What is known for the question, as one text; empty where nothing is known, or not in time."""
        if not question:
            return ""
        q, most = fitting(question, MOST_QUESTION), self._context_max_tokens
        future = self._begin(lambda: self._client.context(q, tokens=most, user=user, timeout=self._patience))
        if future is None:
            return ""
        wait([future], self._patience)
        if not future.done():
            future.cancel()
            self._on_error(TurnstoneError("No recall within the patience.", code="timeout"))
            return ""
        error = future.exception()
        if error is None:
            return future.result()
        self._report(error)
        return ""

    def remember(self, turns: list[Turn], user: str, session: str | None) -> None:
        """Stores turns. A write that takes longer than the patience goes on in the background."""
        if not turns:
            return
        future = self._begin(lambda: self._client.remember(turns, user=user, session=session))
        if future is not None:
            future.add_done_callback(lambda done: self._report(done.exception()))
            wait([future], self._patience)

    def _begin(self, call: Callable[[], _T]) -> Future[_T] | None:
        if not self._room.acquire(blocking=False):
            self._on_error(TurnstoneError("Too many calls wait for the memory.", code="unavailable"))
            return None
        future = self._pool.submit(call)
        future.add_done_callback(lambda _: self._room.release())
        return future

    def _report(self, error: BaseException | None) -> None:
        if isinstance(error, Exception):
            self._on_error(error)
