"""Compares what a client did with what clients/behaviours.json expects."""

from __future__ import annotations

import re
import traceback
from typing import Any

from conftest import table
from turnstone_client import TurnstoneError

TABLE = table()
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def answer_of(answer: Any) -> dict[str, Any]:
    return dict(TABLE["named"][answer] if isinstance(answer, str) else answer)


def everything_of(error: BaseException | None) -> str:
    """All that may become visible of an error: its text, its members and its causes."""
    seen = ""
    while error is not None:
        seen += "".join(traceback.format_exception(error)) + repr(error) + repr(vars(error))
        error = error.__cause__ or error.__context__
    return seen


def expect_result(result: dict[str, Any], expected: dict[str, Any]) -> None:
    expected = dict(expected)
    wanted = expected.pop("error", None)
    if wanted is None:
        if isinstance(result.get("error"), TurnstoneError):
            raise result["error"]
    elif wanted.get("code") == "aborted":
        assert result == {"aborted": True}
    else:
        error = result["error"]
        assert isinstance(error, TurnstoneError)
        for name, value in wanted.items():
            if name == "says":
                assert value in error.message
            elif name == "hides":
                assert value not in everything_of(error)
            else:
                assert getattr(error, name) == value, name
    if "answer" in expected:
        answer = expected.pop("answer")
        assert result["answer"] == (answer_of(answer)["body"] if isinstance(answer, str) else answer)
    for name, value in expected.items():
        assert result[name] == value, name


def expect_requests(seen: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    assert [(one["method"], one["path"]) for one in seen] == [(one["method"], one["path"]) for one in expected]
    correlations: dict[int, str] = {}
    for had, wanted in zip(seen, expected, strict=True):
        for name, value in wanted.get("headers", {}).items():
            assert had["headers"].get(name) == value, name
        if "body" in wanted:
            assert had["body"] == wanted["body"]
        if "turns" in wanted:
            assert len(had["body"]["turns"]) == wanted["turns"]
        if "first" in wanted:
            assert had["body"]["turns"][0]["text"] == wanted["first"]
        correlation = had["headers"]["x-correlation-id"]
        assert UUID.fullmatch(correlation)
        call = wanted.get("call")
        if call is None:
            continue
        if call not in correlations:
            assert correlation not in correlations.values()
        assert correlations.setdefault(call, correlation) == correlation
