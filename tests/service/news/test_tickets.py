"""A ticket opens the games it names, for its time, and nothing can be made of it."""

import pytest

from service.news.tickets import LIFE, SPREAD, BadTicket, issue, read, ticket_key

KEY = ticket_key("a master key of enough characters")
NOW = 1_800_000_000.0


def test_a_ticket_names_its_games_and_its_end():
    ticket = read(KEY, issue(KEY, ["abc", "xyz"], NOW), NOW)
    assert ticket.games == {"abc", "xyz"}
    assert NOW + LIFE - 1 <= ticket.until <= NOW + LIFE + SPREAD


def test_a_ticket_ends():
    ticket = issue(KEY, ["abc"], NOW)
    assert read(KEY, ticket, NOW + LIFE - 1)
    with pytest.raises(BadTicket, match="too old"):
        read(KEY, ticket, NOW + LIFE + SPREAD + 1)


def test_a_ticket_with_any_sign_changed_is_none():
    good = issue(KEY, ["abc"], NOW)
    for place, sign in enumerate(good):
        for other in "a0.~-":
            forged = good[:place] + other + good[place + 1 :]
            if other != sign:
                with pytest.raises(BadTicket):
                    read(KEY, forged, NOW)


@pytest.mark.parametrize("text", ["", ".", "..", "abc", "é", "\0", "x" * 5000, "-1.abc.", "zz.abc.zz", "1.abc.AAAA"])
def test_what_is_no_ticket_is_none(text):
    with pytest.raises(BadTicket):
        read(KEY, text, NOW)


def test_another_key_signs_other_tickets_and_is_not_the_master_key():
    with pytest.raises(BadTicket):
        read(ticket_key("another master key, long enough"), issue(KEY, ["abc"], NOW), NOW)
    assert ticket_key("k") != b"k"
