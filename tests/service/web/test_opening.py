"""Opening a table by a form: what the API takes, one sentence beside each field, nothing typed is lost."""

import re

import pytest

from domain.engine.bots import TEMPERS, Bot
from tests.manual_clock import ManualClock
from tests.service.web.browser import Browser
from tests.tables import Tables

OPEN, EXAMPLE = ("do", "open"), ("do", "example")
KEPT = ("invite", "per_move", "pace", "reminders", "bank", "bot-1", "bot-3")
"""Fields that show what was typed, whatever it was."""


@pytest.fixture
def ann(tables):
    return Browser(tables.services, tables.player("ann"))


def form_of(browser, kind="tammany-hall"):
    return browser.get(f"/tables/new?ruleset={kind}").form("/tables/new")


def opened(tables, page):
    assert page.address.startswith("/g/"), page.words
    return tables.head(page.address.removeprefix("/g/")).table


def bots_of(table):
    return {chair.bot for chair in table.chairs if chair.bot is not None}


def test_a_game_is_chosen_first(ann):
    assert "/tables/new?ruleset=tammany-hall" in ann.get("/tables/new").links
    assert "Which game will it be?" in ann.get("/tables/new?ruleset=nonsense").words


def test_the_form_as_it_comes_opens_a_usual_table(tables, ann):
    table = opened(tables, ann.send(form_of(ann), OPEN))
    assert (table.ruleset, len(table.chairs), table.public) == ("tammany-hall", 4, True)
    assert (table.options["lock-scope"], table.clock["per_move"]) == ("sealed", "P3D")


def test_everything_that_is_chosen_is_in_the_table(tables, ann):
    page = ann.send(
        form_of(ann), OPEN, seats="5", public="no", invite="bob@people.example", pace="lively",
        **{"option-chip-supply": "25", "bot-1": "3", "temper-1": "vindictive", "bot-4": "1"},
    )  # fmt: skip
    table = opened(tables, page)
    assert (len(table.chairs), bots_of(table), table.public) == (5, {Bot(3, "vindictive"), Bot(1)}, False)
    assert (table.options["chip-supply"], table.clock["per_move"]) == ("25", "P1D")
    assert [notice["recipient"] for notice in tables.notices(kind="invitation")] == ["bob@people.example"]


def test_three_things_are_asked_and_all_else_stands_under_more_options(ann):
    before, after = ann.get("/tables/new?ruleset=tammany-hall").html.split('<details class="more"')
    shown = set(re.findall(r' name="([a-z_]+)"', before[before.index("<form method") :]))
    assert shown == {"csrf", "key", "ruleset", "invite", "public", "pace"}
    assert {"name", "seats", "bot-1", "per_move", "option-chip-supply"} <= set(
        re.findall(r' name="([a-z0-9_-]+)"', after)
    )
    assert before.count("you would have until") == 3, "an example date for each pace"
    assert not after.startswith(' id="more" open')
    assert ann.send(form_of(ann), OPEN, seats="9").html.split('<details class="more"')[1].startswith(' id="more" open')


def test_seats_follow_the_people_who_are_invited_unless_a_number_is_chosen(tables, ann):
    for kind, guests, chosen, seats in [
        ("tammany-hall", 0, {}, 4), ("tammany-hall", 1, {}, 3), ("tammany-hall", 2, {}, 3), ("tammany-hall", 3, {}, 4),
        ("tammany-hall", 7, {}, 5), ("tammany-hall", 2, {"bot-1": "1", "bot-2": "1"}, 5),
        ("tammany-hall", 2, {"seats": "5"}, 5), ("tammany-hall", 0, {"bot-1": "1", "bot-2": "1"}, 3),
        ("city-hall", 1, {}, 2),
    ]:  # fmt: skip
        invite = "\n".join(f"p{number}@x.example" for number in range(guests))
        table = opened(tables, ann.send(form_of(ann, kind), OPEN, invite=invite, **chosen))
        assert len(table.chairs) == seats, (kind, guests, chosen)


def test_a_table_is_opened_with_a_name_that_is_checked_as_those_of_people_are(tables, ann):
    page = ann.send(form_of(ann), OPEN, name="  Smoke-filled   room ")
    assert tables.head(page.address.removeprefix("/g/")).name == "Smoke-filled room"
    assert "Smoke-filled room" in page.words
    refused = ann.send(form_of(ann), OPEN, name="The <b>Bowery")
    assert (refused.status, refused.form("/tables/new").fields["name"]) == (422, "The <b>Bowery")
    assert 'id="name-fault"' in refused.html


