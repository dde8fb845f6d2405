"""Parses server-sent events as the HTML standard defines ("Interpreting an event stream")."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from ..errors import TurnstoneError

# Only these end a line: str.splitlines accepts others, which may occur in the JSON of a text (U+2028).
_LINE_END = re.compile(r"\r\n|\n|\r")

LONGEST = 16 * 1024 * 1024
"""Maximum characters of a block: a longer one is not the service's, and must not exhaust the memory."""


@dataclass(frozen=True)
class Message:
    """A block of a stream. A block without data only moves the position."""

    id: str | None
    event: str
    data: str | None


class EventParser:
    """Takes a stream's bytes as they arrive, and returns complete blocks."""

    def __init__(self) -> None:
        self.retry: float | None = None
        """Seconds to wait before a reconnect, if the stream sets it."""
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._held: list[str] = []
        """Parts of an unfinished line."""
        self._size = 0
        """Characters of the unfinished block."""
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
            raise TurnstoneError("A message of the event stream is too long.", code="unexpected_answer", status=200)
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
            self.retry = float(value) / 1_000  # float accepts any number of digits, int has a limit
        return None

    def _dispatched(self) -> Message:
        message = Message(self._id, self._event or "message", "\n".join(self._data) if self._data else None)
        self._event, self._data = "", []
        return message
