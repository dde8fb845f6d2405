"""A memory for agents of Pydantic AI, kept by Turnstone."""

from .capability import TurnstoneMemory

__all__ = ["TurnstoneMemory"]
