"""Questions about conversations and the turns that answer them, written for this table (questions/, Apache-2.0).

A file is a subject, in kinds/ a kind of question; a line is {"q": question, "turns": [answer, …]}. A question and its answers share few words: "What does
Priya do to relax?", "a long swim before work is the only thing that keeps me sane".
"""

import json
import re
import unicodedata
from pathlib import Path

FOLDER = Path(__file__).parent / "questions"
# A capitalized word inside a sentence: the service removes the speakers' names from a question, too.
NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][a-z]+(?:'s)?\b")


def read() -> list[tuple[str, str, list[str]]]:
    """Returns subject, question and answers of each line, in the order of the files' names."""
    return [
        (file.stem, plain(line["q"]), [plain(turn) for turn in line["turns"]])
        for file in sorted(FOLDER.rglob("*.jsonl"), key=lambda file: file.stem)
        for line in map(json.loads, file.read_text(encoding="utf-8").splitlines())
    ]


def plain(text: str) -> str:
    """Returns the text in ASCII, which `corpus.heard` splits as the service does."""
    folded = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return "".join(letter for letter in folded if not unicodedata.combining(letter))


def without_names(question: str) -> str:
    return NAME.sub(" ", question)
