"""A chat for the test that all integrations share: JSON lines of what is said, and of what the model was told."""

from __future__ import annotations

import asyncio
import json
import sys

from agents import Agent, RunConfig, Runner
from model import ScriptedModel
from turnstone_openai_agents import TurnstoneSession

from turnstone_client import AsyncTurnstone


async def main() -> None:
    model = ScriptedModel()
    agent = Agent("Assistant", model=model)
    async with AsyncTurnstone() as turnstone:
        while line := await asyncio.to_thread(sys.stdin.readline):
            said = json.loads(line)
            session = TurnstoneSession(turnstone, said["session"], user=said["user"])
            config = RunConfig(call_model_input_filter=session.recalled)
            await Runner.run(agent, said["text"], session=session, run_config=config)
            print(json.dumps(model.instructions[-1]), flush=True)


asyncio.run(main())
