"""The options of a client."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from ..errors import TurnstoneError


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str = field(repr=False)
    user: str | None
    session: str | None
    timeout: float
    total_timeout: float


def _refused(message: str) -> TurnstoneError:
    return TurnstoneError(message, code="configuration")


def checked_time(name: str, seconds: float) -> float:
    if isinstance(seconds, (int, float)) and seconds > 0:
        return seconds
    raise _refused(f"{name} must be a number of seconds above 0.")


def _checked_url(text: str | None) -> str:
    if not text:
        raise _refused(
            "There is no address: pass base_url, set TURNSTONE_URL, or start a server in this folder (turnstone serve)."
        )
    try:
        url = httpx.URL(text.rstrip("/"))
    except httpx.InvalidURL:
        raise _refused("base_url is not a valid URL.") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise _refused("base_url must begin with http:// or https:// and name a host.")
    # A host that httpx has to escape is invalid, and a port has 16 bits.
    if "%" in url.host or (url.port or 0) > 65_535:
        raise _refused("base_url is not a valid URL.")
    if url.userinfo or "?" in text or "#" in text:
        raise _refused("base_url must have no user, no query and no fragment.")
    return str(url)


def _of_data_folder(name: str) -> str | None:
    """A file that a server wrote into its data folder; None where there is none."""
    folder = Path(os.environ.get("TURNSTONE_DATA_DIR") or "data")
    try:
        return (folder / name).read_text().strip() or None
    except (OSError, ValueError):
        return None


def _is_loopback(url: str) -> bool:
    host = httpx.URL(url).host
    return host in ("localhost", "::1") or re.fullmatch(r"127\.\d+\.\d+\.\d+", host) is not None


def settings(
    *,
    base_url: str | None,
    api_key: str | None,
    user: str | None,
    session: str | None,
    timeout: float,
    total_timeout: float,
) -> Settings:
    """What is given, or in the environment, or else what a server wrote that has its data folder here.

    Its key is the whole organization's and never sent to another machine. Raises a ``TurnstoneError`` with the code
    ``configuration`` for invalid options.
    """
    url = _checked_url(base_url or os.environ.get("TURNSTONE_URL") or _of_data_folder("url"))
    given = api_key or os.environ.get("TURNSTONE_API_KEY")
    key = (given or (_of_data_folder("api-key") if _is_loopback(url) else None) or "").strip()
    if not key:
        raise _refused("There is no API key: pass api_key, or set TURNSTONE_API_KEY.")
    # Anything else fails when the header is built, with an error that repeats it.
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise _refused("The API key contains characters that no key has: is it the whole key, and nothing else?")
    return Settings(
        base_url=url,
        api_key=key,
        user=user,
        session=session,
        timeout=checked_time("timeout", timeout),
        total_timeout=checked_time("total_timeout", total_timeout),
    )
