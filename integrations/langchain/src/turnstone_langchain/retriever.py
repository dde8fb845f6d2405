"""Turnstone for LangChain: a retriever of turns and observations, and a context as one text for a prompt."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from pydantic import ConfigDict, Field

from turnstone_client import AsyncTurnstone, ObservationHit, TurnHit, Turnstone
from turnstone_client.models import Recalled


class TurnstoneRetriever(BaseRetriever):
    """Turns and observations as documents, best first.

    ``options`` are those of ``recall``: ``user``, ``session``, ``mode``, ``top_k``, ``kinds``, ``since`` and so on. A
    document's metadata has its id, score, kind, user, session and time, and the answer's ``confidence``. Answers below
    the retriever's ``confidence`` are dropped, since a model would use them even if they don't answer the question.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    client: Turnstone
    async_client: AsyncTurnstone | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    confidence: float = 0.0

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return self._documents(self.client.recall(query, **self.options))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        if self.async_client is None:
            return await super()._aget_relevant_documents(query, run_manager=run_manager)  # in a thread
        return self._documents(await self.async_client.recall(query, **self.options))

    def _documents(self, recalled: Recalled) -> list[Document]:
        if recalled.confidence < self.confidence:
            return []
        hits: list[TurnHit | ObservationHit] = [*recalled.hits.turns, *recalled.hits.observations]
        return [
            Document(
                id=hit.id,
                page_content=hit.text,
                metadata={**hit.model_dump(exclude={"text"}), "confidence": recalled.confidence},
            )
            for hit in sorted(hits, key=lambda hit: -hit.score)
        ]


def turnstone_context(client: Turnstone, **options: Any) -> RunnableLambda[str, str]:
    """Returns a runnable from a question to a context for a prompt: current facts, then turns, by whom and when.

    ``options`` are those of ``recall``; ``context_max_tokens`` bounds the text. It is empty if nothing is known.
    """

    def context(question: str) -> str:
        return client.recall(question, include_context=True, include_hits=False, **options).context or ""

    return RunnableLambda(context)
