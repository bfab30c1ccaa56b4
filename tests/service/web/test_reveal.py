"""Elections and auctions on the page of a game: tables of what was opened, for whoever sealed first or last."""

import re
from types import SimpleNamespace

from domain.city_hall import CITY_HALL
from domain.tammany_hall import TAMMANY_HALL
from service.games.game_story import Line
from service.languages import words
from service.web.game.recent import Recent, Step, contests_of
from tests.domain.city_hall import scenario as city
from tests.domain.tammany_hall import scenario as ward
from tests.service.web.browser import Browser
from tests.service.web.test_positions import environment
from tests.tables import Tables

NAMES = ("ann", "ben", "cat")
CARD = re.compile(r'<section class="reveal.*?</section>', re.DOTALL)


def card(html: str) -> str:
    """What the card of a page says, "" if it is hidden; pieces by their symbols."""
    found = CARD.search(html)
    assert found is not None
    if "hidden>" in found[0].partition("<h2")[0]:
        return ""
    said = re.sub(r'<use href="#s-([a-z]+)"/>', r"<b>[\1]", found[0])
    return " ".join(re.sub(r"<[^>]*>", " ", re.sub(r'<span class="unseen">.*?</span>', "", said)).split())


def page_of(rules, played, seat, *, after=0, undone=None, language="en") -> str:
    """The card of all facts of a scenario after one of them, as HTML for a seat; the facts may be taken back."""
    people = [SimpleNamespace(pawn=f"pawn{number}", mark=name[0], name=name) for number, name in enumerate(NAMES)]
    lines = [Line(version, event, "", undone) for version, event in enumerate(played.facts, 1)]
    view = SimpleNamespace(
        words=words(language, rules.kind), seat=seat, names=NAMES, last_move=after, head=SimpleNamespace(rules=rules),
        news=lines,
    )  # fmt: skip
    return (
        environment(language)
        .get_template("game/reveal.html")
        .render(
            view=view,
            board=SimpleNamespace(drawn=SimpleNamespace(people=people)),
            contests=contests_of(view, Recent([Step(1, "")], [])),
            tray=None,
        )
    )


def shown(rules, played, seat, **more) -> str:
    """What the card says."""
    return card(page_of(rules, played, seat, **more))


def election(ward_6: str, *bids: tuple[str, str], year: int = 4):
    """The election of ward 6 with chips of red and yellow."""
    chips = {"red": "2 irish 2 english", "yellow": "2 english 3 italian"}
    played = ward.given(ward.position(3, year=year, phase="election", wards={6: ward_6}, chips=chips))
    for pawn, line in bids:
        played = played.when(pawn, line)
    return played


def auction(*lines: tuple[str, str], influence: int = 3):
    """An auction for the Tax Assessor, which Ann activates."""
    played = city.given(city.position(3, influence=influence)).when("ann", "activate tax")
    for name, line in lines:
        played = played.when(name, line)
    return played


WON = (("red", "bid english 2 irish 2"), ("yellow", "bid none"))
CASES = [
    ("won with chips to spare", TAMMANY_HALL, election("1 irish 1 english | red 2 yellow 3", *WON), 0, [
        "You win ward 6 by 3 votes", "ann [boss] [boss] [chip] [chip] [chip] [chip] [slander] 6",
        "ben [boss] [boss] [boss] no chips [slander] 3",
        "You paid [chip] [chip] [chip] [chip] 2 would have been enough.",
        "You get 1 VP. Leaving [boss] [boss] [boss] [boss] One boss stays.", "You are mayor", "ward 6; mayor +3 4",
    ]),
    ("lost", TAMMANY_HALL, election("1 irish 1 english | red 2 yellow 3", *WON), 1, [
        "ann wins ward 6 by 3 votes", "You paid no chips. 4 more would have won.", "ann gets 1 VP.",
    ]),
    ("watched", TAMMANY_HALL, election("1 irish 1 english | red 2 yellow 3", *WON), None, [
        "ann wins ward 6 by 3 votes", "ann gets 1 VP.", "ann is mayor", "cat no ward 0",
    ]),
    ("a tie", TAMMANY_HALL, election(
        "1 irish 1 english | red 2 yellow 3", ("red", "bid english 1"), ("yellow", "bid none")
    ), 0, [
        "Ward 6: a tie, nobody wins", "You paid [chip] 1 more would have won.",
        "Leaving [boss] [boss] [boss] [boss] [boss] All bosses leave.",
    ]),
    ("no bidder", TAMMANY_HALL, election("1 german | red 2 yellow 3"), 0, [
        "ben wins ward 6 by 1 vote", "ann [boss] [boss] cannot bid 2", "ben gets 1 VP.",
    ]),
    ("a locked ward", TAMMANY_HALL, election("1 irish 1 english | red 2 yellow 3 | locked", *WON), 0, [
        "You win ward 6 by 3 votes",
    ]),
    ("kept", CITY_HALL, auction(("ben", "bid 2"), ("cat", "pass"), ("ann", "keep")), 0, [
        "You control the Tax Assessor", "ben [influence] [influence] 2", "cat passes", "ann keeps the Office",
        "You pay [influence] [influence] to the bank.",
    ]),
    ("accepted", CITY_HALL, auction(("ben", "bid 2"), ("cat", "pass"), ("ann", "accept ben")), 2, [
        "ben controls the Tax Assessor", "ann accepts the bid of ben", "ben pays [influence] [influence] to ann.",
    ]),
]  # fmt: skip
ABSENT = {"no bidder": ["You paid", "bids are open"], "watched": ["You paid"]}


