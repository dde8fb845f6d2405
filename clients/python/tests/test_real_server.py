"""The real service, as a new user sees it; and the README's code blocks."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from datetime import datetime, timezone
from pathlib import Path

import pytest

from conftest import Server
from turnstone_client import AsyncTurnstone, Turn, Turnstone, TurnstoneError, models

README = (Path(__file__).parents[1] / "README.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
EXPECTED = [
    "[2026-01-05] [user] I moved to Lyon last week.",
    r"0\.\d+ 0\.\d+",
    "",
    "monday 2 2026-01-05 09:30:04",
    "Ada lives in Porto.",
    r"\S+ turn \w+",
    "invalid 422",
]


@pytest.fixture
def environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURNSTONE_URL", server.url)
    monkeypatch.setenv("TURNSTONE_API_KEY", server.api_key)


@pytest.mark.usefixtures("environment")
def test_the_readmes_blocks_run_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(BLOCKS) == len(EXPECTED)
    for block, expected in zip(BLOCKS, EXPECTED, strict=True):
        exec(compile(block, "README.md", "exec"), {"__name__": "readme"})
        told = capsys.readouterr().out
        assert expected in told or re.search(expected, told), told
    with Turnstone(user="ada") as turnstone:
        assert sum(1 for _ in turnstone.memory.turns(user="ada", session="report", page_size=200)) == 2_000


@pytest.mark.usefixtures("environment")
def test_from_a_turn_to_its_erasure() -> None:
    with Turnstone(user="grace", session="lisbon") as turnstone:
        turn = Turn(
            role="Ada",
            text="Grace found a flat in Lisbon.",
            timestamp="2026-02-20T08:00:00Z",
            observations=["Grace lives in Lisbon."],
        )
        first = turnstone.remember(turn, metadata={"from": "chat"})
        again = turnstone.remember(turn)
        assert again.job_id == first.job_id
        assert (first.usage.tokens_in > 0, again.usage.tokens_in) == (True, 0)
        assert turnstone.job(first.job_id).status in ("queued", "done")

        recalled = turnstone.recall("Where did Grace find a flat?", include_timeline=True)
        assert recalled.hits.turns[0].id == first.active_fragment_ids[0]
        assert recalled.timeline is not None and "Lisbon" in recalled.timeline

        details = turnstone.memory.turn(first.active_fragment_ids[0])
        assert "Grace lives in Lisbon." in [one.text for one in details.observations]
        assert [one.user_id for one in turnstone.memory.users()].count("grace") == 1

        erased = turnstone.forget(user="grace", session="lisbon")
        assert erased.erased.turns == 1
        assert list(turnstone.memory.turns(user="grace")) == []
        with pytest.raises(TurnstoneError, match="needs a user"):
            turnstone.forget(user="")


@pytest.mark.usefixtures("environment")
def test_names_are_corrected_and_a_session_is_titled() -> None:
    with Turnstone(user="wren", session="names") as turnstone:
        text = "Mel lives in Lyon, and Melanie lives in Porto."
        stored = turnstone.remember(Turn(role="user", text=text, timestamp="2026-02-20T08:00:00Z"))
        assert stored.passive_job_id is not None
        deadline = time.monotonic() + 30
        while turnstone.job(stored.passive_job_id).status != "done":
            assert time.monotonic() < deadline
            time.sleep(0.05)

        def people() -> list[tuple[str, list[str]]]:
            found = turnstone.memory.entities(user="wren", kind="person")
            return [(one.label, [alias.label for alias in one.aliases]) for one in found]

        (melanie,) = turnstone.memory.entities(user="wren", kind="person")
        (mel,) = melanie.aliases
        assert turnstone.memory.correct_entity(melanie.id, split=[mel.id], user="wren").aliases == []
        assert people() == [("Mel", []), ("Melanie", [])]
        turnstone.memory.correct_entity(mel.id, merge_into=melanie.id, label="Nell", user="wren")
        assert people() == [("Nell", ["Mel"])]
        assert turnstone.memory.title_session("names", "Who lives where", user="wren").title == "Who lives where"
        assert turnstone.memory.title_session("names", None, user="wren").title is None
        turnstone.forget(user="wren")


@pytest.mark.usefixtures("environment")
def test_a_fact_is_said_without_a_turn_and_corrected() -> None:
    with Turnstone(user="wren", session="crm") as turnstone:

        def say() -> models.StatedObservation:
            return turnstone.memory.add_fact("Wren lives in Lyon.", subject="Wren", attribute="home", value="Lyon")

        said = say()
        assert (said.user_id, said.session_id, said.turn_id, said.value) == ("wren", "crm", None, "Lyon")
        again = say()
        assert (again.id, again.usage.tokens_in) == (said.id, 0)
        since = datetime(2026, 2, 1, tzinfo=timezone.utc)
        corrected = turnstone.memory.correct(said.id, value="Porto", valid_from=since)
        assert (corrected.text, corrected.corrects) == ("Wren lives in Porto.", said.id)
        assert corrected.valid_from == since
        held = {fact.value: fact for fact in turnstone.memory.facts(user="wren", holds="ever")}
        assert held["Lyon"].superseded_by == corrected.id
        assert held["Lyon"].valid_until == held["Lyon"].valid_from
        assert [fact.value for fact in turnstone.memory.facts(user="wren")] == ["Porto"]
        with pytest.raises(TurnstoneError) as caught:
            turnstone.memory.correct(said.id)
        assert caught.value.status == 422
        turnstone.forget(user="wren")


@pytest.mark.usefixtures("environment")
def test_a_fact_and_a_turn_are_hidden() -> None:
    with Turnstone(user="finch", session="hidden") as turnstone:
        ids = [
            turnstone.remember(
                Turn(
                    role="user",
                    text=f"Send it to {value}.",
                    timestamp=f"2026-02-2{day}T08:00:00Z",
                    observations=[
                        {"text": f"Finch lives in {value}.", "subject": "Finch", "attribute": "home", "value": value}
                    ],
                )
            ).active_fragment_ids[0]
            for day, value in enumerate(("Lyon", "Porto"))
        ]

        def homes() -> list[str]:
            return [fact.value for fact in turnstone.memory.facts(user="finch", subject="Finch")]

        (porto,) = turnstone.memory.facts(user="finch", subject="Finch")
        turnstone.memory.delete_observation(porto.id)
        assert homes() == ["Lyon"]
        turnstone.memory.delete_turn(ids[0])
        assert homes() == []
        assert [turn.id for turn in turnstone.memory.turns(user="finch")] == [ids[1]]
        for hide, id in ((turnstone.memory.delete_turn, ids[0]), (turnstone.memory.delete_observation, porto.id)):
            with pytest.raises(TurnstoneError) as caught:
                hide(id)
            assert caught.value.code == "not_found"
        turnstone.forget(user="finch")


@pytest.mark.usefixtures("environment")
def test_what_a_recall_answered_is_read_again() -> None:
    with Turnstone(user="heron", session="kept") as turnstone:
        turnstone.remember(Turn(role="user", text="The heron fishes at dawn.", timestamp="2026-02-20T08:00:00Z"))
        recalled = turnstone.recall("When does the heron fish?", receipt=True)
        assert recalled.freshness.from_tail <= 1
        assert recalled.receipt_id is not None
        kept = turnstone.get_recall(recalled.receipt_id)
        assert (kept.q, kept.confidence) == ("When does the heron fish?", recalled.confidence)
        (hit,) = kept.hits
        assert (hit.id, hit.score, hit.status, hit.content) == (
            recalled.hits.turns[0].id,
            recalled.hits.turns[0].score,
            "shown",
            "The heron fishes at dawn.",
        )
        turnstone.forget(user="heron")
        erased = turnstone.get_recall(recalled.receipt_id)
        assert (erased.q, [one.status for one in erased.hits]) == (None, ["erased"])
        with pytest.raises(TurnstoneError) as caught:
            turnstone.get_recall("rcl_1")
        assert caught.value.code == "not_found"


@pytest.mark.usefixtures("environment")
def test_keys_are_made_and_revoked_and_refused_from_then_on() -> None:
    with Turnstone() as turnstone:
        key = turnstone.keys.create("reader", roles=["memory:read"], user="ada")
        assert key.api_key not in repr(key)
        with Turnstone(key.api_key) as reader:
            assert (reader.me().user_id, reader.me().roles) == ("ada", ["memory:read"])
            with pytest.raises(TurnstoneError) as caught:
                reader.remember({"role": "user", "text": "a"})
            assert (caught.value.status, caught.value.code) == (403, "forbidden")
        turnstone.keys.revoke(key.id)
        assert key.id not in [one.id for one in turnstone.keys.list()]
        with pytest.raises(TurnstoneError) as caught, Turnstone(key.api_key) as reader:
            reader.me()
        assert caught.value.code == "forbidden"


@pytest.mark.usefixtures("environment")
def test_events_tell_what_is_written_meanwhile() -> None:
    with Turnstone() as turnstone:
        heard: list[str] = []

        def follow() -> None:
            for event in turnstone.events():
                if event.data.session_id == "feed" and event.data.kind == "turn":
                    heard.append(event.data.text)
                if len(heard) == 3:
                    return

        thread = threading.Thread(target=follow)
        thread.start()
        for text in ("one", "two", "three"):
            turnstone.remember(
                {"role": "user", "text": text, "timestamp": "2026-03-01T00:00:00Z"}, user="ada", session="feed"
            )
        thread.join(20)
        assert sorted(heard) == ["one", "three", "two"]


@pytest.mark.usefixtures("environment")
def test_the_async_client_batches_recalls_and_follows() -> None:
    async def main() -> None:
        async with AsyncTurnstone(user="async") as turnstone:
            async with turnstone.batch(session="report") as batch:
                ids = [
                    await batch.add(
                        {"role": "user", "text": f"Remark {i} on comets.", "timestamp": "2026-03-01T00:00:00Z"}
                    )
                    for i in range(500)
                ]
            assert len({future.result() for future in ids}) == 500
            recalled = await asyncio.gather(*(turnstone.recall(f"remark {i} comets") for i in range(20)))
            assert all(one.hits.turns for one in recalled)
            assert len([turn async for turn in turnstone.memory.turns(user="async", page_size=100)]) == 500
            heard = 0
            async for event in turnstone.events():
                heard += event.data.user_id == "async" and event.data.kind == "turn"
                if heard == 500:
                    break
            assert (await turnstone.usage.today()).tokens_in > 0
            assert (await turnstone.usage.daily()).days[-1].tokens_in > 0

    began = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - began < 60
