"""What the client adds to a call, as measure.py tells it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Server
from turnstone_client import Turnstone

PACKAGE = Path(__file__).parents[1]
MOST_MILLISECONDS = 0.3
# A machine that does much else at the same time has slow moments; the best of some measurements is not one of them.
TRIES = 3


def test_a_call_costs_little_more_than_httpx(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TURNSTONE_URL", server.url)
    monkeypatch.setenv("TURNSTONE_API_KEY", server.api_key)
    with Turnstone(user="measured") as turnstone:
        turnstone.remember(
            {"role": "user", "text": f"Ada lives in Lyon, I say it for the {i}th time."} for i in range(30)
        )
    figures: dict[str, float] = {}
    for _ in range(TRIES):
        command = [sys.executable, "measure.py", "60"]
        told = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, check=True).stdout
        for line in told.splitlines():
            name, _, milliseconds, *_ = line.split()
            figures[name] = min(figures.get(name, 9.0), float(milliseconds))
        if len(figures) == 2 and max(figures.values()) <= MOST_MILLISECONDS:
            break
    with capsys.disabled():
        print("", *(f"{name} adds {value:.3f} ms a call over httpx" for name, value in figures.items()), sep="\n")
    assert max(figures.values()) <= MOST_MILLISECONDS
