"""The steps of a request, with retries as the contract recommends."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, ValidationError

from .._http.effects import Answer, Send, Sleep, Steps, Unreachable
from .._http.retry import LONGEST_WAIT, TRANSIENT, parse_retry_after, pause_before_retry, wait_of
from .._version import __version__
from ..errors import TurnstoneError, refusal
from ..models import Answer as Answered
from .inputs import in_utf8, without_none
from .lenient import as_far_as_it_goes

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, str | int | None] = field(default_factory=dict)
    """None values are omitted."""
    body: Mapping[str, Any] | None = field(default=None, repr=False)
    repeatable: bool = True
    """Whether it may be sent again when it is unknown whether it arrived."""
    last_event_id: str | None = None
    silence: float | None = None
    """For a stream: seconds without data after which it counts as dead."""


@dataclass(frozen=True)
class Call(Generic[M]):
    """A request, and the model of its successful answer."""

    request: Request
    model: type[M]


@dataclass(frozen=True)
class Attempt:
    """Shared by all requests of a call."""

    timeout: float
    """Seconds per request."""
    deadline: float
    """For all requests and the pauses between them, on the monotonic clock."""
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    def remaining(self) -> float:
        return self.deadline - time.monotonic()


@dataclass(frozen=True)
class Outcome:
    """The outcome of a request."""

    value: Any = field(default=None, repr=False)
    """The content of a success."""
    error: TurnstoneError | None = None
    may_pass: bool = False
    """Whether the failure may be temporary."""
    attempts: int = 1

    def unwrap(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.value


@dataclass(frozen=True)
class Sender:
    """Sends requests to one address with one key."""

    base_url: str
    api_key: str = field(repr=False)
    """Must not appear in any error, whatever the server answers."""

    def send(self, request: Request, attempt: Attempt, model: type[BaseModel] | None) -> Steps[Outcome]:
        """Sends the request, with up to two retries while the failure may be temporary."""
        url, headers, content = self._prepared(request, attempt.request_id)
        for number in count():
            answer: Answer | Unreachable = yield Send(
                request.method,
                url,
                headers,
                content,
                timeout=max(0.001, min(attempt.timeout, attempt.remaining(), LONGEST_WAIT)),
                silence=request.silence,
            )
            outcome = replace(judge(answer, request, model, attempt.request_id, self.api_key), attempts=number + 1)
            if outcome.error is None or not outcome.may_pass or not request.repeatable:
                return outcome
            pause = pause_before_retry(number)
            if pause is None:
                return outcome
            pause = wait_of(pause, outcome.error.retry_after)
            if pause >= attempt.remaining():
                return outcome
            yield Sleep(pause)
        raise AssertionError("unreachable")

    def _prepared(self, request: Request, request_id: str) -> tuple[str, dict[str, str], bytes | None]:
        query = {name: in_utf8(str(value)) for name, value in without_none(request.query).items()}
        headers = {
            "accept": "application/json" if request.silence is None else "text/event-stream",
            "user-agent": f"turnstone-client-python/{__version__}",
            "x-api-key": self.api_key,
            "x-correlation-id": request_id,
        }
        if request.body is not None:
            headers["content-type"] = "application/json"
        if request.last_event_id is not None:
            headers["last-event-id"] = request.last_event_id
        url = self.base_url + request.path + (f"?{urlencode(query)}" if query else "")
        return url, headers, None if request.body is None else encode(request.body)


def judge(
    answer: Answer | Unreachable,
    request: Request,
    model: type[BaseModel] | None,
    request_id: str,
    secret: str,
) -> Outcome:
    """Converts an answer to an outcome. With ``model`` None the content of a success is ignored."""
    if isinstance(answer, Unreachable):
        error = TurnstoneError(answer.reason, code=answer.code, request_id=request_id)
        return Outcome(error=error, may_pass=True)
    if 200 <= answer.status < 300:
        if request.silence is not None and not answer.content_type.lower().startswith("text/event-stream"):
            return _unexpected("The answer is not an event stream.", answer.status, request_id, may_pass=True)
        return Outcome() if model is None else decode(answer.content, model, answer.status, request_id)
    error = refusal(
        answer.status,
        answer.content,
        request_id=request_id,
        retry_after=parse_retry_after(answer.retry_after),
        secret=secret,
    )
    return Outcome(error=error, may_pass=error.code in TRANSIENT)


def decode(content: bytes, model: type[BaseModel], status: int, request_id: str) -> Outcome:
    """Parses a success. The error for an unexpected one contains none of its text."""
    try:
        return Outcome(value=model.model_validate_json(content))
    except ValidationError as invalid:
        faults = invalid.errors(include_input=False, include_url=False, include_context=False)
    # Outside the except block: an error created there would keep the answer in its context.
    if any(fault["type"] == "json_invalid" for fault in faults):
        return _unexpected("The answer is not JSON, or it is incomplete.", status, request_id, may_pass=True)
    value = json.loads(content)
    if issubclass(model, Answered) and isinstance(value, dict):
        return Outcome(value=as_far_as_it_goes(model, value))
    where = ", ".join(".".join(map(str, fault["loc"])) or fault["type"] for fault in faults[:5])
    return _unexpected(f"The answer does not come from Turnstone ({where}).", status, request_id, may_pass=False)


def listed(answer: Answered, name: str) -> list[Any]:
    """A member that must be a list; otherwise the answer does not come from the service."""
    value = getattr(answer, name, None)
    if isinstance(value, list):
        return value
    raise TurnstoneError(f"The answer does not come from Turnstone ({name}).", code="unexpected_answer", status=200)


def _unexpected(message: str, status: int, request_id: str, *, may_pass: bool) -> Outcome:
    error = TurnstoneError(message, code="unexpected_answer", status=status, request_id=request_id)
    return Outcome(error=error, may_pass=may_pass)


def encode(body: Mapping[str, Any]) -> bytes:
    """Raises ``invalid`` for values that JSON can't represent, which metadata may contain."""
    try:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise TurnstoneError(f"The arguments can not be represented in JSON: {error}.", code="invalid") from None
    try:
        return text.encode()
    except UnicodeEncodeError:
        # UTF-8 can't encode a lone surrogate. As an escape it reaches the service, which then refuses it.
        return json.dumps(body, separators=(",", ":"), allow_nan=False).encode()
