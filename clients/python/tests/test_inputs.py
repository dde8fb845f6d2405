"""What is passed to the clients: turns, names and settings."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

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


class Message(BaseModel):
    """As the clients of OpenAI and Anthropic have it."""

    role: str
    content: list[dict[str, str]] | None
    tool_calls: list[dict[str, str]] | None = None


def test_a_message_may_be_a_model_of_another_client() -> None:
    said = Message(role="assistant", content=[{"type": "text", "text": "a"}])
    (body,) = turn_bodies([Message(role="assistant", content=None, tool_calls=[]), said])
    assert (body["role"], body["text"]) == ("assistant", "a")


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
    monkeypatch.setenv("TURNSTONE_DATA_DIR", "/nowhere")
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


def beside_server(folder: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TURNSTONE_API_KEY", raising=False)
    monkeypatch.delenv("TURNSTONE_URL", raising=False)
    monkeypatch.setenv("TURNSTONE_DATA_DIR", str(folder))
    (folder / "url").write_text(url + "\n")
    (folder / "api-key").write_text("ts_of_folder\n")


def test_beside_a_server_nothing_has_to_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside_server(tmp_path, "http://127.0.0.1:8080", monkeypatch)
    keys: list[str] = []

    def me(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["x-api-key"])
        return httpx.Response(200, json=ME)

    with Turnstone(http_client=httpx.Client(transport=answering(me=me))) as client:
        client.me()
        assert repr(client) == "Turnstone(base_url='http://127.0.0.1:8080')"
    assert keys == ["ts_of_folder"]


@pytest.mark.parametrize("url", ["https://memory.example", "http://127.0.0.1.example.com", "http://10.0.0.1:8080"])
def test_the_key_of_a_folder_goes_to_no_other_machine(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside_server(tmp_path, url, monkeypatch)
    for options in ({}, {"base_url": url}):
        with pytest.raises(TurnstoneError, match="no API key"):
            Turnstone(**options)


def test_a_job_is_waited_for_as_long_as_it_is_told() -> None:
    job = {"job_id": "job_1", "status": "queued", "turns": 1, "observations": 0, "entities": 0, "reason": None}
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return httpx.Response(200, json=job)

    with client_of(enr_1=answer) as client, pytest.raises(TurnstoneError) as caught:
        client.wait("enr_1", within=0.25)
    assert caught.value.code == "timeout"
    # At once, after 100 ms, and at the end, of which a timer may come a moment early.
    assert len(asked) in (3, 4)
