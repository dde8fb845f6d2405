"""Answers that don't match their model: from another version of the service, or not from the service at all."""

from __future__ import annotations

from functools import cache
from operator import getitem
from typing import Annotated, Any, TypeVar, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError

from ..models import Answer

M = TypeVar("M", bound=BaseModel)


def as_far_as_it_goes(model: type[M], value: dict[str, Any]) -> M:
    """The members that are present: valid ones converted by the model, the others unchanged."""
    fields = model.model_fields
    return model.model_construct(
        **{name: _member(model, name, member) if name in fields else member for name, member in value.items()}
    )


def _member(model: type[BaseModel], name: str, value: Any) -> Any:
    try:
        return _check_of(model, name).validate_python(value)
    except ValidationError:
        return _nested(model.model_fields[name].annotation, value)


def _nested(annotation: Any, value: Any) -> Any:
    """Converts an answer within an answer: single, in a list, or optional."""
    if isinstance(annotation, type) and issubclass(annotation, Answer) and isinstance(value, dict):
        return as_far_as_it_goes(annotation, value)
    inner = [one for one in get_args(annotation) if isinstance(one, type) and issubclass(one, Answer)]
    if len(inner) != 1:
        return value
    return [_nested(inner[0], item) for item in value] if isinstance(value, list) else _nested(inner[0], value)


@cache
def _check_of(model: type[BaseModel], name: str) -> TypeAdapter[Any]:
    field = model.model_fields[name]
    as_declared: Any = field.annotation
    if field.metadata:
        as_declared = getitem(Annotated, (as_declared, *field.metadata))
    return TypeAdapter(as_declared)
