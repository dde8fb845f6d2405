"""The chain, on the service at TURNSTONE_URL."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chain import chain
from turnstone_langchain import TurnstoneRetriever

from turnstone_client import Turnstone

QUESTION = "Where did Grace find a flat?"


@pytest.fixture(scope="module")
def client() -> Iterator[Turnstone]:
    with Turnstone(user="langchain") as client:
        turn = {"role": "Ada", "text": "Grace found a flat in Lisbon.", "timestamp": "2026-02-20T08:00:00Z"}
        client.remember(turn, session="2026-02")
        yield client


def test_the_chain_answers_from_memory(client: Turnstone) -> None:
    assert "Lisbon" in chain(TurnstoneRetriever(client=client)).invoke(QUESTION)
    assert chain(TurnstoneRetriever(client=client, confidence=1.1)).invoke(QUESTION) == "I don't know."


def test_the_example_runs_as_it_stands() -> None:
    command = [sys.executable, "chain.py"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[2026-01-05] [user] I moved to Lyon last week."
