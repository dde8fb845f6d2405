"""The async client; generate_sync.py generates the sync client from it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Any

import httpx

from .. import models
from .._batch.async_batch import AsyncBatch
from .._batch.queue import BatchLimits
from .._calls import operations
from .._calls.caller import Caller
from .._calls.event import Event
from .._calls.inputs import Instant, TurnLike, given, turn_bodies, unusable
from .._calls.sent import Filter
from .._calls.settings import settings
from .._http.async_transport import AsyncTransport
from .async_accounts import AsyncAudit, AsyncKeys, AsyncSettings, AsyncUsage, AsyncWebhooks
from .async_memory import AsyncMemory
from .async_recalls import AsyncRecalls


class AsyncTurnstone(AsyncRecalls, AsyncSettings):
    """A client of Turnstone. One per program is enough: its calls may run concurrently.

    A call that fails temporarily is retried twice. Every failure raises a ``TurnstoneError``.

        async with AsyncTurnstone(user="ada") as turnstone:
            await turnstone.remember({"role": "user", "text": "I moved to Lyon."}, session="monday")
            recalled = await turnstone.recall("Where does Ada live?")
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        user: str | None = None,
        session: str | None = None,
        timeout: float = 40.0,
        total_timeout: float = 120.0,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Does not call the service.

        ``api_key``, ``base_url``: default: the environment variables ``TURNSTONE_API_KEY`` and ``TURNSTONE_URL``, or
        else those of the server on this machine whose data folder is here (``TURNSTONE_DATA_DIR`` or ``./data``).
        ``user``, ``session``: of calls that name none, except ``forget`` and lists; without, a write goes to the key's.
        ``timeout``: seconds per attempt; the service itself gives up after 30. Each call can override it.
        ``total_timeout``: seconds per call, with its retries and the pauses before them (0.5 and 1, or as it asks).
        ``http_client``: your own, with proxies, certificates or limits; it is left open.
        """
        self._settings = settings(
            base_url=base_url, api_key=api_key, user=user, session=session, timeout=timeout, total_timeout=total_timeout
        )
        self._caller = Caller(self._settings)
        self._transport = AsyncTransport(http_client, self._settings.base_url)
        self.usage, self.audit = AsyncUsage(self._caller, self._transport), AsyncAudit(self._caller, self._transport)
        self.memory = AsyncMemory(self._caller, self._transport, self._settings)
        self.keys = AsyncKeys(self._caller, self._transport)
        self.webhooks = AsyncWebhooks(self._caller, self._transport)

    async def remember(
        self,
        turns: TurnLike | Iterable[TurnLike],
        *,
        user: str | None = None,
        session: str | None = None,
        write_active: bool | None = None,
        write_passive: bool | None = None,
        expires_at: Instant | None = None,
        ttl_days: int | None = None,
        session_title: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> models.Ingested:
        """Stores 1 to 1,000 turns of one session. They can be recalled as soon as it returns.

        Sending a turn again is harmless: the same role, text and timestamp are stored and billed once.
        ``write_active=False``: the turns are not stored, only what is extracted from them; ``write_passive=False``:
        nothing is extracted. From ``expires_at`` on, or ``ttl_days`` (1 to 36,500) after they were recorded, the turns
        and what was found in them are in no answer. ``session_title`` names an untitled session. ``metadata`` is kept.
        """
        call = operations.ingest(
            turn_bodies(turns),
            user=given(user, self._settings.user),
            session=given(session, self._settings.session),
            write_active=write_active,
            write_passive=write_passive,
            expires_at=expires_at,
            ttl_days=ttl_days,
            session_title=session_title,
            metadata=metadata,
        )
        return await self._transport.run(self._caller.call(call, timeout))

    async def forget(self, *, user: str, session: str | None = None, timeout: float | None = None) -> models.Erased:
        """Permanently erases a session, or all of a user if none is given. The client's own user is no default here."""
        if not user:
            raise unusable("forget needs a user: nothing is erased by default.")
        return await self._transport.run(self._caller.call(operations.erase(user=user, session=session), timeout))

    async def job(self, id: str, *, timeout: float | None = None) -> models.Job:
        """The state of a write, by either of its job ids."""
        return await self._transport.run(self._caller.call(operations.job(id), timeout))

    async def wait(
        self, write: models.Ingested | str, *, within: float = 60.0, timeout: float | None = None
    ) -> models.Job:
        """Waits until its turns are in the index, and what is said in them has been extracted.

        ``write``: what ``remember`` returned, or either of its job ids. Returns the job once it is ``done`` or
        ``failed``; raises ``timeout`` where it is still ``queued`` after ``within`` seconds. What was written can be
        recalled without waiting.
        """
        id = write if isinstance(write, str) else write.passive_job_id or write.job_id
        return await self._transport.run(self._caller.waited(operations.job(id), within, timeout))

    async def me(self, *, timeout: float | None = None) -> models.Me:
        """The organization, user and roles of the key."""
        return await self._transport.run(self._caller.call(operations.me(), timeout))

    def events(
        self, *, after: str | None = None, filter: Filter | None = None, silence: float = 45.0
    ) -> AsyncGenerator[Event, None]:
        """Every turn and observation that the key may see, each session in order, then new ones as they are written.

        It never ends by itself: when the connection breaks, it continues after the last event without gap or repeat.
        ``after``: the ``position`` of an event, or ``now`` for new events only; default: from the beginning.
        ``filter``: only turns whose metadata passes, and what was found in them. ``silence``: seconds without data
        after which to reconnect; the service sends a beat every 15.
        """
        return self._transport.iterate(self._caller.events(after, filter, silence))

    def batch(
        self,
        *,
        user: str | None = None,
        session: str | None = None,
        write_active: bool | None = None,
        write_passive: bool | None = None,
        expires_at: Instant | None = None,
        ttl_days: int | None = None,
        metadata: Mapping[str, Any] | None = None,
        max_turns: int = 1_000,
        max_age: float = 0.5,
        max_in_flight: int = 4,
        max_pending: int = 10_000,
    ) -> AsyncBatch:
        """Collects turns into few requests, and provides back-pressure.

        ``max_turns``: the most turns per request, 1 to 1,000; ``max_age``: seconds that a turn waits for others;
        ``max_in_flight``: concurrent requests, those of one session one after another; ``max_pending``: how many turns
        may be unacknowledged until ``add`` waits.
        """
        return AsyncBatch(
            self._caller,
            self._transport,
            BatchLimits(max_turns, max_age, max_in_flight, max_pending),
            user=given(user, self._settings.user),
            session=given(session, self._settings.session),
            write_active=write_active,
            write_passive=write_passive,
            expires_at=expires_at,
            ttl_days=ttl_days,
            metadata=metadata,
        )

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncTurnstone:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncTurnstone(base_url={self._settings.base_url!r})"
