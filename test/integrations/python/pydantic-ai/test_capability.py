"""The capability in agents of the real Pydantic AI, on the service at TURNSTONE_URL."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from model import Script
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from turnstone_pydantic_ai import TurnstoneMemory

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


def agent_of(client: AsyncTurnstone, script: Script, user: str, **options: Any) -> Agent[object, str]:
    memory = TurnstoneMemory[object](client, user=user, **options)
    return Agent(script.model, instructions="Be brief.", capabilities=[memory])


async def stored(client: AsyncTurnstone, user: str, session: str = "now") -> list[str]:
    return [f"{turn.role}: {turn.text}" async for turn in client.memory.turns(user=user, session=session)]


async def told_of_the_oboe(client: AsyncTurnstone, user: str) -> None:
    await client.remember({"role": "user", "text": "I play the oboe."}, user=user, session="past")


@runs
async def test_a_question_is_recalled_for_and_remembered_once_over_the_steps_of_its_answer(
    client: AsyncTurnstone,
) -> None:
    await told_of_the_oboe(client, "hal")
    call = ModelResponse(parts=[TextPart("I'll tune it."), ToolCallPart("tuner", {"note": "A"})])
    script = Script(call, ModelResponse(parts=[TextPart("Your oboe is tuned.")]))
    agent = agent_of(client, script, "hal")

    @agent.tool_plain
    def tuner(note: str) -> str:
        return f"{note} is in tune."

    asked: list[str] = []
    recall = client.context
    client.context = lambda q, **options: asked.append(q) or recall(q, **options)  # type: ignore[method-assign,func-returns-value]
    result = await agent.run("Tune my instrument.", conversation_id="now")
    assert (result.output, asked) == ("Your oboe is tuned.", ["Tune my instrument."])
    assert len(script.told) == 2
    assert all(told.startswith("Be brief.") and "oboe" in told for told in script.told)
    assert await stored(client, "hal") == [
        "user: Tune my instrument.",
        "assistant: I'll tune it.",
        "assistant: Your oboe is tuned.",
    ]
    await agent.run("Again.", message_history=result.all_messages())
    assert (await stored(client, "hal"))[3:] == ["user: Again.", "assistant: Noted."]


@runs
async def test_a_stream_is_recalled_for_and_remembered(client: AsyncTurnstone) -> None:
    await told_of_the_oboe(client, "ida")
    script = Script(ModelResponse(parts=[TextPart("The oboe.")]))
    async with agent_of(client, script, "ida").run_stream("Which instrument?", conversation_id="now") as result:
        assert [text async for text in result.stream_text(debounce_by=None)][-1] == "Theoboe."
    assert "oboe" in script.told[0]
    assert await stored(client, "ida") == ["user: Which instrument?", "assistant: Theoboe."]


@runs
async def test_the_runs_of_an_agent_are_told_each_of_their_own_user(client: AsyncTurnstone) -> None:
    people = {"ole": "oboe", "pia": "piano", "tom": "tuba"}
    for user, instrument in people.items():
        await client.remember({"role": "user", "text": f"I play the {instrument}."}, user=user, session="past")
    told: dict[str, list[str]] = {user: [] for user in people}

    async def ask(user: str) -> None:
        script = Script()
        await agent.run("Which instrument do I play?", deps=user, model=script.model)
        told[user] += script.told

    memory = TurnstoneMemory[str](client, user=lambda ctx: ctx.deps, session=lambda ctx: f"of {ctx.deps}")
    agent = Agent(deps_type=str, capabilities=[memory])
    await asyncio.gather(*map(ask, people))
    for user in people:
        await ask(user)
    for user, instrument in people.items():
        assert len(told[user]) == 2
        assert all([one for one in people.values() if one in text] == [instrument] for text in told[user])
        assert len(await stored(client, user, f"of {user}")) == 4


@runs
async def test_words_are_remembered_and_a_picture_is_not(client: AsyncTurnstone) -> None:
    picture = BinaryContent(b"", media_type="image/png")
    await agent_of(client, Script(), "ola", session="now").run(["A hen.", picture, "And a cock."])
    assert await stored(client, "ola") == ["user: A hen.\nAnd a cock.", "assistant: Noted."]
    await agent_of(client, Script(), "ola", session="none").run([picture])
    assert await stored(client, "ola", "none") == ["assistant: Noted."]


def test_an_agent_answers_also_where_the_memory_does_not(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with AsyncTurnstone("ts_key_of_nobody", base_url="http://127.0.0.1:9", total_timeout=0.2) as nowhere:
            assert (await agent_of(nowhere, Script(), "max").run("Where is my oboe?")).output == "Noted."

    with caplog.at_level(logging.WARNING, logger="turnstone_pydantic_ai"):
        asyncio.run(run())
    assert len(caplog.records) == 2
    assert "oboe" not in caplog.text and "ts_key" not in caplog.text


def test_an_agent_waits_for_a_silent_memory_no_longer_than_its_patience() -> None:
    failures: list[Exception] = []

    async def run() -> None:
        failed = asyncio.Event()

        def note(error: Exception) -> None:
            failures.append(error)
            if len(failures) == 2:
                failed.set()

        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            async with AsyncTurnstone("ts_key", base_url=url, timeout=2.0, total_timeout=2.0) as client:
                agent = agent_of(client, Script(), "max", patience=0.1, on_error=note)
                begun = time.monotonic()
                assert (await agent.run("Hello?")).output == "Noted."
                assert time.monotonic() - begun < 1.8
                assert len(failures) == 1
                # The write goes on in the background, and is told of when it has failed.
                await failed.wait()

    asyncio.run(run())
    assert [error.code for error in failures if isinstance(error, TurnstoneError)] == ["timeout", "timeout"]
