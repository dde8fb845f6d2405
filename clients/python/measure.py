"""Overhead of the client per call over bare httpx, in milliseconds: `python measure.py [calls]`.

Calls the service at TURNSTONE_URL with TURNSTONE_API_KEY, alternating between httpx and the client, with the same
bodies; with httpx it only parses the JSON. Measures the 10th percentile of the process's own CPU time, which excludes
the service and other load on the machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from statistics import quantiles
from time import process_time as now
from typing import Any

import httpx

from turnstone_client import AsyncTurnstone, Turnstone

URL = os.environ.get("TURNSTONE_URL", "")
BODY: dict[str, Any] = {"scope": {"org_id": "token"}, "q": "Where does Ada live?"}


def key() -> dict[str, str]:
    return {"x-api-key": os.environ["TURNSTONE_API_KEY"]}


def difference(costs: tuple[list[float], list[float]]) -> tuple[float, float]:
    """Milliseconds by which the second is more expensive, and those of the first."""
    bare, client = (quantiles(cost, n=10)[0] for cost in costs)
    return (client - bare) * 1_000, bare * 1_000


def sync_difference(calls: int) -> tuple[float, float]:
    costs: tuple[list[float], list[float]] = ([], [])
    with Turnstone() as client, httpx.Client(headers=key()) as bare:
        for number in range(calls + 20):
            began = now()
            json.loads(bare.post(f"{URL}/recall", json=BODY).content)
            between = now()
            client.recall(BODY["q"], all_users=True)
            if number >= 20:  # both are warmed up
                costs[0].append(between - began)
                costs[1].append(now() - between)
    return difference(costs)


async def async_difference(calls: int) -> tuple[float, float]:
    costs: tuple[list[float], list[float]] = ([], [])
    async with AsyncTurnstone() as client, httpx.AsyncClient(headers=key()) as bare:
        for number in range(calls + 20):
            began = now()
            json.loads((await bare.post(f"{URL}/recall", json=BODY)).content)
            between = now()
            await client.recall(BODY["q"], all_users=True)
            if number >= 20:
                costs[0].append(between - began)
                costs[1].append(now() - between)
    return difference(costs)


def added(calls: int) -> dict[str, tuple[float, float]]:
    """Milliseconds per call that each client adds, and those of bare httpx."""
    return {
        "Turnstone": sync_difference(calls),
        "AsyncTurnstone": asyncio.run(async_difference(calls)),
    }


if __name__ == "__main__":
    for name, (more, bare) in added(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000).items():
        print(f"{name} adds {more:.3f} ms per call to {bare:.3f}")
