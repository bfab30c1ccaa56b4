"""Standing orders on a page: what rows and lines come to is what the API is given."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from domain.city_hall.proxy.notation import parse_proxies, write_proxies
from domain.tammany_hall.ballot.ballot import OTHERS, Ballot, Exactly, Reserve
from domain.tammany_hall.ballot.notation import parse, write
from domain.tammany_hall.rules.actions import Assign
from domain.tammany_hall.rules.board import ELECTION_ORDER
from service.games import standing_orders
from service.web.orders import ballot, proxies
from tests.domain.tammany_hall.polls import votes
from tests.service.web.browser import Browser

NAMES = ("red", "yellow", "black")
PROXIES = (
    "bid tax up to 4\nkeep tax up to 5\naccept yellow black\nevery round",
    "pass surveyor\nothers bid 2\nkeep others up to 3\nround 4",
    "bid zoning 0\nothers pass",
    "keep health up to 0\naccept black",
)


SENSIBLE = votes(9).filter(lambda vote: vote.chips or not (vote.if_contested or vote.while_winnable))
"""A condition needs chips, else the ballot is refused."""


@given(st.lists(SENSIBLE, max_size=6, unique_by=lambda vote: vote.ward), st.booleans(), st.booleans())
@example([Exactly(6, chips={"irish": 2})], True, False)
@pytest.mark.slow
def test_q_a_ballot_as_rows_and_lines_is_the_same_ballot(bids, pass_slander, end_when_placed):
    """TH-9, TH-12: nothing that can be ordered is lost between the page and the lines."""
    in_order = sorted(bids, key=lambda vote: [*map(str, ELECTION_ORDER), OTHERS].index(str(vote.ward)))
    filed = Ballot(bids=in_order, keep=[Reserve(2, "irish", 14)], assign=Assign({"deputy": 1, "police": 2}))
    filed = structs.replace(filed, pass_slander=pass_slander, end_when_placed=end_when_placed)
    fields, rest = ballot.fields(filed)
    assert parse("\n".join([*ballot.lines(fields, NAMES), write(rest)]), NAMES) == filed


@pytest.mark.parametrize("text", PROXIES)
def test_q_proxies_as_rows_are_the_same_proxies(text):
    """CH-7.6, CH-7.9."""
    filed = parse_proxies(text, NAMES)
    fields, rest = proxies.fields(filed)
    assert write_proxies(rest) == ""
    lines = "\n".join(proxies.lines(fields, NAMES))
    assert sorted(write_proxies(parse_proxies(lines, NAMES)).splitlines()) == sorted(write_proxies(filed).splitlines())
    assert parse_proxies(lines, NAMES).accept == filed.accept


@pytest.fixture
def ward_game(tables):
    return tables.begin("ann", "bob", "cyd", kind="tammany-hall")


@pytest.fixture
def ann(tables, ward_game):
    return Browser(tables.services, tables.ids["ann"])


def standing(tables, game, seat=0):
    return standing_orders.document(tables.head(game), seat)["text"]


FILLED = {"6.how": "up-to", "6.most": "3", "6.colour0": "irish", "6.colour1": "german", "others.how": "none"}


@pytest.mark.slow
def test_q14_a_ballot_is_filed_from_rows_and_lines_and_shown_again(tables, ward_game, ann):
    address = f"/g/{ward_game}/orders"
    page = ann.send(ann.get(address).form(address), ("do", "file"), rest="bonus others pass", **FILLED)
    assert "filed and sealed" in page.words
    assert standing(tables, ward_game) == "term 1\nward 6 up to 3 irish german\nothers bid none\nbonus others pass"
    again = ann.get(address).form(address).fields
    assert {name: again[name] for name in FILLED} == FILLED
    assert again["rest"] == "term 1\nbonus others pass"
    gone = ann.send(ann.get(address).form(address), ("do", "withdraw"))
    assert "withdrawn" in gone.words
    assert standing(tables, ward_game) == ""


@pytest.mark.slow
def test_q_trying_says_what_would_be_filed_and_files_nothing(tables, ward_game, ann):
    address = f"/g/{ward_game}/orders"
    page = ann.send(ann.get(address).form(address), ("do", "try"), **FILLED)
    assert "ward 6 up to 3 irish german others bid none" in page.words
    assert "Nothing is filed yet" in page.words
    assert page.form(address).fields["6.most"] == "3"
    assert standing(tables, ward_game) == ""


BAD = (
    ({"6.how": "up-to", "6.most": "x", "6.colour0": "irish"}, "ward 6 up to x irish"),
    ({"6.how": "up-to", "6.most": "3"}, "Fill in how many chips at most, and which first."),
    ({"6.how": "up-to"}, "Fill in how many chips at most, and which first."),
    ({"6.how": "exactly", "6.irish": "-1"}, "ward 6 bid irish -1"),
    ({"rest": "bonus 3 pass"}, "Winning ward 3 brings no bonus"),
    ({"rest": "<script>alert(1)</script>"}, "<script>alert(1)</script>"),
    ({"6.how": "exactly", "6.irish": "50"}, "favor chips of each colour"),
    ({}, "Write at least one line"),
)


@pytest.mark.slow
@pytest.mark.parametrize("filled, said", BAD)
@pytest.mark.parametrize("act", ["try", "file"])
def test_bad_orders_come_back_with_the_sentence_and_everything_typed(tables, ward_game, ann, filled, said, act):
    address = f"/g/{ward_game}/orders"
    page = ann.send(ann.get(address).form(address), ("do", act), **filled)
    assert page.status == 422
    assert said in page.words
    fields = page.form(address).fields
    assert {name: fields[name] for name in filled} == filled
    assert "<script>" not in page.html
    assert standing(tables, ward_game) == ""


def test_orders_written_before_the_game_moved_on_are_kept_and_not_filed(tables, ward_game, ann):
    address = f"/g/{ward_game}/orders"
    form = ann.get(address).form(address)
    tables.play_on(ward_game)
    page = ann.send(form, ("do", "file"), **FILLED)
    assert "moved on" in page.words
    assert page.form(address).fields["6.most"] == "3"
    assert standing(tables, ward_game) == ""
    assert "filed and sealed" in ann.send(page.form(address), ("do", "file")).words


def test_s11_orders_are_for_those_who_sit_there(tables, ward_game):
    tables.player("dora")
    page = Browser(tables.services, tables.ids["dora"]).get(f"/g/{ward_game}/orders")
    assert page.status == 403


@pytest.mark.slow
def test_q14_no_page_of_another_says_what_was_ordered(tables, ward_game, ann):
    address = f"/g/{ward_game}/orders"
    ann.send(ann.get(address).form(address), ("do", "file"), **FILLED)
    bob = Browser(tables.services, tables.ids["bob"]).get(address)
    assert "6.colour0" in bob.form(address).fields
    assert "".join(bob.form(address).fields[name] for name in FILLED) == ""


@pytest.mark.parametrize("how", ["up-to", "exactly"])
def test_a_proxy_without_an_amount_is_asked_for_it_and_is_no_bid_of_nothing(tables, how):
    """CH-16.1."""
    game = tables.begin("ann", "bob", kind="city-hall")
    ann = Browser(tables.services, tables.ids["ann"])
    address = f"/g/{game}/orders"
    page = ann.send(ann.get(address).form(address), ("do", "file"), **{"tax.how": how})
    assert page.status == 422
    assert "Fill in how much Influence." in page.words
    assert page.form(address).fields["tax.how"] == how
    assert standing(tables, game) == ""


def test_proxies_are_filed_from_rows(tables):
    game = tables.begin("ann", "bob", kind="city-hall")
    ann = Browser(tables.services, tables.ids["ann"])
    address = f"/g/{game}/orders"
    filled = {"tax.how": "up-to", "tax.influence": "4", "tax.keep": "5", "accept0": "1", "when": "every"}
    assert "filed and sealed" in ann.send(ann.get(address).form(address), ("do", "file"), **filled).words
    assert standing(tables, game) == "bid tax up to 4\nkeep tax up to 5\naccept blue\nevery round"
    assert {name: ann.get(address).form(address).fields[name] for name in filled} == filled
