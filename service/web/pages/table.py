"""A table before its game begins: who sits there, what will be played and how fast; sitting down, and beginning."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response, make_response, redirect, render_template, request

from domain.engine.game import Seat
from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, say
from service.accounts.names import normalise_name
from service.clocks import leave_days
from service.deadlines.example import Home, example
from service.deadlines.policy_text import terms
from service.games import open_tables, play
from service.games.inviting import all_are_here, called_guests
from service.games.overviews import overview
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.games import invitations
from service.store.people import avoided, readers
from service.web.game.access import of_a_game
from service.web.http.forms import Pages
from service.web.http.language import language, now, reader_locale
from service.web.http.mail_addresses import BadAddresses, addresses_in
from service.web.http.session import member, services, viewer, viewer_id
from service.web.share.preview import preview_of

bp = Pages("table", __name__)
Act = Callable[[Connection], Any]
DONE_BEFORE: Final = frozenset({"already-seated", "already-started", "not-seated", "no-bot"})
"""Refusals of what has been done already: a form that is sent twice leads to the same place twice."""


def open_table_page(
    connection: Connection, head: Head, seat: Seat | None, fault: Sentence | str = "", typed: str = ""
) -> str:
    """The page of a game that waits for players, for whoever sits on `seat`; None for somebody who does not yet, or is
    not signed in.

    `fault` says what was wrong with the addresses that the host `typed`.
    """
    who = viewer()
    is_invited = who is not None and who.email_key in invitations.of_game(connection, head.game)
    guests = called_guests(connection, head, viewer_id()) if seat is not None or is_invited else []
    empty = [number for number, chair in enumerate(head.table.chairs) if not chair.taken]
    home = Home(*leave_days.home_of(connection, viewer_id() or ""))
    return render_template(
        "tables/open.html",
        view=overview(connection, head, viewer_id()),
        variants=head.rules.presentation.variants,
        options=head.table.options,
        terms=terms(head.table.clock),
        example=example(head.table.clock, home, reader_locale(), now()),
        seat=seat,
        is_host=head.table.host == viewer_id(),
        invited=is_invited,
        all_here=all_are_here(connection, head),
        guests=dict(zip(empty, guests, strict=False)),
        waiting_guests=len(guests),
        last_free=max(empty, default=0),
        may_begin=sum(chair.taken for chair in head.table.chairs) >= head.rules.seats[0],
        link=f"{services().settings.base_url}/g/{head.game}",
        fault=fault,
        typed=typed,
        share=preview_of(services(), connection, head, language()) if who is None else None,
        apart=[] if who is None else _blocked_there(connection, head, who.id),
    )


def _blocked_there(connection: Connection, head: Head, player: str) -> list[str]:
    """The names of those at a table whom a player has blocked."""
    there = {head.table.host, *(chair.player for chair in head.table.chairs if chair.player)}
    return sorted(readers.names_of(connection, avoided.blocked_by(connection, player, there)).values())


@bp.post("/g/<string:game>/seats")
@of_a_game
def sit(game: str) -> Response:
    """Sit down, or take over a seat that fell vacant."""
    return carry_out(game, lambda tx: play.take_seat(services(), tx, game, member().id, None), f"/g/{game}")


@bp.post("/g/<string:game>/leave")
@of_a_game
def leave(game: str) -> Response:
    """Stand up before the start."""
    return carry_out(game, lambda tx: play.leave_seat(services(), tx, game, member().id), "/tables")


@bp.post("/g/<string:game>/begin")
@of_a_game
def begin(game: str) -> Response:
    """Begin with whoever sits there."""
    return carry_out(game, lambda tx: play.start_game(services(), tx, game, member().id), f"/g/{game}")


@bp.post("/g/<string:game>/decline")
@of_a_game
def decline(game: str) -> Response:
    """Give an invitation back."""
    never = request.form.get("never") == "yes"
    return carry_out(
        game, lambda tx: open_tables.decline(services(), tx, game, member().id, never_again=never), "/turns"
    )  # fmt: skip


@bp.post("/g/<string:game>/name")
@of_a_game
def rename(game: str) -> Response:
    """Rename the table; an empty field gives back the name it has of itself."""
    typed = " ".join(request.form.get("name", "").split())
    try:
        name = normalise_name(typed) if typed else None
    except ValueError as refused:
        return _refused(game, refused.args[0])
    return carry_out(game, lambda tx: open_tables.rename(services(), tx, game, member().id, name), f"/g/{game}")


@bp.post("/g/<string:game>/invitations")
@of_a_game
def invite(game: str) -> Response:
    """Invite more people."""
    typed = request.form.get("invite", "")
    try:
        addresses = addresses_in(typed)
        if not addresses:
            raise BadAddresses(say("Write at least one mail address."))
        with services().database.write() as tx:
            open_tables.invite(services(), tx, game, member().id, addresses)
    except (BadAddresses, RuleViolation) as refused:
        return _again(game, refused.message, typed)
    services().wakeup.wake()
    return redirect(f"/g/{game}#invite", 303)  # type: ignore[return-value]


def _again(game: str, fault: Sentence | str, typed: str) -> Response:
    """The table once more, with what was typed and what is wrong with it; another page where it is open no more."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, member().id)
        if head.table.status != "open":
            return _refused(game, fault)
        return make_response(open_table_page(connection, head, seat, fault, typed), 422)


def carry_out(game: str, act: Act, then: str) -> Response:
    """Do what a button says and lead on; what cannot be done is told on a page of its own."""
    try:
        with services().database.write() as tx:
            act(tx)
    except RuleViolation as refused:
        if refused.code not in DONE_BEFORE:
            return _refused(game, refused.message)
    except play.NotSeated:
        pass  # left already
    services().wakeup.wake()
    return redirect(then, 303)  # type: ignore[return-value]


def _refused(game: str, why: Sentence | str) -> Response:
    return make_response(render_template("tables/refused.html", game=game, why=why), 409)
