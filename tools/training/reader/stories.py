"""Examples of the reader: a question and a turn that may answer it, put together as domain/reader/input.ts does."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np

START, END = 101, 102
MOST_OF_QUESTION = 24
# Lengths to which examples are padded: each is compiled once.
LENGTHS = (32, 48, 64, 96)


@dataclass
class Turn:
    label: str
    pieces: list[int]


@dataclass
class Story:
    chat: str  # its stories have turns in common
    author: str
    kind: str
    question: list[int]
    turns: list[Turn]  # as the product ranks them, the best first


@dataclass
class Example:
    pieces: list[int]
    question: int  # how many of them are the question
    answers: float


def read(file: Path) -> list[Story]:
    """Returns the stories of a file of write-stories.ts."""
    with file.open(encoding="utf-8") as lines:
        stories = [json.loads(line) for line in lines]
    return [Story(**{**story, "turns": [Turn(**turn) for turn in story["turns"]]}) for story in stories]


def together(question: list[int], turn: Turn) -> Example:
    pieces = [START, *question[:MOST_OF_QUESTION], END]
    return Example([*pieces, *turn.pieces, END], len(pieces), float(turn.label in ("holds", "over")))


def foreign(rng: random.Random, story: Story, others: list[Story]) -> Turn:
    """A turn of another chat: one of the same chat may answer."""
    other = story
    while other.chat == story.chat:
        other = rng.choice(others)
    return Turn("other", rng.choice(other.turns).pieces)


def group(rng: random.Random, story: Story, count: int, others: list[Story]) -> list[Example]:
    """Examples of a story: turns that answer its question, whether their answer still holds or not; that seem to; others."""
    right = [turn for turn in story.turns if turn.label in ("holds", "over")]
    near = [turn for turn in story.turns if turn.label == "unchanged"]
    rest = [turn for turn in story.turns if turn.label in ("other", "talk")]
    turns = rng.sample(right, min(2, len(right))) + rng.sample(near, min(2, len(near)))
    turns += rng.sample(rest, min(count - len(turns), len(rest)))
    while len(turns) < count:
        turns.append(foreign(rng, story, others))
    return [together(story.question, turn) for turn in turns]


def batch(examples: list[Example]):
    """Pads examples -> ids, mask, types [n, length]; answers [n]."""
    length = next(size for size in LENGTHS if size >= max(len(e.pieces) for e in examples))
    shape = (len(examples), length)
    ids, types, mask = np.zeros(shape, np.int32), np.zeros(shape, np.int32), np.zeros(shape, np.float32)
    for i, e in enumerate(examples):
        n = len(e.pieces)
        ids[i, :n], mask[i, :n], types[i, e.question : n] = e.pieces, 1, 1
    return ids, mask, types, np.array([e.answers for e in examples], np.float32)
