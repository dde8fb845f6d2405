"""all-MiniLM-L6-v2 in JAX: a BERT of six layers (Devlin et al. 2019, Wang et al. 2020), whose weights can be fitted."""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file

HIDDEN, HEADS, LAYERS = 384, 12, 6


def load(folder: Path):
    """Returns the weights (float32, by name) and the vocabulary (pieces, by id); the layers come without the pooler."""
    loaded = load_file(str(folder / "model.safetensors"))
    config = json.loads((folder / "config.json").read_text())
    if (config["hidden_size"], config["num_attention_heads"], config["num_hidden_layers"]) != (HIDDEN, HEADS, LAYERS):
        raise ValueError("not the model that this was written for")
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    if vocabulary[-1] == "":
        vocabulary.pop()
    weights = {name: w for name, w in loaded.items() if "position_ids" not in name and "pooler" not in name}
    return weights, vocabulary


def encode(weights, ids, mask, types, note=lambda name, x: None):
    """ids, mask, types [n, length] -> a vector for each piece [n, length, hidden]; `note` sees the input of each product."""
    n, length = ids.shape
    width = HIDDEN // HEADS

    def dense(x, name):
        note(name, x)
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / jnp.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def split(x):
        return x.reshape(n, length, HEADS, width).transpose(0, 2, 1, 3)

    x = norm(
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][:length]
        + weights["embeddings.token_type_embeddings.weight"][types],
        "embeddings.LayerNorm",
    )
    unseen = jnp.where(mask[:, None, None, :] > 0, 0.0, -1e9)
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        query, key, value = (split(dense(x, f"{at}.attention.self.{part}")) for part in ("query", "key", "value"))
        attention = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) / np.sqrt(width) + unseen, -1)
        seen = (attention @ value).transpose(0, 2, 1, 3).reshape(n, length, HIDDEN)
        x = norm(x + dense(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
        inner = jax.nn.gelu(dense(x, f"{at}.intermediate.dense"), approximate=False)
        x = norm(x + dense(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    return x
