"""What comes back from the clients, how they are closed and shared, beyond clients/behaviours.json."""

from __future__ import annotations

import asyncio
import pickle
from datetime import datetime, timezone

import httpx
import pytest

from conftest import ME, answering, client_of
from turnstone_client import AsyncTurnstone, Turnstone, TurnstoneError, models
from turnstone_client._http.retry import parse_retry_after

NOW = datetime(2026, 1, 5, 9, 30, tzinfo=timezone.utc)


# ---- what comes back -------------------------------------------------------------------------------------


def test_an_answer_of_another_version_is_read_as_far_as_it_goes() -> None:
    answer = {"mode": "profound", "confidence": "high", "usage": {"tokens_in": 1, "tokens_out": 2}, "new": [1]}
    with client_of(recall=answer) as client:
        recalled = client.recall("Where?", all_users=True)
    assert isinstance(recalled.usage, models.Usage)
    assert (recalled.mode, recalled.confidence, recalled.usage.tokens_in) == ("profound", "high", 1)
    assert recalled.model_extra == {"new": [1]}
    with pytest.raises(AttributeError):
        _ = recalled.hits


def test_an_answer_that_is_no_object_is_an_error_without_it() -> None:
    with client_of(me=["words of people"]) as client, pytest.raises(TurnstoneError) as caught:
        client.me()
    assert caught.value.code == "unexpected_answer"
    assert "words" not in repr(vars(caught.value)) + str(caught.value)
    assert caught.value.__context__ is None


def test_a_new_keys_secret_is_in_no_repr() -> None:
    key = models.NewApiKey.model_construct(id="key_1", api_key="ts_secret")
    assert "ts_secret" not in repr(key) + str(key)


def test_an_error_comes_through_a_pickle_as_it_was() -> None:
    error = TurnstoneError("No.", code="forbidden", status=403, request_id="a", details={"b": 1}, retry_after=2.0)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), vars(copy)) == (str(error), vars(error))


def test_retry_after_is_seconds_or_a_date() -> None:
    assert parse_retry_after("7") == 7.0
    assert parse_retry_after("Mon, 05 Jan 2026 09:31:00 GMT", NOW) == 60.0
    assert parse_retry_after("Mon, 05 Jan 2026 09:29:00 GMT", NOW) == 0.0
    far = ("Wed, 21 Oct 99999999999999 07:28:00 GMT", "Wed, 21 Oct 2026 07:28:00 +99999999999999")
    assert [parse_retry_after(value) for value in (None, "", "soon", "-1", *far)] == [None] * 6


def test_a_refusal_of_any_depth_is_a_refusal() -> None:
    deep = httpx.Response(422, content=b"[" * 200_000)
    with client_of(me=lambda _: deep) as client, pytest.raises(TurnstoneError) as caught:
        client.me()
    assert caught.value.code == "invalid"


def test_a_secret_that_is_written_in_escapes_is_in_no_error() -> None:
    key = "".join(f"\\u{ord(letter):04x}" for letter in "ts_key")
    body = f'''{{"message":"bad {key}","details":{{"{key}":["{key}"],"errors":[{{"loc":["{key}","{key}"]}}]}}}}'''
    refused = httpx.Response(422, content=body.encode())
    with client_of(me=lambda _: refused) as client, pytest.raises(TurnstoneError) as caught:
        client.me()
    assert caught.value.message.startswith("bad ***")
    assert "ts_key" not in repr(vars(caught.value)) + str(caught.value)


def test_the_key_follows_no_redirect_of_a_client_that_follows_them() -> None:
    hosts: list[str] = []

    def redirect(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(307, headers={"location": "http://elsewhere.example/"})

    async def main() -> str:
        http_client = httpx.AsyncClient(transport=httpx.MockTransport(redirect), follow_redirects=True)
        async with AsyncTurnstone("ts_key", base_url="http://memory.example", http_client=http_client) as client:
            with pytest.raises(TurnstoneError) as caught:
                await client.me()
        return caught.value.code

    http_client = httpx.Client(transport=httpx.MockTransport(redirect), follow_redirects=True)
    with (
        Turnstone("ts_key", base_url="http://memory.example", http_client=http_client) as client,
        pytest.raises(TurnstoneError) as caught,
    ):
        client.me()
    assert [caught.value.code, asyncio.run(main())] == ["refused", "refused"]
    assert "base_url must be the address of the service itself" in caught.value.message
    assert hosts == ["memory.example"] * 2


# ---- closing and sharing ---------------------------------------------------------------------------------


def test_a_closed_client_says_so() -> None:
    client = Turnstone("ts_key", base_url="http://memory.example")
    client.close()
    with pytest.raises(TurnstoneError) as caught:
        client.me()
    assert caught.value.code == "configuration"


def test_an_async_client_belongs_to_one_event_loop() -> None:
    client = AsyncTurnstone(
        "ts_key", base_url="http://memory.example", http_client=httpx.AsyncClient(transport=answering(me=ME))
    )
    unused = AsyncTurnstone("ts_key", base_url="http://127.0.0.1:1")
    assert asyncio.run(client.me()).org_id == "acme"

    async def first() -> None:
        await anext(client.events())

    for call in (client.me, first, lambda: client.batch().add({"role": "user", "text": "a"})):
        with pytest.raises(TurnstoneError) as caught:
            asyncio.run(call())
        assert (caught.value.code, "one for each loop" in caught.value.message) == ("configuration", True)
    asyncio.run(unused.aclose())


def test_an_async_client_is_closed_where_it_was_used() -> None:
    client = AsyncTurnstone("ts_key", base_url="http://127.0.0.1:1", total_timeout=0.1)

    async def use() -> None:
        with pytest.raises(TurnstoneError):
            await client.me()

    asyncio.run(use())
    with pytest.raises(TurnstoneError, match="one for each loop"):
        asyncio.run(client.aclose())


def test_a_client_of_ones_own_is_left_open() -> None:
    http_client = httpx.Client(transport=answering(me=ME))
    with Turnstone("ts_key", base_url="http://memory.example", http_client=http_client) as client:
        client.me()
    assert not http_client.is_closed
    http_client.close()
