"""Writes the sync client from the async one, so that the two can't differ: `python generate_sync.py`.

Only what callers see is written so; how the two wait and send is in _transport.py and _batch.py and their twins.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parent / "src" / "turnstone_client"
FILES = {"_async_client.py": "_client.py", "_async_groups.py": "_groups.py"}
HEADER = "# Written by generate_sync.py from {}: change that.\n"
WORDS = [
    (r"async (def|with|for) ", r"\1 "),
    (r"\bawait ", ""),
    (r"AsyncGenerator\[(.*), None\]", r"Generator[\1, None, None]"),
    (r"\bAsync(Turnstone|Transport|Batch|Usage|Memory|Keys|Generator|Client)\b", r"\1"),
    (r"\b_async_(batch|groups|transport)\b", r"_\1"),
    (r"\baclose\b", "close"),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (
        r'"""The async client, and by generate_sync.py the sync one: two clients of one text."""',
        '"""The sync client."""',
    ),
]


def written() -> dict[Path, str]:
    """The files and what they should hold."""
    files = {}
    for source, target in FILES.items():
        text = (SOURCES / source).read_text()
        for pattern, replacement in WORDS:
            text = re.sub(pattern, replacement, text)
        files[SOURCES / target] = formatted(HEADER.format(source) + text)
    return files


def formatted(text: str) -> str:
    for arguments in (["check", "--select=I", "--fix", "--quiet"], ["format"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--no-cache", f"--stdin-filename={SOURCES / '_.py'}", "-"]
        text = subprocess.run(command, input=text, cwd=SOURCES, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text)
