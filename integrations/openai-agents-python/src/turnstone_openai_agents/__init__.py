"""A session of the OpenAI Agents SDK that is kept by Turnstone, and recalled in others."""

from .session import TurnstoneSession

__all__ = ["TurnstoneSession"]
