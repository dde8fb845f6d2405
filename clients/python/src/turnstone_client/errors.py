"""The only error that calls raise."""

from __future__ import annotations

import json
import re
from typing import Any, Literal, TypeAlias

ErrorCode: TypeAlias = Literal[
    "malformed",  # 400: a fault of form; details["errors"] lists all
    "unauthenticated",  # 401: the API key is unknown
    "forbidden",  # 403: the key is revoked, or lacks the role
    "not_found",  # 404
    "conflict",  # 409
    "too_large",  # 413: the body is larger than 4 MiB
    "invalid",  # 422: a fault of value; details["errors"] lists all
    "quota_exceeded",  # 429: a daily cap is reached; it is reset at 00:00 UTC
    "rate_limited",  # 429: too many calls
    "internal",  # 500
    "unavailable",  # 408, 502, 503, 504: temporarily unreachable
    "refused",  # any other unsuccessful status
    "network",  # no answer: the connection failed or broke
    "timeout",  # no answer in time
    "unexpected_answer",  # a successful status without Turnstone's content: something else listens at the address
    "configuration",  # the client's options are invalid, or it was closed
    "not_stored",  # some turns of a batch were not stored; details["failed"] lists them
]

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_FAULTS_TOLD = 5
"""Maximum number of faults in a message; the details have all."""
_CODES: dict[int, ErrorCode] = {
    400: "malformed",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    408: "unavailable",
    409: "conflict",
    413: "too_large",
    422: "invalid",
    429: "rate_limited",
    500: "internal",
    502: "unavailable",
    503: "unavailable",
    504: "unavailable",
}


class TurnstoneError(Exception):
    """A failed call.

    It contains what the service answered, never what was sent: no text and no key.
    """

    status: int | None
    """The answer's HTTP status; None when there was no answer."""
    code: ErrorCode
    """The kind of failure, to branch on."""
    message: str
    request_id: str | None
    """The call's ``X-Correlation-ID``, which is also in the service's log lines."""
    details: dict[str, Any] | None
    """A 400 and a 422 list their faults in ``errors``; a quota's 429 has ``kind``, ``used`` and ``limit``."""
    retry_after: float | None
    """Seconds to wait before a retry, as asked for by the service."""

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode,
        status: int | None = None,
        request_id: str | None = None,
        details: dict[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.details = details
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.status} {self.code}: {self.message}" if self.status else f"{self.code}: {self.message}"

    def __repr__(self) -> str:
        return f"TurnstoneError(status={self.status}, code={self.code!r}, request_id={self.request_id!r})"

    def copy(self) -> TurnstoneError:
        return _rebuilt(*self.__reduce__()[1])

    def __reduce__(self) -> tuple[Any, ...]:
        # The default would lose the keyword arguments when an error is passed between processes.
        return (
            _rebuilt,
            (self.message, {name: value for name, value in vars(self).items() if name != "message"}),
        )


def _rebuilt(message: str, rest: dict[str, Any]) -> TurnstoneError:
    return TurnstoneError(message, **rest)


def refusal(status: int, content: bytes, *, request_id: str, retry_after: float | None, secret: str) -> TurnstoneError:
    """Converts an unsuccessful answer, which may come from something other than the service.

    Removes the ``secret`` if the answer repeats it.
    """
    try:
        # Removed after parsing, since JSON may contain escapes.
        body = _without(secret, json.loads(content))
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        body = {}
    details = body.get("details")
    details = details if isinstance(details, dict) else None
    message = body.get("message")
    if 300 <= status < 400:
        message = "The server redirected the request; base_url must be the address of the service itself."
    elif not isinstance(message, str):
        message = f"The server answered {status} without a message."
    named = body.get("request_id")
    return TurnstoneError(
        with_faults(message, faults_of(details)),
        code=_code(status, details),
        status=status,
        request_id=named if isinstance(named, str) and _UUID.fullmatch(named) else request_id,
        details=details,
        retry_after=retry_after,
    )


def _without(secret: str, value: Any) -> Any:
    """The JSON value with the secret removed from strings and names."""
    if isinstance(value, str):
        return value.replace(secret, "***")
    if isinstance(value, list):
        return [_without(secret, item) for item in value]
    if isinstance(value, dict):
        return {_without(secret, name): _without(secret, member) for name, member in value.items()}
    return value


def _code(status: int, details: dict[str, Any] | None) -> ErrorCode:
    if status == 429 and (details or {}).get("error") == "quota_exceeded":
        return "quota_exceeded"
    return _CODES.get(status, "refused")


def faults_of(details: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The faults that a 400 or a 422 lists; none where the list has another form."""
    errors = (details or {}).get("errors")
    return [
        fault
        for fault in (errors if isinstance(errors, list) else [])
        if isinstance(fault, dict) and isinstance(fault.get("loc"), list)
    ]


def with_faults(message: str, faults: list[dict[str, Any]]) -> str:
    told = [f"{'.'.join(map(str, fault['loc'][1:]))} {fault.get('message')}".strip() for fault in faults]
    if len(told) > _FAULTS_TOLD:
        told = [*told[:_FAULTS_TOLD], f"and {len(told) - _FAULTS_TOLD} more"]
    return "\n  ".join([message, *told])
