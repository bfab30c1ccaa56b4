"""The twin law on the page of a game (S-02, S-03, S-06): two games that differ in what a seat may not see have the same
pages for it, byte by byte: what is shown, attributes, drafts, refusals."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import pytest

from domain.engine.draws import Dice
from domain.table import play
from tests.service.api.table import ApiTable, Player
from tests.service.api.test_secrecy import Chips, Heard, alike, draws, seated, settling, told_twice
from tests.service.api.twins import TEXTS, Line, renamed, worlds
from tests.service.web.browser import Browser

__all__ = ["worlds"]
T = TypeVar("T")
PLACES = ("ward-1", "garden", "land-Q1")
PICKS = ("place", "slander yellow", "bid", "=end")
BIDS = ({"amount-german": "99"}, {"amount-irish": "1"}, {})


def looked_at(table: ApiTable, *eyes: Player, whole: bool = False) -> Heard:
    """Return the pages of the game that these get at this moment: each path once; if `whole`, with every query."""
    return {who.name: _Eye(table, who, whole).all() for who in eyes}


class _Eye:
    """All pages of a game for somebody; nothing of it changes anything."""

    def __init__(self, table: ApiTable, who: Player, whole: bool) -> None:
        self.whole = whole
        self.browser = Browser(table.api.services, who.id, app=table.api.app)
        self.table, self.page, self.version = table, f"/g/{table.id}", table.version
        self.ward = (table.position()["state"].get("bidding") or {}).get("ward", 1)  # everybody knows what is bid for
        self.lines: list[Line] = []
        self.fields = next((form.fields for form in self.browser.get(self.page).forms if "csrf" in form.fields), {})

    def all(self) -> list[Line]:
        before = self.table.api.kept()
        for query in ("", *self.some([f"?done={version}" for version in range(self.version - 1, self.version + 2)])):
            self.ask("GET", f"{self.page}{query}")
        self.ask("GET", f"{self.page}/text")
        self.ask("GET", f"{self.page}/story")
        self.ask("GET", f"{self.page}/check")
        for after in ("statistics", "statistics.json", "statistics/points.svg", "statistics/bids.csv"):
            self.ask("GET", f"{self.page}/{after}")
        self.ask("GET", f"{self.page}/news?after=0")
        about = ("/turns", "/me/games", f"/p/{self.table.seated[0].id}", f"/tables/new?rematch={self.table.id}")
        for beside in (f"{self.page}/orders", "/tables?status=any", *about):
            self.ask("GET", beside)
        for shared in ("map.svg", *self.some((f"map.svg?v={self.version}",))):
            self.ask("GET", f"{self.page}/{shared}")
        self.ask("GET", "/games")
        self.drafts()
        self.refused()
        assert self.table.api.kept() == before
        return renamed(self.lines)

    def some(self, things: Sequence[T]) -> Sequence[T]:
        """Return all of these, or the first alone."""
        return things if self.whole else things[:1]

    def drafts(self) -> None:
        for text in self.some(("bid none\nbid none", "", *TEXTS[::8], "end\nend")):
            self.post("draft", text=text)
        for words in self.some(PICKS):
            self.post("draft", pick=words)
        for place in self.some(PLACES):
            self.post("draft", at=place)
        for filled in self.some(BIDS):
            self.post("draft", compose=f"bid ward {self.ward}", **filled)
        self.post("draft", text="bid none\nend", drop="1")

    def refused(self) -> None:
        for version in self.some((1, self.version // 2, self.version + 1)):
            self.post("moves", text="bid none", version=str(version))
        for text in self.some(("bid english 99", "resign", "end\nend", "bid ward 4 none")):
            self.post("moves", text=text)
        self.post("moves", compose=f"bid ward {self.ward}", **{"amount-irish": "99"})
        self.post("vote", what="rewind", answer="agree")
        self.post("clock", propose="resume")
        for act in self.some(("try", "file")):
            self.post("orders", do=act, **{"version": "1", "4.how": "exactly", "4.irish": "99"})

    def post(self, to: str, **fields: str) -> None:
        self.ask("POST", f"{self.page}/{to}", **{"version": str(self.version), **fields})

    def ask(self, method: str, path: str, **fields: str) -> None:
        data = {"csrf": self.fields.get("csrf", ""), "key": "k", **fields} if method == "POST" else None
        ours = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}
        answer = self.browser.client.open(path, method=method, data=data, headers={**self.browser.headers, **ours})
        self.lines.append((f"{method} {path} {fields}", answer.status_code, tuple(sorted(answer.headers)), answer.text))


@pytest.mark.slow
@pytest.mark.parametrize("option", ["replaceable", "final"])
def test_s02_no_page_tells_others_what_a_sealed_bid_holds(worlds, option):
    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        others = [one for one in table.seated if one is not secretive]
        table.bid(secretive, **chips)
        table.bid(others[0])
        watching = secretive if option == "final" else table.api.player("dan")
        yield looked_at(table, others[1], watching, whole=worlds.whole)

    told_twice(worlds, story, **{"sealed-bid": option})


@pytest.mark.slow
def test_s02_no_page_tells_what_a_replaced_bid_held_also_after_the_opening(worlds):
    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        table.bid(secretive, **chips)
        table.bid(secretive)
        for one in table.seated:
            if one is not secretive:
                table.bid(one)
        yield looked_at(table, _others(table, secretive)[0], whole=worlds.whole)

    told_twice(worlds, story)


@pytest.mark.slow
def test_q14_no_page_tells_others_what_a_ballot_holds(worlds):
    """Filed before what it is about is asked, and followed at once where that is asked now."""

    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        ballot = "others up to 2 irish german\npass slander" if chips else "others bid none"
        table.api.send("PUT", f"{table.path}/orders", secretive, json={"text": ballot}).ok()
        yield looked_at(table, _others(table, secretive)[0], table.api.player("dan"), whole=worlds.whole)

    told_twice(worlds, story)


@pytest.mark.slow
def test_s02_no_page_tells_of_a_draw_that_is_still_to_come(worlds, monkeypatch):
    """Two games whose next draw comes out differently, with the same past."""
    made = 3  # the first player, zone 1 and the first Castle Garden

    def otherwise(key: bytes, index: int) -> Dice:
        return Dice(key[::-1] if index >= made else key, index)

    stories = []
    for dice in (Dice, otherwise):
        monkeypatch.setattr(play, "Dice", dice)
        with worlds.one() as api:
            table = seated(api)
            while sum(table.position()["state"]["garden"].values()) > 1:
                table.move(table.awaited, settling(table), "end")
            assert draws(table) == made
            stories.append(looked_at(table, table.awaited, api.player("dan"), whole=worlds.whole))
    alike(*stories)


@pytest.mark.slow
def test_ch_14_7_no_page_tells_others_which_permit_a_rival_returned(worlds):
    stories: list[Heard] = []
    for returned in ("tower", "factory"):
        with worlds.one() as api:
            table = api.begin(*api.players("ann bob cyd"), ruleset="city-hall")
            api.player("dan")
            while not table.legal(table.awaited)[0].startswith("build"):
                table.move(table.awaited, table.legal(table.awaited)[0])
            secretive = table.awaited
            land = table.legal(secretive)[0].split()[2]
            table.move(secretive, f"build housing {land} return {returned}")
            stories.append(looked_at(table, secretive, _others(table, secretive)[0], whole=worlds.whole))
    alike(*stories, secretive)


@pytest.mark.slow
def test_the_twin_law_on_pages_would_notice_a_leak(worlds, monkeypatch):
    """Calibration: with a view that keeps every bid, pages tell on it."""

    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        table.bid(secretive, **chips)
        yield looked_at(table, *_others(table, secretive)[:1], whole=worlds.whole)

    monkeypatch.setattr("service.store.event_store.stream_reader._visible", lambda *_: True)
    with pytest.raises(AssertionError, match="hears a difference"):
        told_twice(worlds, story)


def _others(table: ApiTable, player: Player) -> Sequence[Player]:
    return [other for other in table.seated if other is not player]
