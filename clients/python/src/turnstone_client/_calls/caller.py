"""The steps of all client calls."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from .._http.effects import Emit, Read, Sleep, Steps
from .._http.retry import LONGEST_PAUSE, LONGEST_WAIT, TRANSIENT, pause_before_reconnect, pause_before_retry, wait_of
from .._http.sse import EventParser, Message
from ..errors import TurnstoneError
from ..models import Job, ObservationEvent, Page, TurnEvent
from .call import Attempt, Call, M, Request, Sender, decode, listed
from .event import Event
from .inputs import filter_text
from .sent import Filter
from .settings import Settings, checked_time

# Between two looks at a job, in seconds.
FIRST_PAUSE = 0.1
LONGEST_JOB_PAUSE = 2.0


class Caller:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._sender = Sender(settings.base_url, settings.api_key)

    def call(self, call: Call[M], timeout: float | None = None) -> Steps[M]:
        outcome = yield from self._sender.send(call.request, self._attempt(timeout), call.model)
        value: M = outcome.unwrap()
        return value

    def removal(self, request: Request, timeout: float | None = None) -> Steps[None]:
        """Removes something. A 404 to a retry is a success: the answer to an earlier attempt was lost."""
        outcome = yield from self._sender.send(request, self._attempt(timeout), None)
        if outcome.attempts > 1 and outcome.error is not None and outcome.error.status == 404:
            return
        outcome.unwrap()

    def waited(self, call: Call[Job], within: float, timeout: float | None = None) -> Steps[Job]:
        """Asks for a job, less and less often, until it is no longer queued."""
        until = time.monotonic() + checked_time("within", within)
        pause = FIRST_PAUSE
        while True:
            job: Job = yield from self.call(call, timeout)
            if job.status != "queued":
                return job
            left = until - time.monotonic()
            if left <= 0:
                raise TurnstoneError(f"The job is still queued after {within} s.", code="timeout")
            yield Sleep(min(pause, left))
            pause = min(2 * pause, LONGEST_JOB_PAUSE)

    def items(self, call: Call[Any], timeout: float | None = None) -> Steps[None]:
        """Emits the items of a list, page by page."""
        request = call.request
        while True:
            page: Page = yield from self.call(replace(call, request=request), timeout)
            for item in listed(page, page.name):
                yield Emit(item)
            cursor = getattr(page, "next_cursor", None)
            if cursor is None:
                return
            request = replace(request, query={**request.query, "cursor": cursor})

    def _attempt(self, timeout: float | None = None) -> Attempt:
        return Attempt(
            timeout=self._settings.timeout if timeout is None else checked_time("timeout", timeout),
            deadline=time.monotonic() + self._settings.total_timeout,
        )

    def events(self, after: str | None, filter: Filter | None, silence: float) -> Steps[None]:
        """Emits events as they are written. When the stream ends, it resumes after the last complete message.

        If the stream can't be opened, it fails like any call; once it was open, it reconnects indefinitely.
        """
        silence = min(checked_time("silence", silence), LONGEST_WAIT)
        wanted = filter_text(filter)
        position: str | None = None
        told: float | None = None
        failures = 0
        begun = False
        while True:
            request = Request(
                "GET",
                "/events",
                query={"after": after if position is None else None, "filter": wanted},
                last_event_id=position,
                silence=silence,
                repeatable=False,
            )
            attempt = self._attempt()
            error = TurnstoneError("The event stream was interrupted.", code="network", request_id=attempt.request_id)
            try:
                (yield from self._sender.send(request, attempt, None)).unwrap()
            except TurnstoneError as refused:
                if refused.code not in TRANSIENT and refused.code != "unexpected_answer":
                    raise
                error = refused
            else:
                begun = True
                began = time.monotonic()
                parser = EventParser()
                while isinstance(chunk := (yield Read()), bytes):
                    for message in parser.feed(chunk):
                        # Without an id it is not an event of this feed; with the last id it is a repeat.
                        if not message.id or message.id == position:
                            continue
                        failures = 0
                        position = _position(message.id, attempt.request_id)
                        event = _event(position, message, attempt.request_id)
                        if event is not None:
                            yield Emit(event)
                told = told if parser.retry is None else parser.retry
                if time.monotonic() - began > LONGEST_PAUSE:
                    failures = 0  # a stream that stayed open for long was no failure, even if nothing was written
            pause = pause_before_reconnect(failures, told) if begun else pause_before_retry(failures)
            if pause is None:
                raise error
            yield Sleep(wait_of(pause, error.retry_after))
            failures += 1


def _position(id: str, request_id: str) -> str:
    """Checks that the id is valid in a header: otherwise the stream could not be resumed after it."""
    if re.fullmatch(r"[\x21-\x7e]+", id):
        return id
    message = "The answer does not come from Turnstone (id)."
    raise TurnstoneError(message, code="unexpected_answer", status=200, request_id=request_id)


def _event(position: str, message: Message, request_id: str) -> Event | None:
    """None for a beat, and for a kind that this version does not know."""
    models: dict[str, type[BaseModel]] = {
        "message": TurnEvent,
        "turn": TurnEvent,
        "observation": ObservationEvent,
    }
    model = models.get(message.event)
    if message.data is None or model is None:
        return None
    outcome = decode(message.data.encode(), model, 200, request_id)
    return Event(position=position, data=outcome.unwrap())