def test_a_clock_of_one_s_own_is_in_the_table(tables, ann):
    own = {
        "pace": "own", "per_move": "36", "per_move_unit": "hours", "bank": "5", "increment": "2", "weekends": "yes",
        "quiet_hours": "yes", "leave_days": "7", "reminders": "24, 6", "on_timeout": "pause", "grace": "30",
        "strikes": "3",
    }  # fmt: skip
    clock = opened(tables, ann.send(form_of(ann), OPEN, **own)).clock
    assert clock == {
        "per_move": "P1DT12H", "bank": "P5D", "increment": "PT2H", "weekends": "skip", "quiet_hours": True,
        "leave_days": 7, "grace": "PT30M", "reminders": ["P1D", "PT6H"], "on_timeout": "pause", "strikes": 3,
    }  # fmt: skip


def test_what_a_clock_would_mean_is_reckoned_out_and_everything_typed_stays(tables, ann):
    typed = {"pace": "own", "per_move": "5", "weekends": "yes", "invite": "bob@people.example", "seats": "3"}
    page = ann.send(form_of(ann), EXAMPLE, **typed)
    assert "Asked on Fri 07 Mar 18:00, you would have until Fri 14 Mar 18:00." in page.words
    assert "<b>My own</b></p>" in page.html, "whose example this is: another clock may be chosen by now"
    assert "<b>Standard</b></p>" in ann.get("/tables/new?ruleset=tammany-hall").html
    assert typed.items() <= page.form("/tables/new").fields.items()
    assert tables.notices() == []


@pytest.mark.parametrize(
    "typed, said",
    [
        ({"invite": "bob@people.example\nbob(at)x"}, "“bob(at)x” is no mail address: write it as name@example.org."),
        ({"seats": "3", "bot-1": "1", "bot-2": "1", "bot-3": "1"}, "Leave at least one seat to a person: ask for"),
        ({"bot-2": "7", "pace": "lively"}, "Please choose one of these."),
        ({"bot-2": "2", "temper-2": "sunny"}, "Please choose one of these."),
        ({"seats": "9"}, "Tammany Hall is for 3 to 5 players: choose a number in that range."),
        ({"seats": "many"}, "Not a valid integer."),
        ({"pace": "own", "per_move": "some"}, "Write a whole number, in digits."),
        ({"pace": "own", "per_move": "900"}, "A move has at least"),
        ({"pace": "own", "per_move": "0"}, "A move has at least"),
        ({"pace": "own", "bank": "61"}, "A bank has at most 60 days."),
        ({"pace": "own", "increment": "3"}, "It fills the bank again, so it must not be longer than that."),
        ({"pace": "own", "grace": "9000"}, "It must not be longer than the time for a move."),
        ({"pace": "own", "leave_days": "61"}, "Write a number from 0 to 60."),
        ({"pace": "own", "strikes": "0"}, "Write a number from 1 to 10."),
        ({"pace": "own", "reminders": "24, soon"}, "Write whole hours before the deadline, such as “24, 6”."),
        ({"pace": "own", "reminders": "24, 24"}, "“reminders” takes up to five different times."),
        ({"option-chip-supply": "30"}, "Option “chip-supply” is 35 or 25."),
    ],
)
def test_what_is_wrong_stands_beside_it_and_no_table_is_opened(tables, ann, typed, said):
    page = ann.send(form_of(ann), OPEN, **typed)
    assert page.status == 422
    assert said in page.words
    kept = page.form("/tables/new").fields
    assert {name: kept[name] for name in typed if name in KEPT} == {
        name: value for name, value in typed.items() if name in KEPT
    }
    assert "There is no such game." in ann.get("/tables?status=any&mine=yes").words


def test_a_number_that_cannot_be_read_is_the_only_fault_of_the_clock(ann):
    page = ann.send(form_of(ann), OPEN, pace="own", per_move="some")
    assert page.html.count('aria-invalid="true"') == 1
    assert "These values make no clock yet." in page.words


def test_a_form_that_is_sent_twice_opens_one_table(tables, ann):
    form = form_of(ann)
    assert ann.send(form, OPEN).address == ann.send(form, OPEN).address


def test_a_form_that_was_changed_on_the_way_back_opens_another(tables, ann):
    form = form_of(ann)
    assert ann.send(form, OPEN).address != ann.send(form, OPEN, seats="3").address


def test_rate09_too_many_invitations_are_refused_beside_the_addresses(ann):
    page = ann.send(form_of(ann), OPEN, invite="\n".join(f"p{number}@x.example" for number in range(21)))
    assert "Invite at most 20 people." in page.words


def test_a_rematch_asks_the_same_people_for_the_same_game(tables, ann):
    before = tables.sit(
        tables.open("ann", seats=3, kind="tammany-hall", options={"chip-supply": "25"}, clock={"per_move": "P5D"}),
        "bob", "cyd",
    )  # fmt: skip
    page = ann.get(f"/tables/new?rematch={before}")
    assert {"bob", "cyd"} <= set(page.words.split())
    assert "@people.example" not in page.html
    form = page.form("/tables/new")
    assert (form.fields["seats"], form.fields["pace"], form.fields["per_move"]) == ("3", "own", "5")
    table = opened(tables, ann.send(form, OPEN, again=tables.player("bob")))
    assert table.options["chip-supply"] == "25"
    assert [row["recipient"] for row in tables.notices(kind="invitation")] == ["bob@people.example"]


