"""Batches, beyond clients/behaviours.json."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from threading import Event, Thread
from typing import Any

import httpx
import pytest

from conftest import answering, client_of, stored
from turnstone_client import AsyncTurnstone, Turn, TurnstoneError
from turnstone_client._batch.queue import BatchLimits, BatchQueue, Entry


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
