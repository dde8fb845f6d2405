"""Models and calls are compared with the service's own OpenAPI document, so that none can drift unnoticed."""

from __future__ import annotations

import inspect
import re
from typing import Any, get_args

import httpx
import pytest
from pydantic import BaseModel

from conftest import Server
from contracted import CALLS, IN_THE_CALLER, MODELS, NOT_CALLED, NOT_MODELS
from turnstone_client import AsyncTurnstone, Turn, Turnstone, models
from turnstone_client._calls.call import Call, Request


@pytest.fixture(scope="module")
def document(server: Server) -> dict[str, Any]:
    loaded: dict[str, Any] = httpx.get(f"{server.url}/openapi.json").json()
    return loaded


def shape(schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    """The permitted values, however the schema expresses them: only types, members, items and enumerations."""
    if "$ref" in schema:
        return shape(definitions[schema["$ref"].rsplit("/", 1)[1]], definitions)
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if alternatives:
        return frozenset().union(
            *(
                one if isinstance(one, frozenset) else {one}
                for one in (shape(alternative, definitions) for alternative in alternatives)
            )
        )
    if "const" in schema:
        return ("string", frozenset([schema["const"]]))
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if len(kinds) > 1:
        return frozenset(shape({**schema, "type": kind}, definitions) for kind in kinds)
    kind = kinds[0]
    if kind == "object" and "properties" not in schema:
        return (kind, shape(schema["additionalProperties"], definitions))
    if kind == "object":
        required = frozenset(schema.get("required", []))
        members = frozenset(
            (name, name in required, said if name in required else without_null(said))
            for name, said in ((name, shape(member, definitions)) for name, member in schema["properties"].items())
        )
        return (kind, members)
    if kind == "array":
        return (kind, shape(schema["items"], definitions))
    if kind == "string":
        return (kind, frozenset(schema["enum"]) if "enum" in schema else schema.get("format"))
    return (kind, schema.get("minimum"), schema.get("maximum")) if kind in ("integer", "number") else (kind,)


def without_null(said: Any) -> Any:
    """A model's optional member is None both where it is absent and where the answer says null."""
    kept = said - {("null",)} if isinstance(said, frozenset) else frozenset([said])
    return next(iter(kept)) if len(kept) == 1 else kept


def model_shape(model: type[BaseModel]) -> Any:
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})

    def without_default(member: dict[str, Any], is_required: bool) -> dict[str, Any]:
        """An optional member is None when it is absent; the document allows no null for a present one."""
        if is_required:
            return member
        kept = [one for one in member["anyOf"] if one.get("type") != "null"]
        return kept[0] if len(kept) == 1 else {"anyOf": kept}

    for one in (schema, *definitions.values()):
        required = one.get("required", [])
        one["properties"] = {
            name: without_default(member, name in required) for name, member in one["properties"].items()
        }
    return shape(schema, definitions)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_model_is_the_documents(name: str, document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert model_shape(MODELS[name]) == shape(schemas[name], schemas)


def test_every_schema_of_the_document_has_a_model_or_a_reason(document: dict[str, Any]) -> None:
    assert set(document["components"]["schemas"]) == set(MODELS) | NOT_MODELS


def operations(document: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_every_operation_of_the_document_has_a_call_or_a_reason(document: dict[str, Any]) -> None:
    assert set(operations(document)) == set(CALLS) | IN_THE_CALLER | NOT_CALLED


def sample(name: str) -> Any:
    return {
        "turns": [{"role": "", "text": "", "timestamp": "", "observations": []}],
        "top_k": 1,
        "page_size": 1,
        "metadata": {"a": 1},
    }.get(
        name,
        ["turn"] if name in ("kinds", "roles", "names") else True if name.startswith(("write_", "include_")) else "x",
    )


@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_call_is_the_documents(name: str, document: dict[str, Any]) -> None:
    method, path, operation = operations(document)[name]
    call = CALLS[name]
    made = call(**{parameter: sample(parameter) for parameter in inspect.signature(call).parameters})
    request = made if isinstance(made, Request) else made.request
    assert (request.method, request.path) == (method, re.sub(r"\{\w+\}", "x", path))
    in_query = {one["name"] for one in operation["parameters"] if one.get("in") == "query"} - {"cursor"}
    assert set(request.query) == in_query
    schemas = document["components"]["schemas"]
    if request.body is not None:
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        assert members(request.body) == members_of(body, schemas)
    answer = next(response for status, response in operation["responses"].items() if status.startswith("2"))
    if isinstance(made, Call):
        schema = answer["content"]["application/json"]["schema"]
        # A key that may not read is answered with the id alone, which is the last of two.
        told = schema if "$ref" in schema else schema["anyOf"][0]
        assert MODELS[told["$ref"].rsplit("/", 1)[1]] is made.model
    else:
        assert "content" not in answer


def members(value: Any, path: str = "") -> set[str]:
    """The names of all members, such as ``scope.user_id``; the content of metadata is up to the caller."""
    if isinstance(value, list):
        return members(value[0], path) if value else set()
    if not isinstance(value, dict) or path == "metadata.":
        return set()
    return {path + name for name in value}.union(*(members(one, f"{path}{name}.") for name, one in value.items()))


def members_of(schema: dict[str, Any], schemas: dict[str, Any], path: str = "") -> set[str]:
    if "$ref" in schema:
        return members_of(schemas[schema["$ref"].rsplit("/", 1)[1]], schemas, path)
    if "items" in schema:
        return members_of(schema["items"], schemas, path)
    # What a filter says is up to the caller.
    if path == "filter.":
        return set()
    if path.endswith(("observations.", "split.")):
        return set()  # a string does
    properties = schema.get("properties", {})
    return {path + name for name in properties}.union(
        *(members_of(one, schemas, f"{path}{name}.") for name, one in properties.items())
    )


def test_enumerations_of_requests_are_the_documents(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    recall = schemas["Recall"]["properties"]
    assert list(get_args(models.Mode)) == recall["mode"]["enum"]
    assert list(get_args(models.Holds)) == recall["holds"]["enum"]
    assert list(get_args(models.HitKind)) == recall["kinds"]["items"]["enum"]
    assert list(get_args(models.Role)) == schemas["CreateApiKey"]["properties"]["roles"]["items"]["enum"]
    turns = {one["name"]: one for one in operations(document)["listTurns"][2]["parameters"] if "name" in one}
    assert list(get_args(models.Order)) == turns["order"]["schema"]["enum"]


def test_a_turn_is_the_documents(document: dict[str, Any]) -> None:
    turn = document["components"]["schemas"]["Ingest"]["properties"]["turns"]["items"]
    assert set(Turn.model_fields) == set(turn["properties"])


def test_both_clients_have_the_same_calls() -> None:
    def calls(client: type) -> dict[str, list[str]]:
        return {
            name.replace("aclose", "close").replace("__aexit__", "__exit__").replace("__aenter__", "__enter__"): list(
                inspect.signature(method).parameters
            )
            for name, method in vars(client).items()
            if inspect.isfunction(method)
        }

    assert calls(Turnstone) == calls(AsyncTurnstone)
