"""Both clients, checked against clients/behaviours.json, like all clients, on a misbehaving server."""

from __future__ import annotations

import asyncio
import time
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel

from conftest import Misbehaving
from expected import TABLE, answer_of, expect_requests, expect_result
from turnstone_client import AsyncTurnstone, Event, Turnstone, TurnstoneError
from turnstone_client._calls import call as calls
from turnstone_client._calls import caller
from turnstone_client._http import async_transport, transport

KEY = "ts_key_secret"
SECONDS = {"timeout_ms": "timeout", "total_timeout_ms": "total_timeout", "silence_ms": "silence"}


def gives_up(case: dict[str, Any]) -> bool:
    return any("abort_after_ms" in call for call in case["calls"])


# A call of the sync client can't be given up: its thread waits in it.
CASES = [
    pytest.param(kind, case, id=f"{kind}: {case['name']}")
    for kind in ("sync", "async")
    for case in TABLE["cases"]
    if kind == "async" or not gives_up(case)
]


def options_of(given: dict[str, Any]) -> dict[str, Any]:
    return {SECONDS.get(name, name): value / 1_000 if name in SECONDS else value for name, value in given.items()}


def script_of(case: dict[str, Any]) -> dict[str, Any]:
    script = {route: [answer_of(answer) for answer in answers] for route, answers in case["answers"].items()}
    if case.get("at_once"):
        # Threads don't start at one instant: the first must not get its answer before the last has sent its request.
        for answer in (answer for route, answers in script.items() if "/auth/" not in route for answer in answers):
            answer["delay_ms"] = 200
    return script


def turns_of(turns: Any) -> list[dict[str, Any]]:
    if isinstance(turns, list):
        return [dict(turn) for turn in turns]
    made = []
    for i in range(turns["repeat"]):
        text = turns["text"].replace("{i}", str(i)).replace("{filler}", "x" * turns.get("filler", 0))
        made.append({"role": turns["role"], "text": text, "timestamp": turns["timestamp"]})
    return made


