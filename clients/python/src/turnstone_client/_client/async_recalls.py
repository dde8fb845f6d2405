"""The calls that ask, of a client."""

from __future__ import annotations

from collections.abc import Sequence

from .. import models
from .._calls import operations
from .._calls.caller import Caller
from .._calls.inputs import Instant, given, reading_user
from .._calls.sent import Filter
from .._calls.settings import Settings
from .._http.async_transport import AsyncTransport


class AsyncRecalls:
    """Recall, a context for a prompt, and what an earlier recall answered."""

    _settings: Settings
    _caller: Caller
    _transport: AsyncTransport

    async def recall(
        self,
        q: str,
        *,
        user: str | None = None,
        session: str | None = None,
        all_users: bool = False,
        mode: models.Mode | None = None,
        top_k: int | None = None,
        holds: models.Holds | None = None,
        include_timeline: bool | None = None,
        include_context: bool | None = None,
        context_max_tokens: int | None = None,
        include_hits: bool | None = None,
        min_score: float | None = None,
        max_tokens: int | None = None,
        passages: bool | None = None,
        filter: Filter | None = None,
        embeddings_model: str | None = None,
        kinds: Sequence[models.HitKind] | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
        as_of: Instant | None = None,
        utc_offset: int | None = None,
        explain: bool | None = None,
        receipt: bool | None = None,
        timeout: float | None = None,
    ) -> models.Recalled:
        """Finds what was said: turns, observations and entities, best first.

        Of ``user``, or the client's own; with ``all_users=True`` of all that the key may see.
        ``mode="deep"`` does more work and finds what a single pass misses. ``top_k``: number of hits across all kinds,
        1 to 50, of which at most 30 are used; default 15, with ``deep`` 25. With ``holds="ever"`` facts that no longer
        hold are hits too; by default they are where the question asks about the past. ``since`` and ``until`` compare
        with the turns' timestamps, inclusive; ``as_of`` answers from what the service knew at that time.
        ``utc_offset``: where the question is asked, minutes to the east of UTC; "yesterday" is a day there. ``explain``
        adds an explanation of its score to each turn and observation. ``include_context`` adds ``context``: one string
        for a prompt, within ``context_max_tokens`` (50 to 8,000; default 800). ``include_hits=False`` returns and bills
        no hits. ``filter``: only turns whose metadata passes, such as ``{"key": "agent_id", "eq": "planner"}``, and
        what was found in them. ``min_score`` (0 to 1) is the least score of a hit; ``max_tokens`` limits all hits
        together. With ``passages=True``, the default with ``max_tokens``, a long hit has only the part that matters;
        ``part`` says where it is. ``embeddings_model``: one of the service's configured models, to compare it before it
        serves. ``receipt=True`` keeps what was answered for 90 days: the answer has ``receipt_id``, for ``get_recall``.
        """
        call = operations.recall(
            q,
            user=reading_user(user, all_users, self._settings.user),
            session=session if all_users else given(session, self._settings.session),
            mode=mode,
            top_k=top_k,
            holds=holds,
            include_timeline=include_timeline,
            include_context=include_context,
            context_max_tokens=context_max_tokens,
            include_hits=include_hits,
            min_score=min_score,
            max_tokens=max_tokens,
            passages=passages,
            filter=filter,
            embeddings_model=embeddings_model,
            kinds=kinds,
            since=since,
            until=until,
            as_of=as_of,
            utc_offset=utc_offset,
            explain=explain,
            receipt=receipt,
        )
        return await self._transport.run(self._caller.call(call, timeout))

    async def context(
        self,
        q: str,
        *,
        tokens: int | None = None,
        user: str | None = None,
        session: str | None = None,
        all_users: bool = False,
        mode: models.Mode | None = None,
        holds: models.Holds | None = None,
        min_score: float | None = None,
        filter: Filter | None = None,
        kinds: Sequence[models.HitKind] | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
        as_of: Instant | None = None,
        utc_offset: int | None = None,
        receipt: bool | None = None,
        timeout: float | None = None,
    ) -> str:
        """What a prompt needs to know for ``q``, as one string of at most ``tokens`` (50 to 8,000; default 800).

        What holds now, then what was said; empty where nothing is known. Nothing else is returned or billed. The other
        options are those of ``recall``.
        """
        recalled = await self.recall(
            q,
            user=user,
            session=session,
            all_users=all_users,
            mode=mode,
            holds=holds,
            include_context=True,
            context_max_tokens=tokens,
            include_hits=False,
            min_score=min_score,
            filter=filter,
            kinds=kinds,
            since=since,
            until=until,
            as_of=as_of,
            utc_offset=utc_offset,
            receipt=receipt,
            timeout=timeout,
        )
        return recalled.context or ""

    async def get_recall(self, id: str, *, timeout: float | None = None) -> models.Receipt:
        """What a recall with ``receipt=True`` answered, by its ``receipt_id``, for 90 days.

        Words are read anew; a hit that was erased or hidden has the status ``erased``. Later: raises ``not_found``.
        """
        return await self._transport.run(self._caller.call(operations.read_receipt(id), timeout))

    async def give_feedback(
        self, id: str, hit_id: str, verdict: models.Verdict, *, timeout: float | None = None
    ) -> models.Feedback:
        """Says whether a turn or an observation of a recall with ``receipt=True`` was ``helpful`` or ``wrong``.

        The last verdict counts. Raises ``not_found`` for a hit that is gone.
        """
        call = operations.give_feedback(id, hit_id, verdict)
        return await self._transport.run(self._caller.call(call, timeout))
