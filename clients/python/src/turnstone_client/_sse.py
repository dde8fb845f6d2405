"""Server-sent events, as the HTML standard reads them ("Interpreting an event stream")."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from .errors import TurnstoneError

# Only these end a line: str.splitlines knows others, which may stand within the JSON of a text (U+2028).
_LINE_END = re.compile(r"\r\n|\n|\r")

LONGEST = 16 * 1024 * 1024
"""Characters of a block: one that is longer is none of the service's, and must not fill the memory."""


@dataclass(frozen=True)
class Message:
    """A block of a stream. One without data only moves the position."""

    id: str | None
    event: str
    data: str | None


class EventParser:
    """Takes a stream's bytes as they come, gives the blocks that are whole."""

    def __init__(self) -> None:
        self.retry: float | None = None
        """Seconds to wait before coming back, where the stream said so."""
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._held: list[str] = []
        """The pieces of a line that has no end yet."""
        self._size = 0
        """Characters of the block that has no end yet."""
        self._after_return = False
        self._id: str | None = None
        self._event = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[Message]:
        """Raises ``unexpected_answer`` for a block of more than ``LONGEST`` characters."""
        text = self._decoder.decode(chunk)
        if self._after_return and text:
            text = text.removeprefix("\n")  # the second half of a line end
            self._after_return = False
        self._after_return = self._after_return or text.endswith("\r")
        self._size += len(text)
        messages: list[Message] = []
        start = 0
        for end in _LINE_END.finditer(text):
            message = self._line("".join((*self._held, text[start : end.start()])))
            start = end.end()
            self._held.clear()
            if message:
                messages.append(message)
                self._size = len(text) - start
        self._held.append(text[start:])
        if self._size > LONGEST:
            raise TurnstoneError("An event is longer than any of the service's.", code="unexpected_answer", status=200)
        return messages

    def _line(self, line: str) -> Message | None:
        if line == "":
            return self._dispatched()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry = float(value) / 1_000  # of any length, where int has a limit
        return None

    def _dispatched(self) -> Message:
        message = Message(self._id, self._event or "message", "\n".join(self._data) if self._data else None)
        self._event, self._data = "", []
        return message
