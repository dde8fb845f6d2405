"""What is passed to the clients: turns, names and settings."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import httpx
import pytest

from conftest import ME, answering, client_of
from turnstone_client import Turn, Turnstone, TurnstoneError
from turnstone_client._calls.inputs import turn_bodies

NOW = datetime(2026, 1, 5, 9, 30, tzinfo=timezone.utc)


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
        (lambda client: client.memory.name_user("..", ["x"]), "An id"),
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
