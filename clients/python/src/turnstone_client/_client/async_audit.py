"""The audit log: ``client.audit``."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from .. import models
from .._calls import operations
from .._calls.caller import Caller
from .._calls.inputs import Instant
from .._http.async_transport import AsyncTransport


class AsyncAudit:
    """What was done with the organization; needs the role ``audit:read``."""

    def __init__(self, caller: Caller, transport: AsyncTransport) -> None:
        self._caller = caller
        self._transport = transport

    def entries(
        self,
        *,
        since: Instant | None = None,
        until: Instant | None = None,
        action: str | None = None,
        actor: str | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[models.AuditEntry, None]:
        """Entries, newest first, fetched page by page during iteration.

        ``since``, ``until``: from the one instant on and before the other. ``action``: such as ``keys.create``.
        ``actor``: the id of a key or of a user, or a kind: ``key``, ``operator``, ``sign_up``.
        """
        call = operations.read_audit(since=since, until=until, action=action, actor=actor, page_size=page_size)
        return self._transport.iterate(self._caller.items(call, timeout))
