"""Batches, beyond clients/behaviours.json."""

from __future__ import annotations

import asyncio
import gc
import json
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from threading import Event, Thread
from typing import Any, NoReturn

import httpx
import pytest

from conftest import answering, client_of
from turnstone_client import AsyncTurnstone, Turn, TurnstoneError
from turnstone_client._batch_failures import Failures
from turnstone_client._batch_queue import BatchLimits, BatchQueue, Entry


def entry(index: int, session: str, at: float = 0.0) -> Entry:
    return Entry(index, ("ada", session), {}, 10, at, None)


def test_a_lane_waits_for_its_age_or_its_size_and_goes_one_request_after_the_other() -> None:
    queue = BatchQueue(BatchLimits(max_turns=2, max_age=1.0, max_in_flight=2, max_pending=100))
    for index, session in enumerate("aabbbc"):
        queue.add(entry(index, session))
    first, second = queue.take(0.5), queue.take(0.5)
    assert [[one.index for one in taken] for taken in (first, second)] == [[0, 1], [2, 3]]
    assert queue.take(9.0) == []  # two are in flight
    queue.done(first)
    assert queue.take(0.5) == []  # b is busy, and c is young
    assert queue.due_in(0.5) == 0.5
    third = queue.take(1.0)
    assert [one.index for one in third] == [5]
    queue.done(second)
    assert [one.index for one in queue.take(1.0)] == [4]
    assert queue.pending == 2


def test_a_batch_takes_turns_of_many_sessions_and_keeps_nothing_of_them() -> None:
    queue = BatchQueue(BatchLimits(max_turns=1_000, max_age=60.0, max_in_flight=1, max_pending=20_000))
    for index in range(10_000):
        queue.add(entry(index, f"session {index % 5_000}"))
    queue.hurry(10_000)
    sent = 0
    while taken := queue.take(0.0):
        sent += len(taken)
        queue.done(taken)
    assert (sent, queue.pending, len(queue._lanes), queue._full) == (10_000, 0, 0, {})


