"""all-MiniLM-L6-v2 in numpy: a BERT of six layers (Devlin et al. 2019, Wang et al. 2020).

The inputs of one call have equal length, so there is no padding, no mask, and no need for a framework. All values are
float32.
"""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf

HALF_ROOT = np.float32(np.sqrt(0.5))


def load(folder: Path):
    """Returns the folder's configuration, weights (float32, by name) and vocabulary (pieces, by id)."""
    config = json.loads((folder / "config.json").read_text())
    weights = load_file(str(folder / "model.safetensors"))
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    if vocabulary[-1] == "":
        vocabulary.pop()
    return config, weights, vocabulary


def encode(config, weights, ids: np.ndarray) -> np.ndarray:
    """Encodes ids [n, length] with [CLS] and [SEP] -> mean over the positions of the last layer, [n, hidden]."""
    hidden = config["hidden_size"]
    heads = config["num_attention_heads"]
    width = hidden // heads
    n, length = ids.shape

    def dense(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(config["layer_norm_eps"]))
        return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def split(x):
        return x.reshape(n, length, heads, width).transpose(0, 2, 1, 3)

    x = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][:length]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    # One row per position: multiplying two matrices is many times faster than multiplying stacks.
    x = norm(x.reshape(n * length, hidden), "embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}"
        query, key, value = (split(dense(x, f"{at}.attention.self.{part}")) for part in ("query", "key", "value"))
        likeness = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width))
        attention = np.exp(likeness - likeness.max(-1, keepdims=True))
        attention /= attention.sum(-1, keepdims=True)
        seen = (attention @ value).transpose(0, 2, 1, 3).reshape(n * length, hidden)
        x = norm(x + dense(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
        inner = dense(x, f"{at}.intermediate.dense")
        inner *= np.float32(0.5) * (1 + erf(inner * HALF_ROOT))
        x = norm(x + dense(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    return x.reshape(n, length, hidden).mean(1)


def encode_all(config, weights, vocabulary: list[str], lists: list[list[int]], batch: int = 64) -> np.ndarray:
    """Encodes lists of pieces of any length -> [n, hidden]; lists of equal length are batched."""
    cls, sep = vocabulary.index("[CLS]"), vocabulary.index("[SEP]")
    out = np.zeros((len(lists), config["hidden_size"]), np.float32)
    by_length = sorted(range(len(lists)), key=lambda i: (len(lists[i]), i))
    start = 0
    while start < len(by_length):
        length = len(lists[by_length[start]])
        part = [i for i in by_length[start : start + batch] if len(lists[i]) == length]
        out[part] = encode(config, weights, np.array([[cls, *lists[i], sep] for i in part]))
        start += len(part)
    return out
