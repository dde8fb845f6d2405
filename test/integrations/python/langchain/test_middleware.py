"""The middleware in agents of the real LangChain, on the service at TURNSTONE_URL."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from model import ScriptedModel
from turnstone_langchain import TurnstoneMiddleware

from turnstone_client import Turnstone, TurnstoneError


@pytest.fixture(scope="module")
def client() -> Iterator[Turnstone]:
    with Turnstone() as client:
        yield client


def agent_of(client: Turnstone, model: ScriptedModel, user: str, *, options: Any = None, **more: Any) -> Any:
    middleware = TurnstoneMiddleware(client, user=user, **(options or {}))
    return create_agent(model, middleware=[middleware], **more)


def asking(text: str) -> dict[str, Any]:
    return {"messages": [HumanMessage(text)]}


def thread(name: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": name}}


def stored(client: Turnstone, user: str, session: str | None = None) -> list[str]:
    return [f"{turn.role}: {turn.text}" for turn in client.memory.turns(user=user, session=session)]


def told_of_the_oboe(client: Turnstone, user: str) -> None:
    client.remember({"role": "user", "text": "I play the oboe."}, user=user, session="past")


@tool
def tuner(note: str) -> str:
    """Tunes an instrument."""
    return f"{note} is in tune."


@tool
def confirm() -> str:
    """Asks the person."""
    return str(interrupt("Is it tuned?"))


def call(name: str, arguments: dict[str, Any], text: str = "") -> AIMessage:
    return AIMessage(text, tool_calls=[{"name": name, "args": arguments, "id": name}])


def test_an_async_agent_and_its_stream_remember_and_recall(client: Turnstone) -> None:
    model = ScriptedModel()
    agent = agent_of(client, model, "lea")

    async def run() -> None:
        await agent.ainvoke(asking("I moved to Lyon."), thread("one"))
        async for _ in agent.astream(asking("Where did I move?"), thread("two"), stream_mode="messages"):
            pass

    asyncio.run(run())
    assert "Lyon" in model.told
    assert stored(client, "lea", "one") == ["user: I moved to Lyon.", "assistant: Noted."]
    assert stored(client, "lea", "two") == ["user: Where did I move?", "assistant: Noted."]


def test_the_context_stands_behind_the_agents_own_instructions(client: Turnstone) -> None:
    told_of_the_oboe(client, "ola")
    blocks: list[str | dict[Any, Any]] = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    for prompt in ("Be brief.", SystemMessage(blocks)):
        model = ScriptedModel()
        agent_of(client, model, "ola", system_prompt=prompt).invoke(asking("Which instrument do I play?"))
        system, asked = model.calls[0]
        assert str(system.text).startswith("Be brief.") and "oboe" in str(system.text)
        assert isinstance(system.content, str) or system.content[0] == blocks[0]
        assert asked.content == "Which instrument do I play?"


def test_a_question_is_recalled_for_and_remembered_once_over_the_steps_of_its_answer(client: Turnstone) -> None:
    told_of_the_oboe(client, "hal")
    model = ScriptedModel(replies=[call("tuner", {"note": "A"}, "I'll tune it."), AIMessage("Your oboe is tuned.")])
    asked: list[str] = []
    recall = client.context
    client.context = lambda q, **options: asked.append(q) or recall(q, **options)  # type: ignore[method-assign,func-returns-value]
    try:
        agent_of(client, model, "hal", tools=[tuner]).invoke(asking("Tune my instrument."), thread("now"))
    finally:
        client.context = recall  # type: ignore[method-assign]
    assert asked == ["Tune my instrument."]
    assert len(model.calls) == 2
    assert all("oboe" in str(messages[0].text) for messages in model.calls)
    assert stored(client, "hal", "now") == [
        "user: Tune my instrument.",
        "assistant: I'll tune it.",
        "assistant: Your oboe is tuned.",
    ]


def test_a_thread_is_remembered_turn_by_turn_and_its_checkpoints_have_nothing_of_a_recall(client: Turnstone) -> None:
    told_of_the_oboe(client, "ida")
    saver = InMemorySaver()
    agent = agent_of(client, ScriptedModel(), "ida", checkpointer=saver)
    agent.invoke(asking("Which instrument do I play?"), thread("now"))
    agent.invoke(asking("And since when?"), thread("now"))
    assert stored(client, "ida", "now") == [
        "user: Which instrument do I play?",
        "assistant: Noted.",
        "user: And since when?",
        "assistant: Noted.",
    ]
    assert "oboe" not in repr((saver.storage, saver.blobs, saver.writes))


def test_a_run_that_was_interrupted_is_recalled_for_and_remembered_when_it_is_resumed(client: Turnstone) -> None:
    told_of_the_oboe(client, "kim")
    model = ScriptedModel(replies=[call("confirm", {}), AIMessage("Then play.")])
    agent = agent_of(client, model, "kim", tools=[confirm], checkpointer=InMemorySaver())
    agent.invoke(asking("May I play my instrument?"), thread("now"))
    assert stored(client, "kim", "now") == []
    agent.invoke(Command(resume="yes"), thread("now"))
    assert "oboe" in model.told
    assert stored(client, "kim", "now") == ["user: May I play my instrument?", "assistant: Then play."]


def test_a_run_goes_on_with_an_answer_that_was_remembered_without_its_question(client: Turnstone) -> None:
    history = [HumanMessage("Tune it."), AIMessage("It is tuned."), AIMessage("Shall I go on?")]
    agent_of(client, ScriptedModel(), "ned").invoke({"messages": history}, thread("now"))
    assert stored(client, "ned", "now") == ["assistant: Noted."]


def test_an_agent_answers_also_where_the_memory_does_not(caplog: pytest.LogCaptureFixture) -> None:
    with (
        Turnstone("ts_key_of_nobody", base_url="http://127.0.0.1:9", total_timeout=0.2) as nowhere,
        caplog.at_level(logging.WARNING, logger="turnstone_langchain"),
    ):
        answered = agent_of(nowhere, ScriptedModel(), "max").invoke(asking("Where is my oboe?"))
    assert answered["messages"][-1].text == "Noted."
    assert len(caplog.records) == 2
    assert "oboe" not in caplog.text and "ts_key" not in caplog.text


def test_an_agent_waits_for_a_silent_memory_no_longer_than_its_patience() -> None:
    failures: list[Exception] = []
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Turnstone("ts_key", base_url=url, timeout=1.0, total_timeout=1.0) as client:
            options = {"patience": 0.1, "on_error": failures.append}
            agent = agent_of(client, ScriptedModel(), "max", options=options)
            begun = time.monotonic()
            assert agent.invoke(asking("Hello?"))["messages"][-1].text == "Noted."
            assert time.monotonic() - begun < 0.9
            assert [error.code for error in failures if isinstance(error, TurnstoneError)] == ["timeout"]
            # The write goes on in the background, and is told of when it has failed.
            while len(failures) < 2:
                time.sleep(0.01)
    assert isinstance(failures[1], TurnstoneError) and failures[1].code == "timeout"


def test_a_run_without_a_user_is_refused(client: Turnstone) -> None:
    agent: Any = create_agent(ScriptedModel(), middleware=[TurnstoneMiddleware(client)])
    with pytest.raises(ValueError, match="Whose memory"):
        agent.invoke(asking("Hello?"), thread("now"))
