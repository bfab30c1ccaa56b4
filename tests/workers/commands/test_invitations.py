"""Invitations by mail: how many go out, how a guest declines, and what the letter and the answer to it tell."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
import sqlalchemy as sa

from domain.engine.refusals import RuleViolation
from service.container import Services
from service.mail import unsubscribes
from service.mail.invitations import ANYBODY, MOST_BY_A_HOST, MOST_TO_AN_ADDRESS
from service.store.people.players import players
from tests.apps import app_of
from tests.letters import html_of, parsed, reply_address, text_of
from tests.manual_clock import ManualClock
from tests.tables import SETTINGS, Tables
from tests.workers.mail_tables import mail_tables

__all__ = ["mail_tables"]
ZED = "zed@people.example"
TAMMANY: dict[str, Any] = {"kind": "tammany-hall", "seats": 4, "bots": 1, "clock": {"per_move": "P1DT12H"}}


@pytest.fixture
def limited(migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    return Tables(open_services(migrated_sqlite, clock=manual_clock, **SETTINGS, RATE_LIMITS="on"), manual_clock)


def invites(mail_tables: Tables, *addresses: str, host: str = "ann", **terms: Any) -> str:
    game = mail_tables.open(host, invite=addresses, **terms)
    mail_tables.exchange()
    return game


def invitations_to(mail_tables: Tables, name: str = "zed") -> int:
    return sum(letter.message_id.startswith("<invitation") for letter in mail_tables.letters_to(name))


# How many go out


def test_rate_09_a_host_invites_twenty_people_a_day_at_all_tables(limited: Tables) -> None:
    def people(tag: str, count: int) -> list[str]:
        return [f"{tag}{number}@friends.example" for number in range(count)]

    invites(limited, *people("a", 12))
    limited.advance(hours=23)
    invites(limited, *people("b", 8))
    before = len(limited.notices())
    with pytest.raises(RuleViolation) as refused:
        invites(limited, "c@friends.example")
    assert refused.value.code == "too-many-invitations"
    assert len(limited.notices()) == before
    invites(limited, "c@friends.example", host="bob")
    invites(limited)
    limited.advance(hours=1)
    invites(limited, *people("d", 12))
    assert MOST_BY_A_HOST == 20


def test_rate_09_an_address_gets_three_invitations_a_day_from_everybody(limited: Tables) -> None:
    for host in ("ann", "bob", "cyd"):
        invites(limited, ZED, host=host)
    with pytest.raises(RuleViolation, match=r"zed@people\.example has had 3 invitations") as refused:
        invites(limited, "yve@people.example", "ZED@people.example", host="dan")
    assert refused.value.code == "too-many-invitations"
    assert invitations_to(limited, "yve") == 0
    limited.advance(days=1)
    invites(limited, ZED, host="dan")
    assert invitations_to(limited) == MOST_TO_AN_ADDRESS + 1


def test_rate_limits_off_lift_both_caps(mail_tables: Tables) -> None:
    for _ in range(MOST_TO_AN_ADDRESS + 1):
        invites(mail_tables, ZED, *(f"{number}@friends.example" for number in range(9)))
    assert invitations_to(mail_tables) == MOST_TO_AN_ADDRESS + 1


# Declining


def declining(mail_tables: Tables, text: str, **more: Any) -> int:
    number = mail_tables.reply("zed", text, **more)
    mail_tables.exchange()
    return number


@pytest.mark.parametrize("word", ["no", "No thanks, not this time.", "nein", "Non merci"])
def test_in_10d_no_declines_this_invitation_and_blocks_nobody(mail_tables: Tables, word: str) -> None:
    invites(mail_tables, ZED, public=False)
    letter = mail_tables.newest_letter("zed")
    number = declining(mail_tables, word)
    assert (mail_tables.mail_state(number), len(mail_tables.letters_to("zed"))) == ("applied", 1), "it is not answered"
    mail_tables.advance(minutes=1)
    invites(mail_tables, ZED)
    invites(mail_tables, ZED, host="bob")
    assert invitations_to(mail_tables) == 3
    number = declining(mail_tables, "join Zed", to=letter)
    assert mail_tables.mail_state(number) == "rejected", "the private table is closed to them again"


@pytest.mark.parametrize("word", ["stop", "unsubscribe", "STOP", "Arrêter"])
def test_out_17_stop_and_unsubscribe_end_the_invitations_of_everybody(mail_tables: Tables, word: str) -> None:
    invites(mail_tables, ZED)
    declining(mail_tables, word)
    invites(mail_tables, ZED)
    invites(mail_tables, ZED, host="bob")
    assert invitations_to(mail_tables) == len(mail_tables.letters_to("zed")) == 1


def test_a_guest_can_decline_in_the_subject(mail_tables: Tables) -> None:
    invites(mail_tables, ZED)
    letter = mail_tables.newest_letter("zed")
    raw = mail_tables.write_reply("zed", "", quote=False).replace(b"Subject: Re: ", b"Subject: Unsubscribe\r\nX-Was: ")
    number = mail_tables.accept_mail(raw, letter, sender=ZED)
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "applied"
    invites(mail_tables, ZED, host="bob")
    assert invitations_to(mail_tables) == 1


def test_what_waits_to_be_sent_is_not_sent_after_a_guest_declined(mail_tables: Tables) -> None:
    invites(mail_tables, ZED)
    waiting = mail_tables.open("bob", invite=[ZED])
    mail_tables.reply("zed", "stop")
    mail_tables.read_inbox()
    mail_tables.deliver()
    assert invitations_to(mail_tables) == 1
    assert mail_tables.states(game_id=waiting) == {"superseded": 1}


def test_in_36_a_stranger_declines_nothing_with_the_answering_address(mail_tables: Tables) -> None:
    invites(mail_tables, ZED)
    for more in ({"address": "mallory@elsewhere.example"}, {"verdict": "fail"}):
        assert (
            mail_tables.mail_state(
                declining(mail_tables, "no", to=mail_tables.newest_letter("zed", "invitation"), **more)
            )
            == "held"
        )
    invites(mail_tables, ZED)
    assert invitations_to(mail_tables) == 2


def test_who_sits_there_already_declines_nothing(mail_tables: Tables) -> None:
    invites(mail_tables, ZED)
    letter = mail_tables.newest_letter("zed")
    declining(mail_tables, "join Zed")
    assert mail_tables.mail_state(declining(mail_tables, "no", to=letter)) == "rejected"


PLAIN = (
    "yes", "Yes please!", "Hi Ann,\n\nsure, I'd love to play.\n\nCheers\nZed", "Great, I'm in!",
    "No problem, I'd love to",
    "oui, avec plaisir", "Volontiers !", "ja, gern", "Danke für die Einladung, ich bin dabei!", "join",
)  # fmt: skip
DOUBTFUL = ("Yes, but when do we start?", "maybe", "Ja, wenn es nicht zu lang ist", "oui, mais seulement en soirée")


def test_in_10d_plain_consent_joins_and_doubtful_consent_is_asked_back(mail_tables: Tables) -> None:
    faults = []
    for text in (*PLAIN, *DOUBTFUL, "Who are you?"):
        game = mail_tables.open("ann", invite=[ZED])
        mail_tables.exchange()
        declining(mail_tables, text)
        free = [chair.player for chair in mail_tables.head(game).table.chairs].count(None)
        asked = "Shall I seat you" in mail_tables.newest_text("zed")
        if (free == 1, asked) != (text in PLAIN, text in DOUBTFUL):
            faults.append(f"{text}: {free} free, asked {asked}")
        if asked:
            declining(mail_tables, "yes")
            faults += [] if mail_tables.newest_text("zed").startswith("You have a seat") else [f"{text}: not seated"]
    assert not faults, "\n".join(faults)
    with mail_tables.services.database.read() as connection:
        assert connection.execute(sa.select(players.c.name).where(players.c.email == ZED)).scalar_one() == "Zed"


def test_an_address_without_invitations_can_still_become_a_player(mail_tables: Tables) -> None:
    """No suppression: a code for signing up arrives, and a public table can be joined."""
    game = invites(mail_tables, ZED)
    declining(mail_tables, "stop")
    mail_tables.sit(game, "zed")
    mail_tables.request_code("zed")
    mail_tables.exchange()
    assert mail_tables.newest_letter("zed").message_id.startswith("<code")


def test_out_15_an_invitation_can_be_left_by_mail_and_at_one_click(mail_tables: Tables) -> None:
    invites(mail_tables, ZED)
    message = parsed(mail_tables.newest_letter("zed"))
    click, mail = (one.strip(" <>") for one in str(message["List-Unsubscribe"]).split(","))
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert click in mail_tables.newest_text("zed")
    number = mail_tables.accept_mail(
        b"From: x@y.example\r\nSubject: x\r\n\r\n", mail.removeprefix("mailto:"), sender="x@y.example"
    )
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "applied"
    invites(mail_tables, ZED, host="bob")
    assert invitations_to(mail_tables) == 1


def test_out_16_the_page_of_a_guest_stops_invitations_and_lets_them_come_again(mail_tables: Tables) -> None:
    invites(mail_tables, ZED)
    page = f"/u/{unsubscribes.token(mail_tables.services, ZED, ANYBODY)}"
    visitor = app_of(mail_tables.services).test_client()
    assert "Stop all invitations to your address, whoever sends them?" in visitor.get(page).text
    invites(mail_tables, ZED)
    assert invitations_to(mail_tables) == 2, "looking at it changes nothing"
    assert "No more invitations are sent" in visitor.post(page, data={"List-Unsubscribe": "One-Click"}).text
    invites(mail_tables, ZED)
    assert invitations_to(mail_tables) == 2
    assert "You can be invited again." in visitor.post(page, data={"action": "resume"}).text
    invites(mail_tables, ZED)
    assert invitations_to(mail_tables) == 3


@pytest.mark.parametrize(
    "language, told", [("de", "Keine Einladungen mehr an deine Adresse"), ("fr", "Ne plus recevoir d'invitations")]
)
def test_out_37_a_guest_reads_that_page_in_the_language_of_the_browser(
    mail_tables: Tables, language: str, told: str
) -> None:
    page = f"/u/{unsubscribes.token(mail_tables.services, ZED, ANYBODY)}"
    shown = app_of(mail_tables.services).test_client().get(page, headers={"Accept-Language": language}).text
    assert told in unescape(shown)
    assert f'<html lang="{language}">' in shown


@pytest.mark.parametrize(
    "language, told", [("de", "Keine Mails mehr zu diesem Spiel?"), ("fr", "les courriels de cette")]
)
def test_out_37_a_player_reads_it_in_their_own_as_the_mail_that_led_there(
    mail_tables: Tables, language: str, told: str
) -> None:
    game = mail_tables.open("ann")
    mail_tables.change_profile("ann", language=language)
    page = f"/u/{unsubscribes.token(mail_tables.services, mail_tables.ids['ann'], game)}"
    visitor = app_of(mail_tables.services).test_client()
    assert told in unescape(visitor.get(page, headers={"Accept-Language": "en"}).text)
    for change in ({}, {"action": "resume"}):
        shown = unescape(visitor.post(page, data=change).text)
        assert f'<html lang="{language}">' in shown
        assert "You " not in shown
        assert "mail about" not in shown


# What the letter tells


def test_an_invitation_reads_like_one(mail_tables: Tables) -> None:
    mail_tables.rename("ann", "Ann O'Hara")
    invites(mail_tables, ZED, "yve@people.example", **TAMMANY | {"seats": 5})
    message = mail_tables.newest_letter("zed")
    text = " ".join(text_of(message).split())
    said = (
        "Ann O'Hara invites you to a game of Tammany Hall. —",
        "type: yes You have the seat.",
        "type: no ",
        "At the table “Lunch break”: - Ann O'Hara - Brown (bot 0) - You - 1 more person is invited - 1 free seat",
        "ward politics in New York, with sealed bids",
        "Time for a move: 1 day 12 hours.",
        "no invitations at all? Answer “stop”",
    )
    places = [text.find(sentence) for sentence in said]
    assert -1 not in places, said[places.index(-1)]
    assert places == sorted(places), "who invites and the answer stand first"
    assert "yve" not in text, "nobody's address is told to another (RATE-11)"
    assert parsed(message)["Subject"] == "Ann O'Hara invites you to play Tammany Hall"
    assert parsed(message)["From"].addresses[0].display_name == "Ann O'Hara (Wardroom)"
    html = html_of(message)
    assert html.index(">yes</a>") < html.index(">no</a>") < html.index("1 free seat")
    assert "no more invitations, from anybody</a>" in html


def test_city_hall_is_told_about_too(mail_tables: Tables) -> None:
    invites(mail_tables, ZED, kind="city-hall")
    assert "auctions for the offices of a city" in " ".join(mail_tables.newest_text("zed").split())


def test_out_37_a_player_is_invited_in_their_own_language(mail_tables: Tables) -> None:
    mail_tables.rename("zed", "Zed")
    mail_tables.change_profile("zed", language="de")
    game = invites(mail_tables, ZED, **TAMMANY)
    text = mail_tables.newest_text("zed")
    assert "type: beitreten DEIN NAME" in text
    assert "1 freier Platz" in text
    mail_tables.reply("zed", "ziehen 3")
    mail_tables.exchange()
    answer = mail_tables.newest_text("zed", "answer")
    assert answer.startswith("Es wurde nichts geändert")
    assert "type: beitreten DEIN NAME" in answer
    mail_tables.reply("zed", "mitmachen")
    mail_tables.exchange()
    assert mail_tables.head(game).table.seat_of(mail_tables.ids["zed"]) is not None
    assert "Das Spiel beginnt, wenn noch 1 Person Platz nimmt." in mail_tables.newest_text("zed", "answer")


@pytest.mark.parametrize(
    "language, word",
    [("de", "mitmachen"), ("de", "mitspielen"), ("fr", "participer"), ("fr", "rejoindre"), ("fr", "join")],
)
def test_in_14_join_is_understood_in_other_words(mail_tables: Tables, language: str, word: str) -> None:
    mail_tables.rename("zed", "Zed")
    mail_tables.change_profile("zed", language=language)
    game = invites(mail_tables, ZED)
    mail_tables.reply("zed", word)
    mail_tables.exchange()
    assert mail_tables.head(game).table.seat_of(mail_tables.ids["zed"]) == 1


def test_a_player_who_wants_no_mail_is_not_invited_by_mail(mail_tables: Tables) -> None:
    mail_tables.rename("zed", "Zed")
    mail_tables.change_profile("zed", mail=False)
    invites(mail_tables, ZED)
    assert mail_tables.letters_to("zed") == []


# What the answer tells


def test_an_error_on_an_invitation_repeats_what_to_write(mail_tables: Tables) -> None:
    invites(mail_tables, ZED)
    letter = mail_tables.newest_letter("zed")
    mail_tables.reply("zed", "bid 3", to=letter)
    mail_tables.exchange()
    assert "type: join YOUR NAME" in mail_tables.newest_text("zed", "answer")
    link = rf'href="mailto:{re.escape(reply_address(mail_tables.newest_letter("zed")))}\?[^"]*body=join%20"'
    assert re.search(link, html_of(mail_tables.newest_letter("zed")))
    mail_tables.reply("zed", "join Zed", to=letter)
    mail_tables.exchange()
    assert "YOUR NAME" not in mail_tables.newest_text("zed", "answer")


def test_t5a_a_guest_whose_name_looks_like_the_hosts_is_told_to_choose_another(mail_tables: Tables) -> None:
    game = invites(mail_tables, ZED)
    letter = mail_tables.newest_letter("zed")
    mail_tables.reply("zed", "join ANN", to=letter)
    mail_tables.exchange()
    assert "“ann” looks like your name" in " ".join(mail_tables.newest_text("zed", "answer").split())
    assert mail_tables.head(game).table.chairs[1].player is None
    mail_tables.reply("zed", "join Zed", to=letter)
    mail_tables.exchange()
    assert mail_tables.head(game).table.chairs[1].player is not None


def test_who_sits_down_is_told_how_many_are_missing_and_the_last_that_it_has_begun(mail_tables: Tables) -> None:
    invites(mail_tables, ZED, "yve@people.example", "xia@people.example", seats=4)
    told = []
    for name in ("zed", "yve", "xia"):
        mail_tables.reply(name, f"join {name}")
        mail_tables.exchange()
        told.append(mail_tables.newest_text(name, "answer"))
    assert "The game begins when 2 more sit down." in told[0]
    assert "The game begins when 1 more person sits down." in told[1]
    assert "The game has begun." in told[2]


# All are here


def all_here(mail_tables: Tables, **terms: Any) -> str:
    """A table with a free seat at which everybody sits who was invited."""
    game = mail_tables.sit(invites(mail_tables, "bob@people.example", **{"seats": 3, **terms}), "bob")
    mail_tables.exchange()
    return game


def status(mail_tables: Tables, game: str) -> str:
    return mail_tables.head(game).table.status


def test_a_host_whose_guests_are_all_here_is_asked_to_begin_and_a_yes_begins(mail_tables: Tables) -> None:
    for word, state in (("yes", "running"), ("Yes please!", "running"), ("no", "open")):
        game = all_here(mail_tables)
        letter = mail_tables.newest_letter("ann", "begin")
        text = text_of(letter)
        assert text.startswith("Everybody you invited to Pennies “Lunch break” is here. Begin?\n")
        assert text.index("type: yes\n") < text.index("type: no\n") < text.index("  - bob\n"), "the answer first"
        assert "1 seat is free." in text
        mail_tables.reply("ann", word, to=letter)
        mail_tables.exchange()
        assert status(mail_tables, game) == state, word
        seats = len(mail_tables.head(game).table.chairs)
        assert seats == (2 if state == "running" else 3), "empty seats are put away"
    assert "until all its seats are taken" in mail_tables.newest_text("ann", "answer")


def test_nobody_is_asked_to_begin_before_all_are_here_or_where_the_game_begins_by_itself(mail_tables: Tables) -> None:
    mail_tables.sit(invites(mail_tables, "bob@people.example", ZED, seats=4), "bob")
    mail_tables.sit(invites(mail_tables, "bob@people.example", seats=2), "bob")
    mail_tables.sit(invites(mail_tables), "bob")
    assert mail_tables.notices(kind="begin") == []
    declining(mail_tables, "no", to=mail_tables.newest_letter("zed", "invitation"))
    assert [row["recipient"] for row in mail_tables.notices(kind="begin")] == [mail_tables.ids["ann"]]


def test_a_host_hears_how_many_players_a_game_still_needs(mail_tables: Tables) -> None:
    game = all_here(mail_tables, kind="tammany-hall")
    text = mail_tables.newest_text("ann", "begin")
    assert "Tammany Hall needs 1 more player. Invite somebody, or let a bot play:" in text
    assert "type: yes" not in text
    mail_tables.reply("ann", "yes", to=mail_tables.newest_letter("ann", "begin"))
    mail_tables.exchange()
    assert "needs at least 3 players" in " ".join(mail_tables.newest_text("ann", "answer").split())
    assert status(mail_tables, game) == "open"


def test_a_game_that_has_begun_meanwhile_is_not_begun_again(mail_tables: Tables) -> None:
    game = all_here(mail_tables)
    letter = mail_tables.newest_letter("ann", "begin")
    mail_tables.sit(game, "cyd")
    mail_tables.exchange()
    mail_tables.reply("ann", "yes", to=letter)
    mail_tables.exchange()
    assert "The game has already begun." in mail_tables.newest_text("ann", "answer")
