"""Invitations by mail: how many go out, how a guest declines, and what the letter and the answer to it tell."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from domain.engine.refusals import RuleViolation
from service.container import Services
from service.mail import unsubscribes
from service.mail.invitations import ANYBODY, MOST_BY_A_HOST, MOST_TO_AN_ADDRESS
from tests.apps import app_of
from tests.workers.office import Hands, html_of, parsed
from tests.workers.post import SETTINGS, Post, post, reply_address

__all__ = ["post"]
ZED = "zed@people.example"
TAMMANY: dict[str, Any] = {"kind": "tammany-hall", "seats": 4, "bots": 1, "clock": {"per_move": "P1DT12H"}}


@pytest.fixture
def limited(migrated_sqlite: str, open_services: Callable[..., Services], hands: Hands) -> Post:
    return Post(open_services(migrated_sqlite, clock=hands, **SETTINGS, RATE_LIMITS="on"), hands)


def invites(post: Post, *addresses: str, host: str = "ann", **terms: Any) -> str:
    game = post.opens(host, invite=addresses, **terms)
    post.round()
    return game


def invitations_to(post: Post, name: str = "zed") -> int:
    return sum(letter.message_id.startswith("<invitation") for letter in post.to(name))


# How many go out


def test_rate_09_a_host_invites_twenty_people_a_day_at_all_tables(limited: Post) -> None:
    def people(tag: str, count: int) -> list[str]:
        return [f"{tag}{number}@friends.example" for number in range(count)]

    invites(limited, *people("a", 12))
    limited.hands.advance(hours=23)
    invites(limited, *people("b", 8))
    before = len(limited.notices())
    with pytest.raises(RuleViolation) as refused:
        invites(limited, "c@friends.example")
    assert refused.value.code == "too-many-invitations"
    assert len(limited.notices()) == before
    invites(limited, "c@friends.example", host="bob")
    invites(limited)
    limited.hands.advance(hours=1)
    invites(limited, *people("d", 12))
    assert MOST_BY_A_HOST == 20


def test_rate_09_an_address_gets_three_invitations_a_day_from_everybody(limited: Post) -> None:
    for host in ("ann", "bob", "cyd"):
        invites(limited, ZED, host=host)
    with pytest.raises(RuleViolation, match=r"zed@people\.example has had 3 invitations") as refused:
        invites(limited, "yve@people.example", "ZED@people.example", host="dan")
    assert refused.value.code == "too-many-invitations"
    assert invitations_to(limited, "yve") == 0
    limited.hands.advance(days=1)
    invites(limited, ZED, host="dan")
    assert invitations_to(limited) == MOST_TO_AN_ADDRESS + 1


def test_rate_limits_off_lift_both_caps(post: Post) -> None:
    for _ in range(MOST_TO_AN_ADDRESS + 1):
        invites(post, ZED, *(f"{number}@friends.example" for number in range(9)))
    assert invitations_to(post) == MOST_TO_AN_ADDRESS + 1


# Declining


def declining(post: Post, text: str, **more: Any) -> int:
    number = post.answers("zed", text, **more)
    post.round()
    return number


@pytest.mark.parametrize("word", ["no", "No.", "nein", "non"])
def test_no_takes_the_invitation_back_and_ends_those_of_this_host(post: Post, word: str) -> None:
    invites(post, ZED, public=False)
    letter = post.newest("zed")
    number = declining(post, word)
    assert (post.state(number), len(post.to("zed"))) == ("applied", 1), "it is not answered"
    post.hands.advance(minutes=1)
    invites(post, ZED)
    assert (invitations_to(post), len(post.notices(kind="invitation"))) == (1, 1)
    invites(post, ZED, host="bob")
    assert invitations_to(post) == 2
    number = declining(post, "join Zed", to=letter)
    assert post.state(number) == "rejected", "the private table is closed to them again"


@pytest.mark.parametrize("word", ["stop", "unsubscribe", "STOP", "Arrêter"])
def test_out_17_stop_and_unsubscribe_end_the_invitations_of_everybody(post: Post, word: str) -> None:
    invites(post, ZED)
    declining(post, word)
    invites(post, ZED)
    invites(post, ZED, host="bob")
    assert invitations_to(post) == len(post.to("zed")) == 1


def test_a_guest_can_decline_in_the_subject(post: Post) -> None:
    invites(post, ZED)
    letter = post.newest("zed")
    raw = post.reply("zed", "", quote=False).replace(b"Subject: Re: ", b"Subject: Unsubscribe\r\nX-Was: ")
    number = post.brings(raw, letter, sender=ZED)
    post.round()
    assert post.state(number) == "applied"
    invites(post, ZED, host="bob")
    assert invitations_to(post) == 1


def test_what_waits_to_be_sent_is_not_sent_after_a_guest_declined(post: Post) -> None:
    invites(post, ZED)
    waiting = post.opens("bob", invite=[ZED])
    post.answers("zed", "stop")
    post.works()
    post.delivers()
    assert invitations_to(post) == 1
    assert post.states(game_id=waiting) == {"superseded": 1}


def test_in_36_a_stranger_declines_nothing_with_the_answering_address(post: Post) -> None:
    invites(post, ZED)
    for more in ({"address": "mallory@elsewhere.example"}, {"verdict": "fail"}):
        assert post.state(declining(post, "no", to=post.newest("zed", "invitation"), **more)) == "held"
    invites(post, ZED)
    assert invitations_to(post) == 2


def test_who_sits_there_already_declines_nothing(post: Post) -> None:
    invites(post, ZED)
    letter = post.newest("zed")
    declining(post, "join Zed")
    assert post.state(declining(post, "no", to=letter)) == "rejected"


def test_an_address_without_invitations_can_still_become_a_player(post: Post) -> None:
    """No suppression: a code for signing up arrives, and a public table can be joined."""
    game = invites(post, ZED)
    declining(post, "stop")
    post.sits(game, "zed")
    post.asks_for_a_code("zed")
    post.round()
    assert post.newest("zed").message_id.startswith("<code")


def test_out_15_an_invitation_can_be_left_by_mail_and_at_one_click(post: Post) -> None:
    invites(post, ZED)
    message = parsed(post.newest("zed"))
    click, mail = (one.strip(" <>") for one in str(message["List-Unsubscribe"]).split(","))
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert click in post.text("zed")
    number = post.brings(b"From: x@y.example\r\nSubject: x\r\n\r\n", mail.removeprefix("mailto:"), sender="x@y.example")
    post.round()
    assert post.state(number) == "applied"
    invites(post, ZED, host="bob")
    assert invitations_to(post) == 1


def test_out_16_the_page_of_a_guest_stops_invitations_and_lets_them_come_again(post: Post) -> None:
    invites(post, ZED)
    page = f"/u/{unsubscribes.token(post.services, ZED, ANYBODY)}"
    visitor = app_of(post.services).test_client()
    assert "Stop all invitations to your address, whoever sends them?" in visitor.get(page).text
    invites(post, ZED)
    assert invitations_to(post) == 2, "looking at it changes nothing"
    assert "No more invitations are sent" in visitor.post(page, data={"List-Unsubscribe": "One-Click"}).text
    invites(post, ZED)
    assert invitations_to(post) == 2
    assert "You can be invited again." in visitor.post(page, data={"action": "resume"}).text
    invites(post, ZED)
    assert invitations_to(post) == 3


# What the letter tells


def test_an_invitation_reads_like_one(post: Post) -> None:
    post.named("ann", "Ann O'Hara")
    invites(post, ZED, **TAMMANY)
    text = " ".join(post.text("zed").split())
    for said in (
        "Ann O'Hara has opened a table of Tammany Hall for 4 players",
        "Time for a move: 1 day 12 hours.",
        "At the table: Ann O'Hara and 1 bot. 2 seats are free.",
        "ward politics in New York, with sealed bids",
        "no declines and stops further invitations from Ann O'Hara; stop declines and stops all invitations.",
    ):
        assert said in text
    assert "ISO 8601" not in text
    html = html_of(post.newest("zed"))
    assert "2 seats are free." in html
    assert "no more invitations</a>" in html


def test_city_hall_is_told_about_too(post: Post) -> None:
    invites(post, ZED, kind="city-hall")
    assert "auctions for the offices of a city" in " ".join(post.text("zed").split())


def test_out_37_a_player_is_invited_in_their_own_language(post: Post) -> None:
    post.named("zed", "Zed")
    post.changes("zed", language="de")
    game = invites(post, ZED, **TAMMANY)
    text = post.text("zed")
    assert "type: beitreten DEIN NAME" in text
    assert "2 Plätze sind frei." in text
    post.answers("zed", "ziehen 3")
    post.round()
    answer = post.text("zed", "answer")
    assert answer.startswith("Es wurde nichts geändert")
    assert "type: beitreten DEIN NAME" in answer
    post.answers("zed", "mitmachen")
    post.round()
    assert post.head(game).table.seat_of(post.ids["zed"]) is not None
    assert "Das Spiel beginnt, wenn noch 1 Person Platz nimmt." in post.text("zed", "answer")


@pytest.mark.parametrize(
    "language, word",
    [("de", "mitmachen"), ("de", "mitspielen"), ("fr", "participer"), ("fr", "rejoindre"), ("fr", "join")],
)
def test_in_14_join_is_understood_in_other_words(post: Post, language: str, word: str) -> None:
    post.named("zed", "Zed")
    post.changes("zed", language=language)
    game = invites(post, ZED)
    post.answers("zed", word)
    post.round()
    assert post.head(game).table.seat_of(post.ids["zed"]) == 1


def test_a_player_who_wants_no_mail_is_not_invited_by_mail(post: Post) -> None:
    post.named("zed", "Zed")
    post.changes("zed", mail=False)
    invites(post, ZED)
    assert post.to("zed") == []


# What the answer tells


def test_an_error_on_an_invitation_repeats_what_to_write(post: Post) -> None:
    invites(post, ZED)
    letter = post.newest("zed")
    post.answers("zed", "yes please", to=letter)
    post.round()
    assert "type: join YOUR NAME" in post.text("zed", "answer")
    link = rf'href="mailto:{re.escape(reply_address(post.newest("zed")))}\?[^"]*body=join%20"'
    assert re.search(link, html_of(post.newest("zed")))
    post.answers("zed", "join Zed", to=letter)
    post.round()
    assert "YOUR NAME" not in post.text("zed", "answer")


def test_t5a_a_guest_whose_name_looks_like_the_hosts_is_told_to_choose_another(post: Post) -> None:
    game = invites(post, ZED)
    letter = post.newest("zed")
    post.answers("zed", "join ANN", to=letter)
    post.round()
    assert "“ann” looks like your name" in " ".join(post.text("zed", "answer").split())
    assert post.head(game).table.chairs[1].player is None
    post.answers("zed", "join Zed", to=letter)
    post.round()
    assert post.head(game).table.chairs[1].player is not None


def test_who_sits_down_is_told_how_many_are_missing_and_the_last_that_it_has_begun(post: Post) -> None:
    invites(post, ZED, "yve@people.example", "xia@people.example", seats=4)
    told = []
    for name in ("zed", "yve", "xia"):
        post.answers(name, f"join {name}")
        post.round()
        told.append(post.text(name, "answer"))
    assert "The game begins when 2 more sit down." in told[0]
    assert "The game begins when 1 more person sits down." in told[1]
    assert "The game has begun." in told[2]
