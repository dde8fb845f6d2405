"""Feeds, beyond clients/behaviours.json."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from conftest import client_of
from turnstone_client import AsyncTurnstone, Turnstone, TurnstoneError
from turnstone_client._http import async_transport, transport
from turnstone_client._http.retry import pause_before_reconnect
from turnstone_client._http.sse import LONGEST, EventParser


def stream(text: str, kind: str = "text/event-stream") -> httpx.Response:
    return httpx.Response(200, headers={"content-type": kind}, content=text.encode())


def turn(id: str) -> str:
    return f'id: {id}\nevent: turn\ndata: {{"id":"{id}"}}\n\n'


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The requested sleeps; none is real."""
    waits: list[float] = []

    async def no_sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(transport, "sleep", waits.append)
    monkeypatch.setattr(async_transport, "sleep", no_sleep)
    return waits


def scripted(routes: dict[str, list[httpx.Response]]) -> httpx.MockTransport:
    answers: dict[str, Iterator[httpx.Response]] = {path: iter(each) for path, each in routes.items()}
    return httpx.MockTransport(lambda request: next(answers[request.url.path]))


def first_two(transport: httpx.MockTransport, kind: str) -> list[str]:
    async def main() -> list[str]:
        http_client = httpx.AsyncClient(transport=transport)
        async with AsyncTurnstone("ts_key", base_url="http://memory.example", http_client=http_client) as client:
            events = client.events()
            return [(await anext(events)).position for _ in range(2)]

    if kind == "async":
        return asyncio.run(main())
    with Turnstone("ts_key", base_url="http://memory.example", http_client=httpx.Client(transport=transport)) as client:
        events = client.events()
        return [next(events).position for _ in range(2)]


# ---- server-sent events ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1_000])
def test_events_are_read_in_pieces_of_any_size(size: int) -> None:
    # U+2028 and others end a line for str.splitlines, but not in the standard.
    data = json.dumps({"text": "one\u2028two\u0085three\x0bfour"}, ensure_ascii=False)
    stream = f"\ufeffretry: 1500\r\n: a beat\nid: p1\revent: turn\r\ndata: {data}\n\nid: p2\n\ndata\n\n".encode()
    parser = EventParser()
    messages = [message for i in range(0, len(stream), size) for message in parser.feed(stream[i : i + size])]
    assert [(one.id, one.event, one.data) for one in messages] == [
        ("p1", "turn", data),
        ("p2", "message", None),
        ("p2", "message", ""),
    ]
    assert parser.retry == 1.5


@pytest.mark.parametrize("piece", [b"data: " + b"x" * 65_530, (b"data: " + b"x" * 1_000 + b"\n") * 50])
def test_a_message_without_an_end_is_given_up(piece: bytes) -> None:
    parser = EventParser()
    with pytest.raises(TurnstoneError) as caught:
        for _ in range(LONGEST // len(piece) + 2):
            parser.feed(piece)
    assert caught.value.code == "unexpected_answer"


def test_messages_that_have_ends_may_be_more_than_one_may_have() -> None:
    parser = EventParser()
    piece = b"data: " + b"x" * 65_530 + b"\n\ndata: y"
    assert sum(len(parser.feed(piece)) for _ in range(LONGEST // len(piece) + 2)) > 1


def test_a_line_in_many_pieces_is_read_once() -> None:
    parser = EventParser()
    began = time.process_time()
    for _ in range(200_000):
        parser.feed(b"x" * 50)
    # Parsing it again with each piece would take minutes.
    assert time.process_time() - began < 5


# ---- reconnecting ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("failing", [{"status_code": 503}, {"status_code": 200, "html": "<h1>Back soon</h1>"}])
def test_a_feed_outlives_a_time_without_a_stream(kind: str, failing: dict[str, Any], waits: list[float]) -> None:
    outage = [httpx.Response(**failing) for _ in range(3)]
    transport = scripted({"/events": [stream(turn("p1")), *outage, stream(turn("p2"))]})
    assert first_two(transport, kind) == ["p1", "p2"]
    assert waits == [1, 2, 4, 8]


def test_a_stream_that_says_to_come_back_at_once_is_given_some_time(waits: list[float]) -> None:
    transport = scripted(
        {
            "/events": [*(stream("retry: 0\n" + turn("p1")) for _ in range(5)), stream(turn("p2"))],
        }
    )
    assert first_two(transport, "sync") == ["p1", "p2"]
    # Only a new event counts as progress.
    assert waits == [0.1, 0.2, 0.4, 0.8, 1.6]


@pytest.mark.parametrize("digits", [400, 5_000])
def test_a_retry_of_any_length_is_a_number(digits: int) -> None:
    parser = EventParser()
    parser.feed(b"retry: " + b"9" * digits + b"\n\n")
    assert pause_before_reconnect(3, parser.retry) == 30


@pytest.mark.parametrize("id", ["p\u00fc", "p\u0001", "p 1"])
def test_a_position_that_no_header_can_hold_is_told(id: str, waits: list[float]) -> None:
    with client_of(events=lambda _: stream(turn(id))) as client, pytest.raises(TurnstoneError) as caught:
        next(client.events())
    assert (caught.value.code, waits) == ("unexpected_answer", [])


def test_a_type_of_content_may_be_written_in_any_case() -> None:
    with client_of(events=lambda _: stream(turn("p1"), "Text/Event-Stream")) as client:
        assert next(client.events()).position == "p1"


@pytest.mark.parametrize("silence", [0, -1, float("nan"), None])
def test_a_silence_that_can_not_be_is_told(silence: Any) -> None:
    with client_of() as client, pytest.raises(TurnstoneError) as caught:
        next(client.events(silence=silence))
    message = "silence must be a number of seconds above 0."
    assert (caught.value.code, caught.value.message) == ("configuration", message)


def test_a_silence_may_be_for_ever() -> None:
    with client_of(events=lambda _: stream(turn("p1"))) as client:
        assert next(client.events(silence=float("inf"))).position == "p1"