def test_a_batch_that_several_threads_add_to_stores_every_turn_once() -> None:
    stored: list[str] = []

    def remember(request: httpx.Request) -> httpx.Response:
        texts = [turn["text"] for turn in json.loads(request.content)["turns"]]
        stored.extend(texts)
        usage = {"tokens_in": 1, "tokens_out": 0}
        answer = {"job_id": "j", "active_fragment_ids": texts, "passive_job_id": None, "usage": usage}
        return httpx.Response(202, json=answer)

    with client_of(memory=remember) as client:
        with client.batch(max_turns=7, max_pending=20, max_age=0.01) as batch:
            threads = [
                Thread(target=lambda name=name: [batch.add(Turn(role="a", text=f"{name} {i}")) for i in range(100)])  # type: ignore[misc]
                for name in "abcd"
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert batch.add(Turn(role="a", text="last"), session="another").result(5) == "last"
        with pytest.raises(TurnstoneError, match="closed"):
            batch.add(Turn(role="a", text="late"))
    assert sorted(stored) == sorted([*(f"{name} {i}" for name in "abcd" for i in range(100)), "last"])


def stored(_: httpx.Request) -> httpx.Response:
    time.sleep(0.02)
    usage = {"tokens_in": 1, "tokens_out": 0}
    ids = ["trn_1"]
    return httpx.Response(202, json={"job_id": "j", "active_fragment_ids": ids, "passive_job_id": None, "usage": usage})


def test_a_flush_ends_while_others_add_and_hurries_none_of_theirs() -> None:
    with client_of(memory=stored) as client, client.batch(max_age=0.01) as batch:
        ended = Event()

        def go_on_adding() -> None:
            while not ended.is_set():
                batch.add(Turn(role="a", text="of another"), session="another")
                time.sleep(0.001)

        thread = Thread(target=go_on_adding)
        thread.start()
        flush = Thread(target=batch.flush, daemon=True)
        flush.start()
        flush.join(5)
        is_alive = flush.is_alive()
        ended.set()
        thread.join()
        assert not is_alive
    with client_of(memory=stored) as client, client.batch(max_age=60) as batch:
        batch.add(Turn(role="a", text="a"))
        batch.flush()
        late = batch.add(Turn(role="a", text="b"))
        time.sleep(0.2)
        assert not late.done()


def test_adds_that_wait_for_room_when_a_batch_is_closed_are_stored() -> None:
    with client_of(memory=stored) as client:
        batch = client.batch(max_turns=1, max_pending=1, max_in_flight=1)
        futures: list[Any] = []
        threads = [
            Thread(target=lambda: futures.append(batch.add(Turn(role="a", text="a"))), daemon=True) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        while batch._queue.newest < 3:
            time.sleep(0.001)
        batch.close()
        for thread in threads:
            thread.join(5)
        assert [future.result(0) for future in futures] == ["trn_1"] * 4

    async def main() -> list[str | None]:
        http_client = httpx.AsyncClient(transport=answering(memory=stored))
        async with AsyncTurnstone("ts_key", base_url="http://memory.example", http_client=http_client) as client:
            batch = client.batch(max_turns=1, max_pending=1, max_in_flight=1)
            adds = [asyncio.create_task(batch.add(Turn(role="a", text="a"))) for _ in range(4)]
            await asyncio.sleep(0)
            await batch.close()
            return [(await add).result() for add in adds]

    assert asyncio.run(main()) == ["trn_1"] * 4


def test_a_batch_whose_loop_ends_begins_no_request() -> None:
    asked: list[str] = []
    is_asked = asyncio.Event()

    async def silent(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        is_asked.set()
        await asyncio.sleep(60)
        raise AssertionError

    async def main() -> tuple[Any, asyncio.Future[str | None]]:
        http_client = httpx.AsyncClient(transport=httpx.MockTransport(silent))
        client = AsyncTurnstone("ts_key", base_url="http://memory.example", http_client=http_client)
        batch = client.batch(max_turns=1, max_in_flight=1)
        futures = [await batch.add(Turn(role="a", text=text)) for text in "abc"]
        await is_asked.wait()
        return batch, futures[0]

    batch, future = asyncio.run(main())
    assert (len(asked), batch._queue.pending, batch._tasks) == (1, 2, set())
    error = future.exception()
    assert isinstance(error, TurnstoneError)
    assert "not known" in error.message
    with pytest.warns(RuntimeWarning, match="2 turns may be lost"):
        del batch
        gc.collect()


def test_an_error_within_a_batchs_block_is_not_hidden_by_the_batchs() -> None:
    def remember(_: httpx.Request) -> httpx.Response:
        return httpx.Response(403)

    with client_of(memory=remember) as client, pytest.raises(KeyError), client.batch() as batch:
        batch.add(Turn(role="a", text="a"))
        raise KeyError
    with client_of(memory=remember) as client, pytest.raises(TurnstoneError) as caught, client.batch() as batch:
        batch.add(Turn(role="a", text="a"))
    assert caught.value.code == "not_stored"


def test_a_batch_whose_client_is_closed_says_so() -> None:
    client = client_of(memory=stored)
    batch = client.batch(max_age=60)
    future = batch.add(Turn(role="a", text="a"))
    client._transport._client.close()
    with pytest.raises(TurnstoneError) as caught:
        batch.close()
    assert "The client is closed." in caught.value.message
    assert isinstance(error := future.exception(0), TurnstoneError) and error.code == "configuration"


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


class Slow:
    """A service that refuses turns once it is released."""

    def __init__(self) -> None:
        self.asked, self.released = Event(), Event()

    def __call__(self, _: httpx.Request) -> httpx.Response:
        self.asked.set()
        self.released.wait(20)
        return httpx.Response(403)


def answering_late() -> httpx.MockTransport:
    async def answer(_: httpx.Request) -> NoReturn:
        await asyncio.sleep(60)
        raise AssertionError

    return httpx.MockTransport(answer)


def codes(errors: list[BaseException | None]) -> list[str]:
    return [error.code for error in errors if isinstance(error, TurnstoneError)]


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


# ---- failures --------------------------------------------------------------------------------------------


def errors_alive() -> int:
    gc.collect()
    return sum(isinstance(each, TurnstoneError) for each in gc.get_objects())


def test_a_batch_that_nobody_flushes_keeps_the_first_failures_and_counts_the_others() -> None:
    failures = Failures()
    before = errors_alive()
    for index in range(250):
        failures.note(index, TurnstoneError("no", code="forbidden"))
    assert errors_alive() - before == 100
    with pytest.raises(TurnstoneError, match="250 turns") as caught, failures.told():
        pass
    details = caught.value.details or {}
    assert [each["index"] for each in details["failed"]] == list(range(100))
    assert details["omitted"] == 150
    with failures.told():
        pass


def test_a_failure_that_is_kept_holds_nothing_of_its_request() -> None:
    class Body:
        """Something that a frame of the call holds."""

    def failed(body: Body) -> TurnstoneError:
        try:
            raise TurnstoneError("no", code="forbidden")
        except TurnstoneError as error:
            return error

    body = Body()
    alive = weakref.ref(body)
    failures = Failures()
    failures.note(0, failed(body))
    del body
    gc.collect()
    assert alive() is None


# ---- several flushes -------------------------------------------------------------------------------------


def test_each_flush_tells_of_all_that_it_waited_for() -> None:
    service = Slow()

    def told(flush: Any) -> list[int]:
        try:
            flush()
        except TurnstoneError as error:
            return [each["index"] for each in (error.details or {})["failed"]]
        return []

    with client_of(memory=service) as client:
        batch = client.batch(max_age=60)
        for text in "ab":
            batch.add(Turn(role="a", text=text))
        heard: list[list[int]] = []
        flushes = [Thread(target=lambda: heard.append(told(batch.flush))) for _ in range(2)]
        flushes.append(Thread(target=lambda: heard.append(told(batch.close))))
        for flush in flushes:
            flush.start()
        while len(batch._failures._flushes) < 3:
            time.sleep(0.001)
        service.released.set()
        for flush in flushes:
            flush.join(5)
        assert heard == [[0, 1]] * 3
        assert told(batch.flush) == []

    async def main() -> list[str]:
        http_client = httpx.AsyncClient(transport=answering(memory=lambda _: httpx.Response(403)))
        async with AsyncTurnstone("ts_key", base_url="http://memory.example", http_client=http_client) as client:
            batch = client.batch(max_age=60)
            await batch.add(Turn(role="a", text="a"))
            return codes(await asyncio.gather(batch.flush(), batch.flush(), return_exceptions=True))

    assert asyncio.run(main()) == ["not_stored"] * 2
