"""Opening a table by a form: what the API takes, one sentence beside each field, nothing typed is lost."""

import pytest

from tests.service.web.browser import Browser
from tests.workers.worker_tables import ManualClock, WorkerTables

OPEN, EXAMPLE = ("do", "open"), ("do", "example")


@pytest.fixture
def ann(tables):
    return Browser(tables.services, tables.player("ann"))


def form_of(browser, kind="tammany-hall"):
    return browser.get(f"/tables/new?ruleset={kind}").form("/tables/new")


def opened(tables, page):
    assert page.address.startswith("/g/"), page.words
    return tables.head(page.address.removeprefix("/g/")).table


def test_a_game_is_chosen_first(ann):
    assert "/tables/new?ruleset=tammany-hall" in ann.get("/tables/new").links
    assert "Which game will it be?" in ann.get("/tables/new?ruleset=nonsense").words


def test_the_form_as_it_comes_opens_a_usual_table(tables, ann):
    table = opened(tables, ann.send(form_of(ann), OPEN))
    assert (table.ruleset, len(table.chairs), table.public) == ("tammany-hall", 4, True)
    assert (table.options["lock-scope"], table.clock["per_move"]) == ("sealed", "P3D")


def test_everything_that_is_chosen_is_in_the_table(tables, ann):
    page = ann.send(
        form_of(ann), OPEN, seats="5", bots="1", public="no", invite="bob@people.example", pace="lively",
        **{"option-chip-supply": "25"},
    )  # fmt: skip
    table = opened(tables, page)
    assert (len(table.chairs), sum(chair.bot for chair in table.chairs), table.public) == (5, 1, False)
    assert (table.options["chip-supply"], table.clock["per_move"]) == ("25", "P1D")
    assert [notice["recipient"] for notice in tables.notices(kind="invitation")] == ["bob@people.example"]


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
        ({"bots": "4"}, "Leave at least one seat to a person: ask for fewer bots."),
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
    assert {name: kept[name] for name in typed if name in ("invite", "per_move", "pace", "reminders", "bank")} == {
        name: value for name, value in typed.items() if name in ("invite", "per_move", "pace", "reminders", "bank")
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
    tables = WorkerTables(open_services(migrated_sqlite, clock=manual_clock, RATE_LIMITS="on"), manual_clock)
    ann, before = Browser(tables.services, tables.player("ann")), tables.begin("ann", "bob", kind="city-hall")
    for host in ("cyd", "dan", "eve"):
        tables.open(host, invite=["bob@people.example"])
    form = ann.get(f"/tables/new?rematch={before}").form("/tables/new")
    page = ann.send(form, OPEN, again=tables.player("bob"))
    assert "bob@people" not in page.html
    assert "Somebody you ask again has had several invitations today: try again tomorrow." in page.words, page.words
