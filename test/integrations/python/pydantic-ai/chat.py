"""A chat for the test that all integrations share: JSON lines of what is said, and of what the model was told."""

from __future__ import annotations

import asyncio
import json
import sys

from model import Script
from pydantic_ai import Agent
from turnstone_pydantic_ai import TurnstoneMemory

from turnstone_client import AsyncTurnstone


async def main() -> None:
    script = Script()
    async with AsyncTurnstone() as turnstone:
        memory = TurnstoneMemory[str](turnstone, user=lambda ctx: ctx.deps)
        agent = Agent(script.model, deps_type=str, capabilities=[memory])
        while line := await asyncio.to_thread(sys.stdin.readline):
            said = json.loads(line)
            await agent.run(said["text"], deps=said["user"], conversation_id=said["session"])
            print(json.dumps(script.told[-1]), flush=True)


asyncio.run(main())
