"""A chat for the test that all integrations share: JSON lines of what is said, and of what the model was told."""

from __future__ import annotations

import json
import sys

from langchain.agents import create_agent
from model import ScriptedModel
from turnstone_langchain import TurnstoneMiddleware

from turnstone_client import Turnstone

with Turnstone() as turnstone:
    model = ScriptedModel()
    agent = create_agent(model, middleware=[TurnstoneMiddleware(turnstone)])
    for line in sys.stdin:
        said = json.loads(line)
        configurable = {"user_id": said["user"], "thread_id": said["session"]}
        agent.invoke({"messages": [("user", said["text"])]}, {"configurable": configurable})
        print(json.dumps(model.told), flush=True)
