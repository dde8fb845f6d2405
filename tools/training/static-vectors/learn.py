"""Learns vectors of word pieces whose sums approximate the whole model's vectors of sentences."""

import numpy as np
from scipy.sparse import csr_matrix

# Strength of the regularization towards the start vectors.
RIDGE = 0.3
STEPS = 40
ENOUGH = 1e-3


def learn(lists: list[list[int]], teacher: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Solves min |X E - teacher|^2 + RIDGE |E - a start|^2, after tokenlearn (Tulkens and van Dongen 2024), in closed form.

    A row of X is a sentence: 1 / sqrt(number of its pieces) for each piece. `a` is the scale at which `start` fits best.
    Solved for all columns at once by conjugate gradients with the diagonal as preconditioner.

    lists: pieces of each sentence; teacher [sentences, d], unit vectors; start [pieces, d] -> [pieces, d]
    """
    lengths = np.array([len(pieces) for pieces in lists])
    sentence = np.repeat(np.arange(len(lists)), lengths)
    piece = np.concatenate([np.array(pieces, int) for pieces in lists])
    x = csr_matrix((1 / np.sqrt(lengths[sentence]), (sentence, piece)), shape=(len(lists), len(start)))
    xt = x.T.tocsr()

    said = x @ start
    home = start * ((said * teacher).sum() / (said * said).sum())
    moved = np.zeros_like(start)
    residual = xt @ (teacher - x @ home)
    diagonal = np.asarray(x.multiply(x).sum(0)).ravel()[:, None] + RIDGE
    direction = residual / diagonal
    error = first = (residual * direction).sum(0)
    for _ in range(STEPS):
        image = xt @ (x @ direction) + RIDGE * direction
        step = error / (direction * image).sum(0)
        moved += step * direction
        residual -= step * image
        next_error = (residual * residual / diagonal).sum(0)
        if next_error.max() < ENOUGH**2 * first.max():
            break
        direction = residual / diagonal + next_error / error * direction
        error = next_error
    return home + moved
