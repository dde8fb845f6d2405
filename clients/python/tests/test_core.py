"""The parts of the clients, beyond clients/behaviours.json."""

from __future__ import annotations

import asyncio
import json
import pickle
from datetime import datetime, timedelta, timezone
from typing import Any

import httpx
import pytest

from conftest import ME, answering, client_of
from turnstone_client import AsyncTurnstone, Turn, Turnstone, TurnstoneError, models
from turnstone_client._inputs import turn_bodies
from turnstone_client._retry import parse_retry_after

NOW = datetime(2026, 1, 5, 9, 30, tzinfo=timezone.utc)
# ---- what is passed in -----------------------------------------------------------------------------------


def test_a_turn_may_be_a_model_or_a_dictionary_and_one_or_many() -> None:
    expected = {"role": "user", "text": "a", "timestamp": "2026-01-05T09:30:00.000Z"}
    berlin = NOW.astimezone(timezone(timedelta(hours=1)))
    assert turn_bodies(Turn(role="user", text="a", timestamp=berlin)) == [expected]
    assert turn_bodies({"role": "user", "text": "a", "timestamp": NOW}) == [expected]
    assert turn_bodies(Turn(role="user", text=name, timestamp=NOW) for name in "ab") == [
        expected,
        {**expected, "text": "b"},
    ]


def test_a_turn_may_be_a_message_of_a_chat_api() -> None:
    message = {"role": "user", "content": "a", "timestamp": NOW}
    assert turn_bodies(message) == turn_bodies({"role": "user", "text": "a", "timestamp": NOW})
    assert message["content"] == "a"


def test_a_turn_without_a_time_was_said_now() -> None:
    (body,) = turn_bodies({"role": "user", "text": "a"})
    said = datetime.fromisoformat(body["timestamp"].replace("Z", "+00:00"))
    assert abs(datetime.now(timezone.utc) - said) < timedelta(seconds=5)


def test_a_message_without_a_time_keeps_its_time_in_a_retry() -> None:
    bodies: list[Any] = []

    def refuse_once(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content))
        if len(bodies) == 1:
            return httpx.Response(503)
        return httpx.Response(202, json={"job_id": "job_1", "active_fragment_ids": ["trn_1"], "passive_job_id": None})

    with client_of(memory=refuse_once) as client:
        client.remember({"role": "user", "content": "a"})
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]
    assert bodies[0]["turns"][0]["timestamp"].endswith("Z")


TURN = {"role": "user", "text": "a"}
EAST = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda client: client.remember({**TURN, "timestamp": NOW.replace(tzinfo=None)}), "time zone"),
        (lambda client: client.remember({**TURN, "timestamp": datetime(1, 1, 1, tzinfo=EAST)}), "converted to UTC"),
        (lambda client: client.remember({**TURN, "timestmap": NOW}), "no member timestmap"),
        (lambda client: client.remember({**TURN, "content": "a"}), "not both"),
        (lambda client: client.remember("hello"), "A turn must be"),
        (lambda client: client.remember(None), "A turn must be"),
        (lambda client: client.batch().add("hello"), "A turn must be"),
        (lambda client: client.job("\ud83d"), "surrogate"),
        (lambda client: client.forget(user="\ud83d"), "surrogate"),
        (lambda client: next(client.memory.turns(user="\ud83d")), "surrogate"),
        (lambda client: next(client.memory.turns(user="a" * 70_000)), "too long"),
        (lambda client: client.keys.revoke(".."), "An id"),
        (lambda client: client.memory.turn("."), "An id"),
        (lambda client: client.memory.delete_turn(".."), "An id"),
        (lambda client: client.memory.delete_observation(""), "An id"),
        (lambda client: client.get_recall(".."), "An id"),
        (lambda client: client.memory.correct_entity("..", label="x"), "An id"),
        (lambda client: client.memory.title_session("", None), "An id"),
        (lambda client: client.memory.correct("..", value="a"), "An id"),
        (lambda client: client.memory.correct("obs_1", valid_from=datetime(2026, 1, 5)), "time zone"),
        (lambda client: client.memory.add_fact("a", timestamp=datetime(2026, 1, 5)), "time zone"),
        (lambda client: client.memory.add_fact("a", metadata={"a": float("nan")}), "JSON"),
        (lambda client: client.job(""), "An id"),
        (lambda client: client.job(None), "An id"),
    ],
)
def test_what_can_not_be_sent_is_told_as_such(call: Any, says: str) -> None:
    with client_of() as client, pytest.raises(TurnstoneError) as caught:
        call(client)
    assert (caught.value.code, says in caught.value.message) == ("invalid", True)


def test_half_of_a_surrogate_pair_arrives() -> None:
    texts: list[str] = []

    def remember(request: httpx.Request) -> httpx.Response:
        texts.append(json.loads(request.content)["turns"][0]["text"])
        return httpx.Response(422)

    with client_of(memory=remember) as client, pytest.raises(TurnstoneError) as caught:
        client.remember({"role": "user", "text": "\ud83d"})
    assert (caught.value.code, texts) == ("invalid", ["\ud83d"])


def test_what_json_has_no_word_for_is_told_as_such() -> None:
    with client_of() as client, pytest.raises(TurnstoneError) as caught:
        client.remember({"role": "user", "text": "a"}, metadata={"at": object()})
    assert caught.value.code == "invalid"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"api_key": None}, "no API key"),
        ({"api_key": "ts_secret \u00fc"}, "The API key contains"),
        ({"api_key": "ts_a\nts_secret"}, "The API key contains"),
        ({"base_url": None}, "no address"),
        ({"base_url": "ftp://memory.example"}, "http"),
        ({"base_url": "http://ada:secret@memory.example"}, "no user"),
        ({"base_url": "http://memory.example?a=1"}, "no query"),
        ({"base_url": "http://memory.example:99999"}, "not a valid URL"),
        ({"base_url": "http://memory example"}, "not a valid URL"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": None}, "timeout"),
        ({"total_timeout": float("nan")}, "timeout"),
    ],
)
def test_what_can_not_work_is_told_at_once(options: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TURNSTONE_API_KEY", raising=False)
    monkeypatch.delenv("TURNSTONE_URL", raising=False)
    with pytest.raises(TurnstoneError) as caught:
        Turnstone(**{"api_key": "ts_key", "base_url": "http://memory.example", **options})
    assert caught.value.code == "configuration"
    assert says in caught.value.message
    assert "secret" not in repr(caught.value) + str(caught.value)


def test_the_environment_names_the_service_and_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURNSTONE_API_KEY", "ts_from_environment")
    monkeypatch.setenv("TURNSTONE_URL", "http://memory.example/")
    keys: list[str] = []

    def me(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["x-api-key"])
        return httpx.Response(200, json=ME)

    with Turnstone(http_client=httpx.Client(transport=answering(me=me))) as client:
        assert client.me().org_id == "acme"
        assert repr(client) == "Turnstone(base_url='http://memory.example')"
        assert "ts_from_environment" not in repr((vars(client), vars(client._caller)))
    assert keys == ["ts_from_environment"]


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
