"""The sync client is the output of generate_sync.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def test_the_sync_client_is_up_to_date() -> None:
    script = "import generate_sync; print([p.name for p, t in generate_sync.written().items() if p.read_text() != t])"
    result = subprocess.run([sys.executable, "-c", script], cwd=PACKAGE, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]", "run: python generate_sync.py"
