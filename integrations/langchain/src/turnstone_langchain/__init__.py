"""A memory for agents of LangChain and LangGraph, kept by Turnstone."""

from .middleware import TurnstoneMiddleware
from .retriever import TurnstoneRetriever, turnstone_context

__all__ = ["TurnstoneMiddleware", "TurnstoneRetriever", "turnstone_context"]
