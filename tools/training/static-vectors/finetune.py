"""Moves the text vectors so that a question is nearer to its own answers than to those of other questions."""

import jax
import jax.numpy as jnp
import numpy as np

# Chosen by cross-validation on the questions themselves, some on LoCoMo too (docs/internals/measurements/vectors.md).
EPOCHS = 12
BATCH = 256
RATE = 3e-3
# Weight of a cosine in the softmax.
SHARPNESS = 12
# Strength of the regularization towards the start vectors, in units of their mean norm.
RIDGE = 3e-3
# Share of the pieces hidden from a step, so that no answer is known by a single word.
DROPPED = 0.1
# Weight of choosing the question for an answer, relative to choosing the answer for a question.
BACKWARDS = 0.3
# Number of runs in different orders, whose mean is taken.
RUNS = 6
LONGEST_QUESTION, LONGEST_ANSWER = 24, 64


def padded(lists: list[list[int]], length: int, padding: int) -> np.ndarray:
    """Returns the first `length` pieces of each list -> [lists, length]"""
    rows = np.full((len(lists), length), padding, np.int32)
    for row, pieces in zip(rows, lists):
        row[: len(pieces)] = pieces[:length]
    return rows


def unit(rows):
    """Returns rows of length 1; a zero row stays zero, and has a gradient."""
    return rows * jax.lax.rsqrt((rows**2).sum(1, keepdims=True) + 1e-9)


def directions(vectors, pieces, kept):
    """Returns unit vectors of texts, summed as in the service (domain/language/analyse.ts) -> [texts, d]"""
    return unit((vectors[pieces] * kept[..., None]).sum(1))


def loss(moved, start, questions, answers, kept_questions, kept_answers):
    """Returns the softmax cross-entropy of each question's answer against the batch's other answers (in-batch
    negatives, after Karpukhin et al. 2020), by centred cosines as in domain/ranking/centred.ts."""
    vectors = start + moved
    asked = directions(vectors, questions, kept_questions)
    said = directions(vectors, answers, kept_answers)
    common = said.mean(0)
    likeness = SHARPNESS * unit(asked - common) @ unit(said - common).T
    forwards = jnp.diag(jax.nn.log_softmax(likeness, 1)).mean()
    backwards = jnp.diag(jax.nn.log_softmax(likeness, 0)).mean()
    return -forwards - BACKWARDS * backwards + RIDGE * jnp.sum(moved**2)


@jax.jit
def step(state, number, rate, start, batch):
    """Takes one step of Adam; state: how far the vectors are moved, and the two moments."""
    moved, first, second = state
    gradient = jax.grad(loss)(moved, start, *batch)
    first = 0.9 * first + 0.1 * gradient
    second = 0.99 * second + 0.01 * gradient**2
    unbiased = first / (1 - 0.9**number) / (jnp.sqrt(second / (1 - 0.99**number)) + 1e-6)
    return moved - rate * unbiased, first, second


def batches(pairs: list[tuple[str, list[int], list[list[int]]]], rng: np.random.Generator, padding: int):
    """Yields batches; every other one has a single subject, whose answers are harder to tell apart."""
    subjects = sorted({subject for subject, _, _ in pairs})
    of_subject = {subject: [pair for pair in pairs if pair[0] == subject] for subject in subjects}
    for number in range(EPOCHS * (len(pairs) // BATCH)):
        own = pairs if number % 2 else of_subject[rng.choice(subjects)]
        chosen = [own[i] for i in rng.choice(len(own), min(BATCH, len(own)), replace=False)]
        chosen += [pairs[i] for i in rng.choice(len(pairs), BATCH - len(chosen), replace=False)]
        questions = padded([question for _, question, _ in chosen], LONGEST_QUESTION, padding)
        answers = padded([answers[rng.integers(len(answers))] for _, _, answers in chosen], LONGEST_ANSWER, padding)
        yield questions, answers, *(kept(pieces, rng, padding) for pieces in (questions, answers))


def kept(pieces: np.ndarray, rng: np.random.Generator, padding: int) -> np.ndarray:
    """Returns 1 for each piece that a step sees, 0 for the others and for the padding."""
    return ((rng.random(pieces.shape) > DROPPED) & (pieces != padding)).astype(np.float32)


def finetune(start: np.ndarray, pairs: list[tuple[str, list[int], list[list[int]]]]) -> np.ndarray:
    """start [pieces, d]; pairs: subject, pieces of a question, pieces of each of its answers -> [pieces, d]"""
    norm = np.linalg.norm(start, axis=1).mean()
    # An additional row stands for the padding. No step sees it.
    home = jnp.asarray(np.vstack([start / norm, np.zeros((1, start.shape[1]))]), jnp.float32)
    steps = EPOCHS * (len(pairs) // BATCH)
    total = np.zeros_like(home)
    for run in range(RUNS):
        state = (jnp.zeros_like(home),) * 3
        for number, batch in enumerate(batches(pairs, np.random.default_rng(run), len(start)), 1):
            rate = RATE * max(0.05, 1 - number / steps)
            state = step(state, float(number), rate, home, batch)
        total += np.asarray(state[0])
    return (np.asarray(home) + total / RUNS)[:-1] * norm
