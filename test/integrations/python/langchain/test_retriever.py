"""The retriever of turns and observations, on the service at TURNSTONE_URL."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from turnstone_langchain import TurnstoneRetriever, turnstone_context

from turnstone_client import AsyncTurnstone, Turnstone

QUESTION = "Where did Grace find a flat?"


@pytest.fixture(scope="module")
def client() -> Iterator[Turnstone]:
    with Turnstone(user="langchain") as client:
        turn = {"role": "Ada", "text": "Grace found a flat in Lisbon.", "timestamp": "2026-02-20T08:00:00Z"}
        client.remember(turn, session="2026-02")
        yield client


def test_documents_have_the_words_and_where_they_come_from(client: Turnstone) -> None:
    (document, *_) = TurnstoneRetriever(client=client, options={"kinds": ["turn"]}).invoke(QUESTION)
    assert document.page_content == "[2026-02-20] [Ada] Grace found a flat in Lisbon."
    assert document.id and document.id.startswith("trn_")
    assert document.metadata["session_id"] == "2026-02"
    assert 0 < document.metadata["confidence"] <= 1


def test_options_reach_the_recall(client: Turnstone) -> None:
    assert TurnstoneRetriever(client=client, options={"session": "another"}).invoke(QUESTION) == []


def test_what_is_not_likely_to_answer_is_left_out(client: Turnstone) -> None:
    assert TurnstoneRetriever(client=client, confidence=1.1).invoke(QUESTION) == []


@pytest.mark.parametrize("with_async_client", [True, False])
def test_it_is_async_too(client: Turnstone, with_async_client: bool) -> None:
    async def ask() -> list[str]:
        async with AsyncTurnstone(user="langchain") as async_client:
            retriever = TurnstoneRetriever(client=client, async_client=async_client if with_async_client else None)
            return [document.page_content for document in await retriever.ainvoke(QUESTION)]

    assert any("Lisbon" in text for text in asyncio.run(ask()))


def test_a_context_is_one_text_for_a_prompt(client: Turnstone) -> None:
    context = turnstone_context(client, context_max_tokens=200).invoke(QUESTION)
    assert "Grace found a flat in Lisbon." in context
    assert turnstone_context(client, session="another").invoke(QUESTION) == ""
