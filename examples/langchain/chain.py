"""A chain that answers from memory, on the service at TURNSTONE_URL with TURNSTONE_API_KEY. Run it with a question:

    python chain.py "Where did I move last week?"

The model here only repeats the best line of its input, so that the example needs no other service. Replace it with any
chat model.
"""

from __future__ import annotations

import sys

from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompt_values import PromptValue
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from turnstone_langchain import TurnstoneRetriever

from turnstone_client import Turnstone

PROMPT = ChatPromptTemplate.from_messages(
    [
        ("system", "Answer from these lines of earlier conversations, or say that you don't know.\n{lines}"),
        ("human", "{question}"),
    ]
)


def lines(documents: list[Document]) -> str:
    return "\n".join(document.page_content for document in documents)


def repeat_the_best_line(prompt: PromptValue) -> str:
    system = str(prompt.to_messages()[0].content)
    found = system.splitlines()[1:]
    return found[0] if found else "I don't know."


def chain(retriever: TurnstoneRetriever) -> Runnable[str, str]:
    given = {"lines": retriever | lines, "question": RunnablePassthrough()}
    return given | PROMPT | RunnableLambda(repeat_the_best_line) | StrOutputParser()


if __name__ == "__main__":
    with Turnstone(user="ada") as client:
        client.remember(
            [
                {"role": "user", "text": "I moved to Lyon last week.", "timestamp": "2026-01-05T09:30:00Z"},
                {"role": "assistant", "text": "How do you like the rivers?", "timestamp": "2026-01-05T09:30:04Z"},
            ],
            session="langchain",
        )
        retriever = TurnstoneRetriever(client=client, options={"kinds": ["turn"], "top_k": 5})
        print(chain(retriever).invoke(sys.argv[1] if len(sys.argv) > 1 else "Where did I move last week?"))
