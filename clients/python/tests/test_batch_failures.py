"""What a batch tells of turns that failed."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from threading import Thread
from typing import Any

import httpx
import pytest

from conftest import Slow, answering, client_of, codes
from turnstone_client import AsyncTurnstone, Turn, TurnstoneError
from turnstone_client._batch.failures import Failures


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
