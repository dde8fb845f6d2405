"""An item of the feed."""

from __future__ import annotations

from dataclasses import dataclass

from ..models import ObservationEvent, TurnEvent


@dataclass(frozen=True)
class Event:
    """An item of ``events()``."""

    position: str
    """Pass it to ``events(after=...)`` to continue after this event."""
    data: TurnEvent | ObservationEvent