def test_only_who_sat_there_asks_for_a_rematch(tables):
    before = tables.begin()
    eve = Browser(tables.services, tables.player("eve"))
    page = eve.get(f"/tables/new?rematch={before}")
    assert "Which game will it be?" in page.words
    form = form_of(eve)
    form.fields |= {"rematch": before, "again": tables.player("bob")}
    eve.send(form, OPEN)
    assert tables.notices(kind="invitation") == []


def test_nobody_s_address_is_told_by_a_refusal_of_a_rematch(migrated_sqlite, open_services):
    manual_clock = ManualClock()
    tables = Tables(open_services(migrated_sqlite, clock=manual_clock, RATE_LIMITS="on"), manual_clock)
    ann, before = Browser(tables.services, tables.player("ann")), tables.begin("ann", "bob", kind="city-hall")
    for host in ("cyd", "dan", "eve"):
        tables.open(host, invite=["bob@people.example"])
    form = ann.get(f"/tables/new?rematch={before}").form("/tables/new")
    page = ann.send(form, OPEN, again=tables.player("bob"))
    assert "bob@people" not in page.html
    assert "Somebody you ask again has had several invitations today: try again tomorrow." in page.words, page.words


def test_a_table_against_bots_is_two_clicks_away_and_begins_at_once(tables, ann):
    """The game is chosen; the form is filled in; nobody else has to come."""
    link = next(link for link in ann.get("/tables/new?against=bots").links if "ruleset=city-hall" in link)
    table = opened(tables, ann.send(ann.get(link).form("/tables/new"), OPEN))
    assert (table.status, len(table.chairs), bots_of(table), table.public) == (
        "running",
        3,
        {Bot(1), Bot(1, TEMPERS[1])},
        False,
    )
    assert table.clock["per_move"] == "P7D", "nobody is hurried who is new"


@pytest.mark.parametrize("page", ["/tables", "/turns", "/tables/new"])
def test_whoever_would_have_to_wait_for_people_is_offered_bots(ann, page):
    offered = ann.get(page)
    assert any("against=bots" in link for link in offered.links) or "/play" in [form.action for form in offered.forms]


def test_a_choice_of_bots_says_what_each_is_like_and_every_field_has_its_name(ann):
    page = ann.get("/tables/new?ruleset=tammany-hall")
    for said in ("1 · Beginner", "2 · Practised", "3 · Strong", "Goes for whoever is ahead", "Bot 4"):
        assert said in page.words
    assert "Caretaker" not in page.words, "who plays no game is no opponent"
    labels = {attributes["for"] for tag, attributes in page.tags if tag == "label" and "for" in attributes}
    fields = {attributes["id"] for tag, attributes in page.tags if tag == "select" and "id" in attributes}
    assert {f"{kind}-{row}" for kind in ("bot", "temper") for row in range(1, 5)} <= fields <= labels


def test_what_is_wrong_with_a_bot_is_told_at_its_field(ann):
    page = ann.send(form_of(ann), OPEN, **{"bot-2": "7"})
    named = [attributes for tag, attributes in page.tags if tag == "select" and attributes.get("aria-invalid")]
    assert [(field["id"], field["aria-describedby"]) for field in named] == [("bot-2", "bot-2-fault")]


def test_a_rematch_keeps_its_bots_those_of_old_tables_too(tables, ann):
    bots = [Bot(2, "patient"), Bot(0)]
    before = tables.sit(tables.open("ann", kind="tammany-hall", seats=4, bots=bots), "bob")
    form = ann.get(f"/tables/new?rematch={before}").form("/tables/new")
    assert bots_of(opened(tables, ann.send(form, OPEN))) == {*bots}


@pytest.mark.parametrize("bots", ["2", "-1", "9" * 400, "[]", "\0"])
def test_a_form_of_before_that_counts_bots_opens_a_table_without_any(tables, ann, bots):
    assert bots_of(opened(tables, ann.send(form_of(ann), OPEN, bots=bots))) == set()


def test_rate09_one_table_of_bots_too_many_is_refused_beside_the_bots(migrated_sqlite, open_services):
    manual_clock = ManualClock()
    limited = open_services(migrated_sqlite, clock=manual_clock, RATE_LIMITS="on", BOT_TABLES="1")
    tables = Tables(limited, manual_clock)
    ann = Browser(tables.services, tables.player("ann"))
    form = ann.get("/tables/new?ruleset=city-hall&against=bots").form("/tables/new")
    assert ann.send(form, OPEN).address.startswith("/g/")
    page = ann.send(form, OPEN, **{"bot-1": "3"})
    assert page.status == 422
    assert 'id="bots-fault"' in page.html
    assert "At 1 of your tables bots think already, and no more can be" in page.words
    assert page.form("/tables/new").fields["bot-1"] == "3"
