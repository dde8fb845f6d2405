"""Messages of webhooks, against the example of the reference libraries of Standard Webhooks."""

from __future__ import annotations

import base64
import hmac

import pytest

from turnstone_client import TurnstoneError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
AT = 1614265330
EXAMPLE = {"Webhook-Id": ID, "Webhook-Timestamp": str(AT)}
BODY = '{"type": "turn", "timestamp": "2026-01-05T09:30:00Z", "data": {"text": "Grüße"}}'


def signed(body: str, **changes: str) -> dict[str, str]:
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{ID}.{AT}.{body}".encode(), "sha256")
    return {**EXAMPLE, "Webhook-Signature": f"v1,{base64.b64encode(digest).decode()}", **changes}


def refused(headers: dict[str, str], body: str | bytes = BODY, *, secret: str = SECRET, now: float = AT) -> str:
    with pytest.raises(TurnstoneError) as raised:
        verify_webhook(secret, headers, body, now=now)
    return raised.value.code


def test_the_example_of_standard_webhooks() -> None:
    body = '{"test": 2432232314}'
    signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert signed(body)["Webhook-Signature"] == signature
    # Its signature is right, and it is no message of ours.
    with pytest.raises(TurnstoneError, match="not one of Turnstone"):
        verify_webhook(SECRET, signed(body), body, now=AT)


def test_a_message_whose_signature_is_right() -> None:
    message = verify_webhook(SECRET, signed(BODY), BODY.encode(), now=AT + 299)
    assert (message.id, message.type, message.data) == (ID, "turn", {"text": "Grüße"})
    both = "v1a,abc v1,AAAA " + signed(BODY)["Webhook-Signature"]
    assert verify_webhook(SECRET, signed(BODY, **{"Webhook-Signature": both}), BODY, now=AT).id == ID


def test_whatever_was_changed_is_refused() -> None:
    assert refused(signed(BODY), BODY + " ") == "unauthenticated"
    for name, value in [
        ("Webhook-Id", "msg_other"),
        ("Webhook-Timestamp", str(AT + 1)),
        ("Webhook-Timestamp", "now"),
        ("Webhook-Signature", "v1,é"),
        ("Webhook-Signature", ""),
    ]:
        assert refused(signed(BODY, **{name: value})) == "unauthenticated"
    for now in (AT + 301, AT - 301):
        assert refused(signed(BODY), now=now) == "unauthenticated"
    for secret in ("ts_key", "whsec_", "whsec_*"):
        assert refused(signed(BODY), secret=secret) == "configuration"
