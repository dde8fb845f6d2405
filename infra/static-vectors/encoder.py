"""all-MiniLM-L6-v2 over three tokens, in numpy: a BERT of six layers (Devlin et al. 2019, Wang et al. 2020).

Every input is `[CLS] piece [SEP]`, so there is neither padding nor a mask, and no framework is needed.
"""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf, softmax


def load(folder: Path):
    """The folder's configuration, weights (float32, by name) and vocabulary (pieces, by id)."""
    config = json.loads((folder / "config.json").read_text())
    weights = load_file(str(folder / "model.safetensors"))
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    if vocabulary[-1] == "":
        vocabulary.pop()
    return config, weights, vocabulary


def encode(config, weights, ids: np.ndarray) -> np.ndarray:
    """ids [n, 3] -> mean over the three positions of the last layer, [n, hidden]."""
    hidden = config["hidden_size"]
    heads = config["num_attention_heads"]
    width = hidden // heads
    n, length = ids.shape

    def dense(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x, name):
        mean = x.mean(-1, keepdims=True)
        variance = x.var(-1, keepdims=True)
        x = (x - mean) / np.sqrt(variance + config["layer_norm_eps"])
        return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def split(x):
        return x.reshape(n, length, heads, width).transpose(0, 2, 1, 3)

    x = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][:length]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    x = norm(x, "embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}"
        query, key, value = (split(dense(x, f"{at}.attention.self.{part}")) for part in ("query", "key", "value"))
        attention = softmax(query @ key.transpose(0, 1, 3, 2) / np.sqrt(width), axis=-1) @ value
        attention = attention.transpose(0, 2, 1, 3).reshape(n, length, hidden)
        x = norm(x + dense(attention, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
        inner = dense(x, f"{at}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / np.sqrt(2)))
        x = norm(x + dense(inner.astype(np.float32), f"{at}.output.dense"), f"{at}.output.LayerNorm")
    return x.mean(1)
