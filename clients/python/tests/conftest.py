"""The servers for the tests: one in memory, one that misbehaves as scripted, and the real one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from turnstone_client import Turnstone, TurnstoneError

pytest.register_assert_rewrite("expected")

ROOT = Path(__file__).parents[3]
ME = {
    "org_id": "acme",
    "user_id": "ada",
    "session_id": None,
    "strict": False,
    "roles": ["*"],
    "plan": "free",
    "limits": {"tokens_in": 1, "tokens_out": 2},
    "created_at": "2026-01-01T00:00:00Z",
}


def answering(**answers: Any) -> httpx.MockTransport:
    """A service in memory: by the last segment of the path, a body or a function of the request."""

    def answer(request: httpx.Request) -> httpx.Response:
        found = answers[request.url.path.rsplit("/", 1)[1]]
        return found(request) if callable(found) else httpx.Response(200, json=found)

    return httpx.MockTransport(answer)


def stored(_: httpx.Request) -> httpx.Response:
    time.sleep(0.02)
    usage = {"tokens_in": 1, "tokens_out": 0}
    ids = ["trn_1"]
    return httpx.Response(202, json={"job_id": "j", "active_fragment_ids": ids, "passive_job_id": None, "usage": usage})


class Slow:
    """A service that refuses turns once it is released."""

    def __init__(self) -> None:
        self.asked, self.released = Event(), Event()

    def __call__(self, _: httpx.Request) -> httpx.Response:
        self.asked.set()
        self.released.wait(20)
        return httpx.Response(403)


def codes(errors: list[BaseException | None]) -> list[str]:
    return [error.code for error in errors if isinstance(error, TurnstoneError)]


def client_of(**answers: Any) -> Turnstone:
    http_client = httpx.Client(transport=answering(**answers))
    return Turnstone("ts_key", base_url="http://memory.example", http_client=http_client)


@contextmanager
def node(*arguments: str, says: str, environment: dict[str, str] | None = None) -> Iterator[str]:
    """Runs a script of the repository; yields the first group of the pattern ``says`` once its output matches."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TURNSTONE_")}
    child = subprocess.Popen(
        [ROOT / "node_modules/.bin/node", *arguments],
        cwd=ROOT,
        env={**kept, **(environment or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    try:
        output = ""
        for line in child.stdout:
            output += line
            found = re.search(says, output)
            if found:
                yield found.group(1)
                return
        raise AssertionError(f"it ended before it was ready: {output}")
    finally:
        child.terminate()
        child.communicate()


@dataclass
class Misbehaving:
    url: str
    control: httpx.Client

    def script(self, answers: dict[str, Any]) -> None:
        self.control.post(f"{self.url}/-/script", json={"answers": answers}).raise_for_status()

    def seen(self) -> list[dict[str, Any]]:
        seen: list[dict[str, Any]] = self.control.get(f"{self.url}/-/seen").json()
        return seen


@dataclass
class Server:
    url: str
    api_key: str


@pytest.fixture(scope="session")
def misbehaving() -> Iterator[Misbehaving]:
    script = "test/clients/misbehaving-server.ts"
    with node(script, says=r"misbehaving on (\S+)") as url, httpx.Client(verify=False) as control:
        yield Misbehaving(url, control)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        environment = {"TURNSTONE_PORT": "0", "TURNSTONE_DATA_DIR": folder, "TURNSTONE_LOG_LEVEL": "warn"}
        with node("services/main.ts", "serve", says=r"is ready on (http://\S+)", environment=environment) as url:
            yield Server(url, (Path(folder) / "api-key").read_text().strip())


def table() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ROOT / "clients/behaviours.json").read_text())
    return loaded
