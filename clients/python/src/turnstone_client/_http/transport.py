"""Performs the effects of the sync client's steps: httpx, a sleep. _async_transport.py is the counterpart."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from time import monotonic, sleep
from typing import Any, TypeVar

import httpx

from ..errors import TurnstoneError
from .effects import Answer, Effect, Emit, Read, Send, Sleep, Steps, Unreachable, go_on
from .from_httpx import NO_ANSWER_IN_TIME, TimeLeft, answer_of, no_address, unreachable

T = TypeVar("T")


class _Stream:
    """The stream that the steps have open, if any."""

    def __init__(self) -> None:
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())

    def open(self, response: httpx.Response) -> None:
        self.close()
        self._response = response
        self._chunks = response.iter_bytes()

    def read(self) -> bytes | Unreachable | None:
        try:
            return next(self._chunks, None)
        except httpx.RequestError as error:
            return unreachable(error)

    def close(self) -> None:
        if self._response is not None:
            self._response.close()
            self._response = None


class Transport:
    def __init__(self, client: httpx.Client | None, base_url: str) -> None:
        # Reading all certificates is slow, and without TLS there is nothing to verify.
        self._client = client or httpx.Client(verify=base_url.startswith("https:"))
        self._is_ours = client is None

    def close(self) -> None:
        if self._is_ours:
            self._client.close()

    def run(self, steps: Steps[T]) -> T:
        """Runs the steps to their end, and returns their result."""
        stream = _Stream()
        outcome = None
        try:
            while True:
                effect = go_on(steps, outcome)
                outcome = self._outcome(effect, stream)
        except StopIteration as end:
            result: T = end.value
            return result

    def iterate(self, steps: Steps[None]) -> Generator[Any, None, None]:
        """Runs the steps as far as the consumer iterates, and yields what they emit."""
        stream = _Stream()
        outcome = None
        try:
            while True:
                effect = go_on(steps, outcome)
                if isinstance(effect, Emit):
                    yield effect.value
                    outcome = None
                else:
                    outcome = self._outcome(effect, stream)
        except StopIteration:
            return
        finally:
            stream.close()

    def _outcome(self, effect: Effect, stream: _Stream) -> Any:
        try:
            return self._do(effect, stream)
        except TurnstoneError as error:
            return error  # the steps decide about it
        except httpx.InvalidURL:
            return no_address()

    def _do(self, effect: Effect, stream: _Stream) -> Any:
        if isinstance(effect, Send):
            return self._send(effect, stream)
        if isinstance(effect, Read):
            return stream.read()
        if isinstance(effect, Sleep):
            stream.close()
            sleep(effect.seconds)
            return None
        raise TypeError(f"unsupported effect: {type(effect).__name__}")

    def _send(self, effect: Send, stream: _Stream) -> Answer | Unreachable:
        if self._client.is_closed:
            raise TurnstoneError("The client is closed.", code="configuration")
        ends_at = monotonic() + effect.timeout
        request = self._client.build_request(
            effect.method,
            effect.url,
            headers=effect.headers,
            content=effect.content,
            timeout=httpx.Timeout(effect.timeout, read=effect.silence or effect.timeout),
        )
        if effect.silence is None:
            request.extensions["timeout"] = TimeLeft(ends_at)
        try:
            # Never follow redirects, whatever the passed client does: they could send the key to another host.
            response = self._client.send(request, stream=True, follow_redirects=False)
            if effect.silence is not None and response.is_success:
                stream.open(response)
                return answer_of(response, b"")
            try:
                content = bytearray()
                for chunk in response.iter_bytes():
                    content += chunk
                    if monotonic() > ends_at:
                        return NO_ANSWER_IN_TIME
            finally:
                response.close()
        except httpx.RequestError as error:
            return unreachable(error)
        return answer_of(response, bytes(content))
