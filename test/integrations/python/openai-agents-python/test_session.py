"""The session in runs of the real SDK, on the service at TURNSTONE_URL."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from agents import Agent, RunConfig, Runner, Session, SessionSettings, TResponseInputItem, function_tool
from model import ScriptedModel, message
from openai.types.responses import ResponseFunctionToolCall
from turnstone_openai_agents import TurnstoneSession

from turnstone_client import AsyncTurnstone, TurnstoneError


def runs(test: Callable[[AsyncTurnstone], Awaitable[None]]) -> Callable[[], None]:
    """A test with a client of its own loop."""

    async def run() -> None:
        async with AsyncTurnstone() as client:
            await test(client)

    def test_in_a_loop() -> None:
        asyncio.run(run())

    test_in_a_loop.__name__ = test.__name__
    return test_in_a_loop


def user(text: str) -> TResponseInputItem:
    return {"role": "user", "content": text}


def assistant(text: str) -> TResponseInputItem:
    return {"role": "assistant", "content": text}


async def ask(session: TurnstoneSession, model: ScriptedModel, text: str, **more: Any) -> str:
    agent = Agent("Assistant", instructions="Be brief.", model=model, **more)
    config = RunConfig(call_model_input_filter=session.recalled)
    return str((await Runner.run(agent, text, session=session, run_config=config)).final_output)


async def stored(client: AsyncTurnstone, name: str) -> list[str]:
    return [f"{turn.role}: {turn.text}" async for turn in client.memory.turns(user=name)]


async def told_of_the_oboe(client: AsyncTurnstone, name: str) -> None:
    await client.remember({"role": "user", "text": "I play the oboe."}, user=name, session="past")


@runs
async def test_a_session_is_the_history_of_its_runs(client: AsyncTurnstone) -> None:
    session, model = TurnstoneSession(client, "one", user="ada"), ScriptedModel()
    assert isinstance(session, Session)
    await ask(session, model, "I play the oboe.")
    await ask(TurnstoneSession(client, "one", user="ada"), model, "And the horn.")
    assert model.inputs[1] == [user("I play the oboe."), assistant("Noted."), user("And the horn.")]
    everything = [*model.inputs[1], assistant("Noted.")]
    assert await session.get_items() == everything
    assert await session.get_items(limit=2) == everything[-2:]
    assert await session.get_items(limit=0) == []
    limited = TurnstoneSession(client, "one", user="ada", session_settings=SessionSettings(limit=1))
    await ask(limited, model, "Hello?")
    assert model.inputs[2] == [assistant("Noted."), user("Hello?")]


@runs
async def test_items_keep_their_order_over_pages_and_the_roles_that_the_sdk_knows(client: AsyncTurnstone) -> None:
    session = TurnstoneSession(client, "many", user="mia")
    items = [user("Same.") if i % 2 else assistant("Same.") for i in range(1_203)]
    await session.add_items(items[:1_202])
    await session.add_items(items[1_202:])
    assert await session.get_items() == items
    assert await session.get_items(limit=300) == items[-300:]
    spoken = [{"role": role, "text": f"As {role}."} for role in ("developer", "tool", "Grace")]
    for turn in spoken:
        await client.remember(turn, user="mia", session="others")
    others = TurnstoneSession(client, "others", user="mia")
    assert await others.get_items() == [{"role": "developer", "content": "As developer."}, user("As Grace.")]
    assert await others.get_items(limit=2) == [{"role": "developer", "content": "As developer."}, user("As Grace.")]


@runs
async def test_words_are_kept_and_what_has_none_is_left_out(client: AsyncTurnstone) -> None:
    session = TurnstoneSession(client, "now", user="ola")
    image = {"type": "input_image", "image_url": "data:image/png;base64,AA==", "detail": "low"}
    spoken = {"role": "user", "content": [{"type": "input_text", "text": "A hen."}, image]}
    refused = {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "I can't."}]}
    called = {"type": "function_call", "call_id": "1", "name": "hens", "arguments": "{}"}
    answered = {"type": "function_call_output", "call_id": "1", "output": "three"}
    reasoned = {"type": "reasoning", "id": "rs_1", "summary": []}
    pictured = {"role": "user", "content": [image]}
    items: Any = [spoken, reasoned, called, answered, pictured, refused, user("x" * 70_000)]
    await session.add_items(items)
    await session.add_items([called, answered])  # type: ignore[list-item]
    assert await session.get_items() == [user("A hen."), assistant("I can't."), user("x" * 65_536)]


@runs
async def test_the_newest_item_is_popped_and_a_session_is_cleared_for_good(client: AsyncTurnstone) -> None:
    session = TurnstoneSession(client, "now", user="ned")
    assert await session.pop_item() is None
    await session.add_items([user("One."), assistant("Two.")])
    assert await session.pop_item() == assistant("Two.")
    assert await session.get_items() == [user("One.")]
    await session.add_items([assistant("Two.")])
    assert await session.get_items() == [user("One."), assistant("Two.")]
    await session.clear_session()
    assert await session.get_items() == []
    await session.add_items([user("Again.")])
    assert await session.get_items() == [user("Again.")]


@runs
async def test_a_question_is_recalled_for_once_and_without_itself(client: AsyncTurnstone) -> None:
    await told_of_the_oboe(client, "hal")

    @function_tool
    def tune() -> str:
        """Tunes an instrument."""
        return "in tune"

    call = ResponseFunctionToolCall(arguments="{}", call_id="1", name="tune", type="function_call")
    model = ScriptedModel([call], [message("Tuned.")])
    session = TurnstoneSession(client, "now", user="hal")
    asked: list[str] = []
    recall = client.context
    client.context = lambda q, **options: asked.append(q) or recall(q, **options)  # type: ignore[method-assign,func-returns-value]
    assert await ask(session, model, "Tune my instrument.", tools=[tune]) == "Tuned."
    assert asked == ["Tune my instrument."]
    for instructions in model.instructions:
        assert instructions.startswith("Be brief.\n\n") and "oboe" in instructions
        assert "Tune my instrument." not in instructions
    assert await stored(client, "hal") == [
        "user: Tune my instrument.",
        "assistant: Tuned.",
        "user: I play the oboe.",
    ]
    await ask(session, model, "Tune my instrument.")
    assert asked == ["Tune my instrument."] * 2


@runs
async def test_a_stream_is_recalled_for_and_stored(client: AsyncTurnstone) -> None:
    await told_of_the_oboe(client, "ida")
    session, model = TurnstoneSession(client, "now", user="ida"), ScriptedModel()
    config = RunConfig(call_model_input_filter=session.recalled)
    streamed = Runner.run_streamed(Agent("A", model=model), "Which instrument?", session=session, run_config=config)
    async for _ in streamed.stream_events():
        pass
    assert "oboe" in model.instructions[0]
    assert await session.get_items() == [user("Which instrument?"), assistant("Noted.")]


@asynccontextmanager
async def silent() -> AsyncIterator[AsyncTurnstone]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        async with AsyncTurnstone("ts_key_of_nobody", base_url=url) as client:
            yield client


def test_a_run_goes_on_without_a_recall(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with silent() as client, AsyncTurnstone("ts_key_of_nobody", base_url="http://127.0.0.1:9") as nowhere:
            for memory in (client, nowhere):
                model = ScriptedModel()
                config = RunConfig(
                    call_model_input_filter=TurnstoneSession(memory, "now", user="max", patience=0.1).recalled
                )
                begun = time.monotonic()
                await Runner.run(Agent("A", model=model), "Where is my oboe?", run_config=config)
                assert time.monotonic() - begun < 5
                assert model.instructions == [""]

    with caplog.at_level(logging.WARNING, logger="turnstone_openai_agents"):
        asyncio.run(run())
    assert len(caplog.records) == 2
    assert "oboe" not in caplog.text and "ts_key" not in caplog.text


def test_a_session_fails_as_the_client_does() -> None:
    async def run() -> None:
        async with AsyncTurnstone("ts_key", base_url="http://127.0.0.1:9", total_timeout=0.1) as nowhere:
            session = TurnstoneSession(nowhere, "now", user="max")
            for call in (session.get_items, session.pop_item, session.clear_session):
                with pytest.raises(TurnstoneError):
                    await call()
            with pytest.raises(TurnstoneError):
                await session.add_items([user("Hello?")])

    asyncio.run(run())