def plain(value: Any) -> Any:
    """In the table's form."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True)
    if isinstance(value, Event):
        return {"position": value.position, "data": plain(value.data)}
    return [plain(item) for item in value] if isinstance(value, list) else value


# ---- a call of each client, in the table's words ---------------------------------------------------------


ONE_ANSWER = (
    "memory.turn",
    "memory.add_fact",
    "memory.correct",
    "memory.correct_entity",
    "memory.title_session",
    "memory.user",
    "memory.name_user",
    "memory.stats",
)
WITHOUT_ANSWER = ("keys.revoke", "webhooks.delete", "memory.delete_turn", "memory.delete_observation")


def list_name(call: dict[str, Any]) -> str | None:
    if call["do"] == "events":
        return "events"
    is_list = call["do"].startswith("memory.") and call["do"] not in (*ONE_ANSWER, *WITHOUT_ANSWER)
    return "items" if is_list else None


def result_of(call: dict[str, Any], value: Any) -> dict[str, Any]:
    if call["do"] in WITHOUT_ANSWER:
        return {"nothing": value is None}
    return {"text": value} if call["do"] == "context" else {"answer": plain(value)}


def make(client: Turnstone, call: dict[str, Any]) -> dict[str, Any]:
    options = options_of(call.get("with", {}))
    if call["do"] == "batch":
        try:
            return run_batch(client, options)
        except TurnstoneError as error:
            return {"error": error}
    method = attrgetter(call["do"])(client)
    name = list_name(call)
    try:
        if name is None:
            return result_of(call, method(**options))
        result: dict[str, Any] = {name: []}
        for item in method(**options):
            result[name].append(plain(item))
            if len(result[name]) == call.get("take"):
                break
    except TurnstoneError as error:
        return {**(result if name else {}), "error": error}
    return result


async def make_async(client: AsyncTurnstone, call: dict[str, Any]) -> dict[str, Any]:
    options = options_of(call.get("with", {}))
    if call["do"] == "batch":
        try:
            return await run_batch_async(client, options)
        except TurnstoneError as error:
            return {"error": error}
    method = attrgetter(call["do"])(client)
    name = list_name(call)
    try:
        if name is None:
            return result_of(call, await method(**options))
        result: dict[str, Any] = {name: []}
        items = method(**options)
        async for item in items:
            result[name].append(plain(item))
            if len(result[name]) == call.get("take"):
                break
        await items.aclose()
    except TurnstoneError as error:
        return {**(result if name else {}), "error": error}
    return result


async def given_up(client: AsyncTurnstone, call: dict[str, Any]) -> dict[str, Any]:
    task = asyncio.create_task(make_async(client, call))
    if "abort_after_ms" not in call:
        return await task
    await asyncio.sleep(call["abort_after_ms"] / 1_000)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return {"aborted": True}


def settled(
    errors: list[BaseException | None], closing: TurnstoneError | None, added_first: int | None
) -> dict[str, Any]:
    failed = [
        {"index": index, "code": error.code} for index, error in enumerate(errors) if isinstance(error, TurnstoneError)
    ]
    told = [] if closing is None else (closing.details or {})["failed"]
    assert [{"index": each["index"], "code": each["code"]} for each in told] == failed  # close reports the same
    return {"stored": len(errors) - len(failed), "failed": failed, "added_first": added_first}


def run_batch(client: Turnstone, options: dict[str, Any]) -> dict[str, Any]:
    turns = turns_of(options.pop("turns"))
    futures: list[Any] = []
    added_first: list[int] = []
    batch = client.batch(**{"max_age": 10, **options})
    for turn in turns:
        futures.append(batch.add(turn, session=turn.pop("session", None)))  # type: ignore[arg-type]
        if len(futures) == 1:
            futures[0].add_done_callback(lambda _: added_first.append(len(futures)))
    closing = None
    try:
        batch.close()
    except TurnstoneError as error:
        closing = error
    return settled([future.exception(5) for future in futures], closing, added_first[0])


async def run_batch_async(client: AsyncTurnstone, options: dict[str, Any]) -> dict[str, Any]:
    turns = turns_of(options.pop("turns"))
    futures: list[Any] = []
    added_first: list[int] = []
    batch = client.batch(**{"max_age": 10, **options})
    for turn in turns:
        futures.append(await batch.add(turn, session=turn.pop("session", None)))  # type: ignore[arg-type]
        if len(futures) == 1:
            futures[0].add_done_callback(lambda _: added_first.append(len(futures)))
    closing = None
    try:
        await batch.close()
    except TurnstoneError as error:
        closing = error
    await asyncio.sleep(0)
    return settled([future.exception() for future in futures], closing, added_first[0])


def hurried(rate: float) -> Any:
    """The module ``time`` as the clients' steps see it; time-outs of sockets use the real one."""
    began = time.monotonic()
    return SimpleNamespace(monotonic=lambda: began + (time.monotonic() - began) * rate)


@pytest.mark.parametrize(("kind", "case"), CASES)
def test_behaviour(kind: str, case: dict[str, Any], misbehaving: Misbehaving, monkeypatch: pytest.MonkeyPatch) -> None:
    misbehaving.script(script_of(case))
    options: dict[str, Any] = {"base_url": misbehaving.url, **options_of(case.get("client", {}))}
    waits: list[float] = []
    sleep = asyncio.sleep

    async def no_sleep(seconds: float) -> None:
        waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr(transport, "sleep", waits.append)
    monkeypatch.setattr(async_transport, "sleep", no_sleep)
    if "clock_rate" in case:
        clock = hurried(case["clock_rate"])
        for module in (caller, calls):
            monkeypatch.setattr(module, "time", clock)
    at_once = case.get("at_once", False)

    async def sync_results() -> list[dict[str, Any]]:
        with Turnstone(KEY, **options) as client:
            assert KEY not in repr(client) + repr(vars(client))
            if at_once:
                return await asyncio.gather(*(asyncio.to_thread(make, client, call) for call in case["calls"]))
            return [make(client, call) for call in case["calls"]]

    async def async_results() -> list[dict[str, Any]]:
        async with AsyncTurnstone(KEY, **options) as client:
            assert KEY not in repr(client) + repr(vars(client))
            if at_once:
                return await asyncio.gather(*(given_up(client, call) for call in case["calls"]))
            return [await given_up(client, call) for call in case["calls"]]

    results = asyncio.run(sync_results() if kind == "sync" else async_results())
    for result, expected in zip(results, case["results"], strict=True):
        expect_result(result, expected)
    expect_requests(misbehaving.seen(), case["requests"])
    assert waits == [milliseconds / 1_000 for milliseconds in case.get("waits", [])]
