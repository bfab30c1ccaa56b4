"""The twin law on the replay (S-02, S-03): two games that differ in what a reader may not see have the same pages and
steps for them, at every version; and a step is never kept beyond what its reader may know."""

import re
from collections.abc import Iterator

import pytest

from service.games import takeback
from tests.service.api.table import ApiTable, Player
from tests.service.api.test_secrecy import Chips, Heard, told_twice
from tests.service.api.twins import Line, Worlds, renamed, worlds
from tests.service.web.browser import Browser
from tests.tables import Tables

__all__ = ["worlds"]
EPOCH = re.compile(r"/steps/([a-z]+)/([0-9a-f]{24})")
NAMES = ("ann", "bob", "cyd")


def replays(table: ApiTable, *eyes: Player, whole: bool = False) -> Heard:
    """Return the steps of the last versions as these see them now, or if `whole`, of all versions and as pages, too."""
    return {who.name: renamed(list(_lines(table, who, whole))) for who in eyes}


def _lines(table: ApiTable, who: Player, whole: bool) -> Iterator[Line]:
    browser = Browser(table.api.services, who.id, app=table.api.app)
    page = f"/g/{table.id}"

    def ask(address: str) -> str:
        answer = browser.client.get(address, headers=browser.headers)
        named = EPOCH.sub(r"/steps/\1/epoch", address)
        text = EPOCH.sub(r"/steps/\1/epoch", answer.text)
        lines.append((f"GET {named}", answer.status_code, tuple(sorted(answer.headers)), text))
        return answer.text

    lines: list[Line] = []
    found = EPOCH.search(ask(f"{page}?v={table.version}"))
    assert found is not None
    for version in range(1 if whole else table.version - 9, table.version + 1):
        if whole and version > table.version - 6:
            ask(f"{page}?v={version}")
        for shown in {max(1, version - 1), min(table.version, version + 1)}:
            ask(f"{page}{found[0]}?v={version}&from={shown}&after={max(0, version - 2)}")
    for whose in ("all", "red", "yellow", "black", "public"):
        ask(f"{page}?v={table.version}&as={whose}")
        ask(f"{page}/steps/{whose}/{found[2]}?v={table.version}&from=1&after=1")
    yield from lines


@pytest.mark.slow
def test_s02_no_version_tells_others_what_a_sealed_bid_holds(worlds: Worlds) -> None:
    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        others = [player for player in table.seated if player is not secretive]
        table.bid(secretive, **chips)
        table.bid(others[0])
        yield replays(table, others[1], table.api.player("dan"), whole=worlds.whole)

    told_twice(worlds, story)


@pytest.mark.slow
def test_s02_no_version_tells_what_a_replaced_bid_held_also_after_the_opening(worlds: Worlds) -> None:
    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        table.bid(secretive, **chips)
        table.bid(secretive)
        for player in table.seated:
            if player is not secretive:
                table.bid(player)
        others = [player for player in table.seated if player is not secretive]
        yield replays(table, others[0], whole=worlds.whole)

    told_twice(worlds, story)


@pytest.mark.slow
def test_the_twin_law_on_the_replay_would_notice_a_leak(worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> None:
    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        table.bid(secretive, **chips)
        yield replays(table, next(player for player in table.seated if player is not secretive), whole=worlds.whole)

    monkeypatch.setattr("service.store.event_store.stream_reader._visible", lambda *_: True)
    with pytest.raises(AssertionError, match="hears a difference"):
        told_twice(worlds, story)


@pytest.fixture
def game(tables: Tables) -> str:
    game = tables.begin(*NAMES)
    tables.move(game, 0, "hide 2")
    return game


def steps_of(browser: Browser, game: str, **query: str) -> str:
    """Where the page of a reader asks for steps."""
    found = EPOCH.search(browser.get(f"/g/{game}?v=last").html)
    assert found is not None
    return f"/g/{game}{found[0]}"


def at(tables: Tables, name: str) -> Browser:
    return Browser(tables.services, tables.player(name))


def test_a_step_is_kept_by_its_readers_browser_alone(tables: Tables, game: str) -> None:
    browser = at(tables, "ann")
    answer = browser.client.get(f"{steps_of(browser, game)}?v=6&from=5&after=4", headers=browser.headers)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, max-age=86400, immutable"


@pytest.mark.parametrize("other", ["bob", "dan"])
def test_the_epoch_of_one_reader_opens_nothing_to_another(tables: Tables, game: str, other: str) -> None:
    address = steps_of(at(tables, "ann"), game)
    refused = at(tables, other).client.get(f"{address}?v=6&from=5&after=4")
    assert (refused.status_code, refused.json["code"]) == (409, "another-epoch")
    assert refused.headers["Cache-Control"] == "private, no-store"


def test_an_epoch_ends_with_all_that_a_step_could_change_with(tables: Tables, game: str) -> None:
    """A rewind, a name, a language, the end of the game: what was kept before is not asked for any more."""
    browser = at(tables, "ann")
    epochs = [steps_of(browser, game)]
    with tables.services.database.write() as tx:
        takeback.go_back(tables.services, tx, game, tables.ids["ann"])
    epochs.append(steps_of(browser, game))
    tables.change_profile("bob", name="Robert")
    epochs.append(steps_of(browser, game))
    tables.change_profile("ann", language="de")
    epochs.append(steps_of(browser, game))
    tables.play_out(game, 1, late=0)
    epochs.append(steps_of(browser, game))
    assert len(set(epochs)) == len(epochs)
    assert {browser.client.get(f"{old}?v=6&from=5&after=4").status_code for old in epochs[:-1]} == {409}


def test_playing_on_is_no_other_epoch(tables: Tables, game: str) -> None:
    browser = at(tables, "ann")
    before = steps_of(browser, game)
    tables.move(game, 1, "hide 1")
    assert steps_of(browser, game) == before


@pytest.mark.parametrize("query", ["", "?v=6", "?v=99&from=5&after=4", "?v=6&from=0&after=4", "?v=6&from=5&after=6",
                                   "?v=6&from=99&after=4", "?v=x&from=5&after=4", "?v=0&from=5&after=0"])  # fmt: skip
def test_a_step_that_there_is_not_is_a_plain_refusal(tables: Tables, game: str, query: str) -> None:
    browser = at(tables, "ann")
    answer = browser.client.get(f"{steps_of(browser, game)}{query}")
    assert (answer.status_code, answer.json["code"]) == (404, "no-such-version")


def test_strangers_share_the_steps_of_a_public_game(tables: Tables, game: str) -> None:
    """PAGES A5: watched without an account, and kept by anybody."""
    one, other = Browser(tables.services), Browser(tables.services)
    address = steps_of(one, game)
    assert address == steps_of(other, game)
    answer = other.client.get(f"{address}?v=6&from=5&after=4")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "public, max-age=86400, immutable")
    private = tables.begin(*NAMES, public=False, invite=[f"{name}@people.example" for name in NAMES[1:]])
    assert one.client.get(f"/g/{private}?v=1").status_code == 303
    assert one.client.get(f"/g/{private}/steps/mine/{'0' * 24}?v=2&from=1&after=1").status_code == 303