def test_th_9_10_ch_7_9_a_decided_contest_is_a_table():
    """TH-9.12: pieces, votes, margin, price, what would have been enough, who leaves. TH-7.12: a lock changes none."""
    for case, rules, played, seat, expected in CASES:
        text = shown(rules, played, seat)
        assert [part for part in expected if part not in text] == [], (case, text)
        assert [part for part in ABSENT.get(case, []) if part in text] == [], (case, text)
    alone, passed = election("1 irish | red 2"), auction(("ben", "pass"), ("cat", "pass"))
    assert "ard 6 " not in shown(TAMMANY_HALL, alone, 0).replace("ann ward 6", ""), "nobody stood against red"
    assert shown(CITY_HALL, passed, 0) == "", "nobody bid"
    for rules, played in ((TAMMANY_HALL, CASES[0][2]), (CITY_HALL, CASES[-1][2])):
        last = rules.presentation.contests(list(enumerate(played.facts, 1)), 0, 0, NAMES)[-1].version
        assert shown(rules, played, 0, after=last - 1), "it was decided after the reader's last move"
        assert shown(rules, played, 0, after=last) == ""
        assert shown(rules, played, 0, undone=99) == "", "what was taken back is no news"


def test_one_contest_is_unfolded_rather_ones_own_rather_one_with_sealed_bids():
    for seat, expected in ((0, "You win ward 6"), (2, "ann is mayor"), (None, "ann wins ward 6")):
        unfolded = re.findall(r"<details[^>]* open><summary><span>(.*?)</span>", page_of(*CASES[0][1:3], seat))
        assert len(unfolded) == 1, seat
        assert unfolded[0].startswith(expected), seat


def bidding(tables: Tables) -> tuple[str, int, int]:
    """A game in which two seats owe a bid, and these seats."""
    game = tables.begin(*NAMES, kind="tammany-hall")
    number = 0
    while len(tables.awaited(game)) < 2:
        tables.play_on(game, number)
        number += 1
    return game, *tables.awaited(game)[:2]


def test_th_9_10_who_seals_first_or_last_sees_the_bids_opened_until_their_next_move(tables):
    """U-1, S-02: nobody sees a table before the last bid is in; then whoever bid does, and so do strangers."""
    game, *seats = bidding(tables)
    browsers = [Browser(tables.services, tables.ids[NAMES[seat]]) for seat in seats]
    readers = {Browser(tables.services): None, **dict(zip(browsers, seats, strict=True))}
    number = tables.events(game, "tammany-hall.bidding-opened")[-1]["data"]["ward"]
    asked, told = tables.awaited(game), re.compile(rf"\b[Ww]ard {number}\b")
    for seat in asked:
        assert [browser for browser in readers if told.search(card(browser.get(f"/g/{game}").html))] == []
        tables.move(game, seat, "bid none")
    opened = tables.events(game, "tammany-hall.bids-revealed")[-1]
    votes = [str(count) for count in opened["data"]["votes"].values()]
    for browser, reader in readers.items():
        text = card(browser.get(f"/g/{game}").html)
        assert told.search(text), reader
        assert all(count in text for count in votes), text
        assert ("You paid no chips." in text) == (reader in asked), text
        replay = [browser.get(f"/g/{game}?v={version}").html for version in (opened["version"] - 1, opened["version"])]
        assert [bool(told.search(html.partition('class="reveal"')[2])) for html in replay] == [False, True], reader
    assert 'href="#reveal"' in browsers[-1].get(f"/g/{game}").html


def test_u1_news_begin_at_ones_own_last_decision_and_have_what_followed_from_it(tables):
    """The last to end a turn of year 4 sees the election begin, which the same request recorded."""
    game = tables.begin(*NAMES, kind="tammany-hall")
    host = Browser(tables.services, tables.ids["ann"]).get(f"/g/{game}").html
    assert "A table for" not in host.partition('id="recent"')[2].partition("</section>")[0], "who opened it knows that"
    number = 0
    while tables.phase(game) not in ("bid", "bonus"):
        tables.play_on(game, number)
        number += 1
    began = tables.events(game, "tammany-hall.garden-returned")[-1]
    ended = tables.events(game)[began["version"] - 2]
    assert (ended["type"], ended["cause"]) == ("tammany-hall.turn-ended", began["cause"])
    html = Browser(tables.services, tables.ids[NAMES[ended["actor"]["seat"]]]).get(f"/g/{game}").html
    recent = html.partition('id="recent"')[2].partition("</section>")[0]
    assert "The election begins." in recent
    assert " ends the turn" not in recent
    assert f"?v={ended['version']}-" in recent, "and step by step on the board"


def test_ch_7_9_an_auction_is_a_table_for_who_bid_before_it_was_decided_and_in_the_replay(tables):
    game = tables.begin(*NAMES, kind="city-hall")
    number = 0
    while not (kept := tables.events(game, "city-hall.office-kept") + tables.events(game, "city-hall.bid-accepted")):
        tables.play_on(game, number)
        number += 1
    version = kept[0]["version"]
    bids = [event for event in tables.events(game, "city-hall.bid-made") if event["version"] < version]
    bidder = Browser(tables.services, tables.ids[NAMES[bids[-1]["actor"]["seat"]]])
    text = card(bidder.get(f"/g/{game}").html)
    bid = bids[-1]["data"]["influence"]
    drawn = "[influence] " * bid if bid <= 4 else f"[influence] {bid} "
    assert f"{NAMES[bids[-1]['actor']['seat']]} {drawn}{bid}" in text, text
    assert "the Office" in text or "accepts the bid of" in text
    assert 'class="ballot"' in Browser(tables.services).get(f"/g/{game}?v={version + 1}").html
