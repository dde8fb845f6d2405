"""The client of Turnstone, a conversation memory service.

from turnstone_client import Turnstone

with Turnstone(user="ada") as turnstone:
    turnstone.remember({"role": "user", "text": "I moved to Lyon."})
    recalled = turnstone.recall("Where does Ada live?")
"""

from ._batch.async_batch import AsyncBatch
from ._batch.batch import Batch
from ._calls.event import Event
from ._calls.inputs import Instant, MessageDict, TurnDict, TurnLike
from ._calls.sent import Turn
from ._client.async_client import AsyncTurnstone
from ._client.client import Turnstone
from ._version import __version__
from ._webhook import WebhookMessage, verify_webhook
from .errors import ErrorCode, TurnstoneError
from .models import (
    ApiKey,
    AuditEntry,
    EntityHit,
    EntityItem,
    Erased,
    Explanation,
    FactItem,
    Freshness,
    Ingested,
    Job,
    Me,
    NewApiKey,
    NewWebhook,
    ObservationEvent,
    ObservationHit,
    ObservationItem,
    Recalled,
    Receipt,
    ReceiptHit,
    SessionItem,
    Subject,
    TextPart,
    TurnDetails,
    TurnEntity,
    TurnEvent,
    TurnHit,
    TurnItem,
    UsageDaily,
    UsageMonth,
    UsageStatement,
    UsageToday,
    UserItem,
    Webhook,
    WebhookDelivery,
)

__all__ = [
    "ApiKey",
    "AsyncBatch",
    "AsyncTurnstone",
    "AuditEntry",
    "Batch",
    "EntityHit",
    "EntityItem",
    "Erased",
    "ErrorCode",
    "Event",
    "Explanation",
    "FactItem",
    "Freshness",
    "Ingested",
    "Instant",
    "Job",
    "Me",
    "MessageDict",
    "NewApiKey",
    "NewWebhook",
    "ObservationEvent",
    "ObservationHit",
    "ObservationItem",
    "Recalled",
    "Receipt",
    "ReceiptHit",
    "SessionItem",
    "Subject",
    "TextPart",
    "Turn",
    "TurnDetails",
    "TurnDict",
    "TurnEntity",
    "TurnEvent",
    "TurnHit",
    "TurnItem",
    "TurnLike",
    "Turnstone",
    "TurnstoneError",
    "UsageDaily",
    "UsageMonth",
    "UsageStatement",
    "UsageToday",
    "UserItem",
    "Webhook",
    "WebhookDelivery",
    "WebhookMessage",
    "__version__",
    "verify_webhook",
]
