"""Performs the effects that the async client's steps request; the counterpart of _transport.py."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, TypeVar

import anyio
import httpx

from ..errors import TurnstoneError
from .effects import Answer, Effect, Emit, Read, Send, Sleep, Steps, Unreachable, go_on
from .from_httpx import NO_ANSWER_IN_TIME, answer_of, no_address, unreachable

T = TypeVar("T")


class _Stream:
    """The stream that the steps have open, if any."""

    def __init__(self) -> None:
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes] | None = None

    async def open(self, response: httpx.Response) -> None:
        await self.close()
        self._response = response
        self._chunks = response.aiter_bytes()

    async def read(self) -> bytes | Unreachable | None:
        if self._chunks is None:
            return None
        try:
            return await anext(self._chunks, None)
        except httpx.RequestError as error:
            return unreachable(error)

    async def close(self) -> None:
        if self._response is not None:
            await self._response.aclose()
            self._response = None


class AsyncTransport:
    def __init__(self, client: httpx.AsyncClient | None, base_url: str) -> None:
        # Reading all certificates is slow, and without TLS there is nothing to verify.
        self._client = client or httpx.AsyncClient(verify=base_url.startswith("https:"))
        self._is_ours = client is None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def close(self) -> None:
        if self._is_ours:
            self.check_loop()
            await self._client.aclose()

    def check_loop(self) -> None:
        """The connections belong to one event loop; in another they would fail or hang."""
        loop = asyncio.get_running_loop()
        self._loop = self._loop or loop
        if self._loop is not loop:
            message = "An AsyncTurnstone belongs to the event loop of its first call: create one for each loop."
            raise TurnstoneError(message, code="configuration")

    async def run(self, steps: Steps[T]) -> T:
        """Runs the steps to their end, and returns their result."""
        stream = _Stream()
        outcome = None
        try:
            while True:
                effect = go_on(steps, outcome)
                outcome = await self._outcome(effect, stream)
        except StopIteration as end:
            result: T = end.value
            return result

    async def iterate(self, steps: Steps[None]) -> AsyncGenerator[Any, None]:
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
                    outcome = await self._outcome(effect, stream)
        except StopIteration:
            return
        finally:
            await stream.close()

    async def _outcome(self, effect: Effect, stream: _Stream) -> Any:
        try:
            return await self._do(effect, stream)
        except TurnstoneError as error:
            return error  # the steps decide about it
        except httpx.InvalidURL:
            return no_address()

    async def _do(self, effect: Effect, stream: _Stream) -> Any:
        self.check_loop()
        if isinstance(effect, Send):
            return await self._send(effect, stream)
        if isinstance(effect, Read):
            return await stream.read()
        if isinstance(effect, Sleep):
            await stream.close()
            await sleep(effect.seconds)
            return None
        raise TypeError(f"unsupported effect: {type(effect).__name__}")

    async def _send(self, effect: Send, stream: _Stream) -> Answer | Unreachable:
        if self._client.is_closed:
            raise TurnstoneError("The client is closed.", code="configuration")
        try:
            # httpx restarts its time-out with each byte, so a server that sends slowly would never time out.
            with anyio.move_on_after(effect.timeout):
                return await self._answer(effect, stream)
            return NO_ANSWER_IN_TIME
        except httpx.RequestError as error:
            return unreachable(error)

    async def _answer(self, effect: Send, stream: _Stream) -> Answer:
        request = self._client.build_request(
            effect.method,
            effect.url,
            headers=effect.headers,
            content=effect.content,
            timeout=httpx.Timeout(effect.timeout, read=effect.silence or effect.timeout),
        )
        # Never follow redirects, whatever the passed client does: they could send the key to another host.
        response = await self._client.send(request, stream=True, follow_redirects=False)
        if effect.silence is not None and response.is_success:
            await stream.open(response)
            return answer_of(response, b"")
        try:
            return answer_of(response, await response.aread())
        finally:
            await response.aclose()
