"""What the clients are made of, where the table of behaviours doesn't reach."""

from __future__ import annotations

import asyncio
import json
import pickle
import time
from datetime import datetime, timedelta, timezone
from threading import Event, Thread
from typing import Any

import httpx
import pytest

from turnstone_client import AsyncTurnstone, Turn, Turnstone, TurnstoneError, models
from turnstone_client._batch_queue import BatchLimits, BatchQueue, Entry
from turnstone_client._inputs import turn_bodies
from turnstone_client._retry import parse_retry_after
from turnstone_client._sse import EventParser

NOW = datetime(2026, 1, 5, 9, 30, tzinfo=timezone.utc)
TOKENS = {"access_token": "access-1", "refresh_token": "refresh-1", "token_type": "bearer", "expires_in": 86_400}
ME = {
    "org_id": "acme",
    "user_id": "ada",
    "roles": ["*"],
    "plan": "free",
    "limits": {"tokens_in": 1, "tokens_out": 2},
    "created_at": "2026-01-01T00:00:00Z",
}


def answering(**answers: Any) -> httpx.MockTransport:
    """A service in memory: by the last part of the path, a body, or a function of the request."""

    def answer(request: httpx.Request) -> httpx.Response:
        found = {"token-exchange": TOKENS, **answers}[request.url.path.rsplit("/", 1)[1]]
        return found(request) if callable(found) else httpx.Response(200, json=found)

    return httpx.MockTransport(answer)


def client_of(**answers: Any) -> Turnstone:
    http_client = httpx.Client(transport=answering(**answers))
    return Turnstone("ts_key", base_url="http://memory.example", http_client=http_client)


# ---- server-sent events ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1_000])
def test_events_are_read_in_pieces_of_any_size(size: int) -> None:
    # U+2028 and its kin end a line for str.splitlines, and not for the standard.
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


def test_a_turn_without_a_time_was_said_now() -> None:
    (body,) = turn_bodies({"role": "user", "text": "a"})
    said = datetime.fromisoformat(body["timestamp"].replace("Z", "+00:00"))
    assert abs(datetime.now(timezone.utc) - said) < timedelta(seconds=5)


def test_a_datetime_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        turn_bodies({"role": "user", "text": "a", "timestamp": NOW.replace(tzinfo=None)})


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
        ({"base_url": None}, "no address"),
        ({"base_url": "ftp://memory.example"}, "http"),
        ({"base_url": "http://ada:secret@memory.example"}, "no user"),
        ({"base_url": "http://memory.example?a=1"}, "no query"),
        ({"timeout": 0}, "timeout"),
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

    def exchange(request: httpx.Request) -> httpx.Response:
        keys.append(json.loads(request.content)["api_key"])
        return httpx.Response(200, json=TOKENS)

    transport = answering(**{"token-exchange": exchange, "me": ME})
    with Turnstone(http_client=httpx.Client(transport=transport)) as client:
        assert client.me().org_id == "acme"
        assert repr(client) == "Turnstone(base_url='http://memory.example')"
    assert keys == ["ts_from_environment"]


# ---- what comes back -------------------------------------------------------------------------------------


def test_an_answer_of_another_version_is_read_as_far_as_it_goes() -> None:
    answer = {"mode": "profound", "confidence": "high", "usage": {"tokens_in": 1, "tokens_out": 2}, "new": [1]}
    with client_of(recall=answer) as client:
        recalled = client.recall("Where?")
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
    assert [parse_retry_after(value) for value in (None, "", "soon", "-1")] == [None] * 4


def test_a_token_that_no_header_can_hold_is_in_no_error() -> None:
    tokens = {**TOKENS, "access_token": "ts_broken\n"}
    url = "http://127.0.0.1:1"
    with (
        Turnstone(
            "ts_key", base_url=url, http_client=httpx.Client(transport=answering(**{"token-exchange": tokens}))
        ) as client,
        pytest.raises(TurnstoneError) as caught,
    ):
        client.me()
    assert caught.value.code == "unexpected_answer"
    assert "ts_broken" not in repr(vars(caught.value)) + str(caught.value)


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
    assert hosts == ["memory.example"] * 2


# ---- closing and sharing ---------------------------------------------------------------------------------


def test_a_closed_client_says_so() -> None:
    client = Turnstone("ts_key", base_url="http://memory.example")
    client.close()
    with pytest.raises(TurnstoneError) as caught:
        client.me()
    assert caught.value.code == "configuration"


def test_a_client_of_ones_own_is_left_open() -> None:
    http_client = httpx.Client(transport=answering(me=ME))
    with Turnstone("ts_key", base_url="http://memory.example", http_client=http_client) as client:
        client.me()
    assert not http_client.is_closed
    http_client.close()


def test_callers_that_wait_for_one_exchange_hear_of_its_failure_together() -> None:
    exchanges: list[str] = []

    async def exchange(request: httpx.Request) -> httpx.Response:
        exchanges.append(request.url.path)
        await asyncio.sleep(0.05)
        return httpx.Response(401)

    async def main() -> list[Any]:
        http_client = httpx.AsyncClient(transport=httpx.MockTransport(exchange))
        async with AsyncTurnstone("ts_key", base_url="http://memory.example", http_client=http_client) as client:
            return await asyncio.gather(*(client.me() for _ in range(20)), return_exceptions=True)

    errors = asyncio.run(main())
    assert [error.code for error in errors] == ["unauthenticated"] * 20
    assert len(exchanges) == 1


# ---- batches ---------------------------------------------------------------------------------------------


def entry(index: int, session: str, at: float = 0.0) -> Entry:
    return Entry(index, ("ada", session), {}, 10, at, None)


def test_a_lane_waits_for_its_age_or_its_size_and_goes_one_request_after_the_other() -> None:
    queue = BatchQueue(BatchLimits(max_turns=2, max_age=1.0, max_in_flight=2, max_pending=100))
    for index, session in enumerate("aabbbc"):
        queue.add(entry(index, session))
    first, second = queue.take(0.5), queue.take(0.5)
    assert [[one.index for one in taken] for taken in (first, second)] == [[0, 1], [2, 3]]
    assert queue.take(9.0) == []  # two are under way
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
        if request.url.path.startswith("/auth"):
            return httpx.Response(200, json=TOKENS)
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


def test_an_error_within_a_batchs_block_is_not_hidden_by_the_batchs() -> None:
    def remember(_: httpx.Request) -> httpx.Response:
        return httpx.Response(403)

    with client_of(memory=remember) as client, pytest.raises(KeyError), client.batch() as batch:
        batch.add(Turn(role="a", text="a"))
        raise KeyError
    with client_of(memory=remember) as client, pytest.raises(TurnstoneError) as caught, client.batch() as batch:
        batch.add(Turn(role="a", text="a"))
    assert caught.value.code == "not_stored"
