"""A batch always ends, and gives up where it is told to."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from threading import Thread
from typing import Any, NoReturn

import httpx
import pytest

from conftest import Slow, client_of, codes, stored
from turnstone_client import AsyncTurnstone, Turn, TurnstoneError

# ---- a flush always ends -----------------------------------------------------------------------------------


def refused(call: Callable[[], Any]) -> Thread:
    """A thread whose call must end with a ``TurnstoneError``."""

    def run() -> None:
        with pytest.raises(TurnstoneError):
            call()

    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_turns_may_wait_for_others_for_ever() -> None:
    with client_of(memory=stored) as client:
        batch = client.batch(max_age=float("inf"))
        future = batch.add(Turn(role="a", text="a"))
        time.sleep(0.05)
        flush = Thread(target=batch.flush, daemon=True)
        flush.start()
        flush.join(5)
        assert (flush.is_alive(), future.result(0)) == (False, "trn_1")
        batch.close()


def test_turns_whose_thread_dies_are_told_as_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: float) -> NoReturn:
        raise OverflowError

    with client_of(memory=stored) as client:
        batch = client.batch(max_age=60)
        monkeypatch.setattr(batch._queue, "due_in", broken)
        monkeypatch.setattr(threading, "excepthook", lambda _: None)
        future = batch.add(Turn(role="a", text="a"))
        error = future.exception(5)
        assert isinstance(error, TurnstoneError) and "OverflowError" in error.message
        closing = refused(batch.close)
        for thread in (closing, *batch._threads):
            thread.join(5)
            assert not thread.is_alive()


def test_a_turn_that_no_thread_can_send_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_thread(_: Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    with client_of(memory=stored) as client, client.batch() as batch:
        with monkeypatch.context() as patched:
            patched.setattr(Thread, "start", no_thread)
            with pytest.raises(TurnstoneError, match="No thread"):
                batch.add(Turn(role="a", text="a"))
        batch.flush()
        assert batch.add(Turn(role="a", text="a")).result(5) == "trn_1"


PROGRAM = """
import json, os, httpx
from turnstone_client import Turnstone, TurnstoneError

def answer(request):
    ids = ["trn"] * len(json.loads(request.content)["turns"])
    usage = {"tokens_in": 1, "tokens_out": 0}
    body = {"job_id": "j", "active_fragment_ids": ids, "passive_job_id": None, "usage": usage}
    return httpx.Response(202, json=body)

http_client = httpx.Client(transport=httpx.MockTransport(answer))
client = Turnstone("ts_key", base_url="http://memory.example", http_client=http_client)
"""


def told_by(program: str) -> str:
    ended = subprocess.run([sys.executable, "-c", PROGRAM + program], capture_output=True, text=True, timeout=20)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout + ended.stderr


def test_a_batch_is_refused_behind_a_fork() -> None:
    told = told_by("""
batch = client.batch(max_in_flight=1, max_age=60)
batch.add({"role": "a", "text": "a"})
batch.flush()
batch.add({"role": "a", "text": "of the parent"})
pid = os.fork()
if pid == 0:
    for refused in (lambda: batch.add({"role": "a", "text": "b"}), batch.flush, batch.close):
        try:
            refused()
        except TurnstoneError as error:
            print(error.code, flush=True)
else:
    os.waitpid(pid, 0)
    batch.close()
""")
    assert told.split() == ["configuration"] * 3


def test_a_program_that_ends_with_turns_unsent_says_so() -> None:
    assert "2 turns may be lost" in told_by("""
batch = client.batch(max_age=60)
for text in "ab":
    batch.add({"role": "a", "text": text})
""")


# ---- giving up -------------------------------------------------------------------------------------------


def answering_late() -> httpx.MockTransport:
    async def answer(_: httpx.Request) -> NoReturn:
        await asyncio.sleep(60)
        raise AssertionError

    return httpx.MockTransport(answer)


def test_ctrl_c_within_a_batch_does_not_wait_for_its_backlog() -> None:
    service = Slow()
    client = client_of(memory=service)
    with pytest.raises(KeyboardInterrupt), client.batch(max_turns=1, max_in_flight=1) as batch:
        futures = [batch.add(Turn(role="a", text=text)) for text in "abcd"]
        assert service.asked.wait(5)
        raise KeyboardInterrupt
    assert not futures[0].done()
    assert codes([future.exception(0) for future in futures[1:]]) == ["not_stored"] * 3
    with pytest.raises(TurnstoneError, match="closed"):
        batch.add(Turn(role="a", text="late"))
    service.released.set()
    assert codes([futures[0].exception(5)]) == ["forbidden"]


def test_ctrl_c_while_a_batch_is_closed_gives_it_up() -> None:
    service = Slow()
    client = client_of(memory=service)
    batch = client.batch(max_turns=1, max_in_flight=1, max_pending=3)
    futures = [batch.add(Turn(role="a", text=text)) for text in "abc"]
    waiting = refused(lambda: batch.add(Turn(role="a", text="d")))
    # The first turn is with the service and the last one waits for room, or closing would refuse it at once.
    assert service.asked.wait(5)
    while batch._queue.newest < 3:
        time.sleep(0.001)
    main = threading.main_thread().ident
    assert main is not None

    def interrupt() -> None:
        while not batch._failures._flushes:
            time.sleep(0.001)
        signal.pthread_kill(main, signal.SIGINT)

    Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        batch.close()
    waiting.join(5)
    assert (futures[0].done(), waiting.is_alive()) == (False, False)
    assert codes([future.exception(0) for future in futures[1:]]) == ["not_stored"] * 2
    service.released.set()
    assert codes([futures[0].exception(5)]) == ["forbidden"]


def test_a_batch_that_is_cancelled_does_not_wait_for_its_backlog() -> None:
    async def main() -> list[str]:
        http_client = httpx.AsyncClient(transport=answering_late())
        futures: list[Any] = []

        async def work() -> None:
            async with (
                AsyncTurnstone("ts_key", base_url="http://memory.example", http_client=http_client) as client,
                client.batch(max_turns=1, max_in_flight=2) as batch,
            ):
                futures.extend([await batch.add(Turn(role="a", text="a"), session=session) for session in "abcd"])

        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(work(), 0.2)
        return codes([future.exception() for future in futures])

    assert asyncio.run(main()) == ["network", "network", "not_stored", "not_stored"]


def test_a_batch_that_is_cancelled_at_once_settles_what_was_just_begun() -> None:
    async def main() -> list[str]:
        http_client = httpx.AsyncClient(transport=answering_late())
        client = AsyncTurnstone("ts_key", base_url="http://memory.example", http_client=http_client)
        with pytest.raises(asyncio.CancelledError):
            async with client.batch(max_turns=1) as batch:
                future = await batch.add(Turn(role="a", text="a"))
                raise asyncio.CancelledError
        return codes([future.exception()])

    assert asyncio.run(main()) == ["network"]
