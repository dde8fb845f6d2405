"""The steps of all client calls, with a token that they share."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from ._calls import Attempt, Call, M, Outcome, Request, Sender, decode, listed
from ._effects import Alone, Emit, Read, Sleep, Steps
from ._inputs import filter_text
from ._retry import LONGEST_PAUSE, LONGEST_WAIT, TRANSIENT, pause_before_reconnect, pause_before_retry, wait_of
from ._settings import Settings, checked_time
from ._sse import EventParser, Message
from ._tokens import Held, hold
from .errors import TurnstoneError
from .models import Event, Filter, ObservationEvent, Page, Tokens, TurnEvent


class Caller:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._held: Held | None = None
        self._rounds = 0
        self._failure: TurnstoneError | None = None

    # ---- calls -------------------------------------------------------------------------------------------

    def call(self, call: Call[M], timeout: float | None = None) -> Steps[M]:
        outcome = yield from self._outcome(call.request, call.model, self._attempt(timeout))
        value: M = outcome.unwrap()
        return value

    def removal(self, request: Request, timeout: float | None = None) -> Steps[None]:
        """Removes something. A 404 to a retry is a success: the answer to an earlier attempt was lost."""
        outcome = yield from self._outcome(request, None, self._attempt(timeout))
        if outcome.attempts > 1 and outcome.error is not None and outcome.error.status == 404:
            return
        outcome.unwrap()

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

    def _outcome(self, request: Request, model: type[BaseModel] | None, attempt: Attempt) -> Steps[Outcome]:
        held = self._held
        if held is None or time.monotonic() >= held.renew_at:
            held = yield from self._renewed(held, attempt)
        outcome: Outcome = yield from self._sender(held).send(request, attempt, model)
        if outcome.error is not None and outcome.error.status == 401:
            held = yield from self._renewed(held, attempt)
            outcome = yield from self._sender(held).send(request, attempt, model)
        return outcome

    def _sender(self, held: Held | None) -> Sender:
        url, key = self._settings.base_url, self._settings.api_key
        if held is None:
            return Sender(url, secrets=(key,))
        return Sender(url, token=held.access, secrets=(key, held.access, held.refresh))

    # ---- tokens ------------------------------------------------------------------------------------------

    def _renewed(self, stale: Held | None, attempt: Attempt) -> Steps[Held]:
        """New tokens instead of the given ones. Of concurrent callers, one fetches them for all."""
        held: Held = yield Alone(self._renewed_alone(stale, self._rounds), max(0.0, attempt.remaining()))
        return held

    def _renewed_alone(self, stale: Held | None, rounds: int) -> Steps[Held]:
        if self._held is not None and self._held is not stale:
            return self._held
        if self._rounds != rounds and self._failure is not None:
            raise self._failure.copy()  # the caller that this one waited for failed
        self._held = None
        try:
            # Within the client's time limit, not within that of one of the waiting calls.
            self._held = yield from self._fetched(stale, self._attempt())
            self._failure = None
            return self._held
        except TurnstoneError as error:
            self._failure = error
            raise
        finally:
            self._rounds += 1

    def _fetched(self, stale: Held | None, attempt: Attempt) -> Steps[Held]:
        now = time.monotonic()
        if stale is not None:
            # The refresh is not retried: the exchange works even where it fails.
            body = {"refresh_token": stale.refresh}
            request = Request("POST", "/auth/refresh", body=body, repeatable=False)
            outcome = yield from self._sender(None).send(request, attempt, Tokens)
            if outcome.error is None:
                return hold(outcome.value, now)
        request = Request("POST", "/auth/token-exchange", body={"api_key": self._settings.api_key})
        outcome = yield from self._sender(None).send(request, attempt, Tokens)
        return hold(outcome.unwrap(), now)

    # ---- the feed ----------------------------------------------------------------------------------------

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
                (yield from self._outcome(request, None, attempt)).unwrap()
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
