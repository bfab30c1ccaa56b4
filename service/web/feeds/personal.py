"""A player's own feeds: what was told to them, and when their answers are due. Nothing that mails would not say."""

from typing import Final

from domain.engine.sentences import say
from domain.rulesets import RULESETS
from service.container import Services
from service.deadlines.calendar import Deadline, calendar_file
from service.games.seat_names import name_of
from service.kernel.clock import SECOND
from service.languages import words
from service.store.clocks import decisions
from service.store.clocks.decisions import Waiting
from service.store.database import Connection
from service.store.games import seats
from service.store.outgoing import feed_entries
from service.store.people.players import Player
from service.store.people.tokens import Token
from service.web.feeds.atom import Entry, Feed, tag

MOST: Final = 40


def news_feed(services: Services, connection: Connection, player: Player, made: Token, itself: str) -> Feed:
    """Return what was told to a player, newest first; a question that was answered is gone from it.

    An entry is updated when its text is made: again if its deadline moves (RFC 4287, 4.2.15).
    """
    domain, base = services.settings.mail_domain, services.settings.base_url
    entries = [
        Entry(
            id=tag(domain, "feed", player.id, kept.game_id, kept.kind, kept.decision),
            title=kept.text.headline,
            at=kept.done_at,
            link=f"{base}/g/{kept.game_id}",
            told=kept.text.told,
        )
        for kept in feed_entries.newest(connection, player.id, MOST)
    ]
    latest = max((entry.at for entry in entries), default=made.created_at)
    title = f"Wardroom – {player.name}"
    return Feed(tag(domain, "feed", player.id), title, player.language, latest, f"{base}/turns", entries, itself)


def deadline_calendar(services: Services, connection: Connection, player: Player) -> bytes:
    """When a player's answers are due, as a calendar: one that has no deadline is not in it."""
    waiting = [row for row in decisions.waiting_for(connection, player.id) if row.decision.due_at is not None]
    people = _people(connection, [row.decision.game_id for row in waiting])
    base = services.settings.base_url
    found = [_deadline(base, player, row, people.get(row.decision.game_id, "")) for row in waiting]
    name = words(player.language)(say("Wardroom: my deadlines"))
    return calendar_file(services.settings.mail_domain, found, name)


def _deadline(base: str, player: Player, waiting: Waiting, people: str) -> Deadline:
    owed, ruleset, chosen, last_at = waiting
    speak = words(player.language, ruleset)
    title = RULESETS[ruleset].presentation.title
    return Deadline(
        game=owed.game_id,
        seat=owed.seat,
        since=owed.since,
        due=owed.due,
        told_at=last_at,
        edition=(owed.due - owed.began_at) // SECOND,
        summary=speak(say("{title}: your answer is due", title=title)),
        link=f"{base}/g/{owed.game_id}",
        description=f"{name_of(owed.game_id, chosen)}: {people}",
    )


def _people(connection: Connection, games: list[str]) -> dict[str, str]:
    """Who sits at these games, to tell them apart."""
    names: dict[str, list[str]] = {}
    for sitting in seats.at_games(connection, games):
        if sitting.name:
            names.setdefault(sitting.game_id, []).append(sitting.name)
    return {game: ", ".join(known) for game, known in names.items()}
