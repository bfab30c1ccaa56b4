"""Worked examples as positions to try: one sits wherever somebody is asked, and plays for all."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from domain.engine.game import Seat
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import capital, typed
from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from service.lessons.material import Scene, Try, examples_of, names_in_examples
from service.lessons.practice import Practice, practice
from service.lessons.token import WRONG, BadToken, lines_of

KEPT: Final = 128


@dataclass(frozen=True, slots=True)
class Stand:
    """Where somebody is who tries an example: the table, and the table before the last move."""

    practice: Practice
    items: tuple[str, ...] = ()
    before: Practice | None = None

    @property
    def seat(self) -> Seat | None:
        """Who is asked, and so who one plays for; None where nobody is."""
        return min(self.practice.awaited, default=None)


def scenes_of(kind: str, example: str) -> Sequence[Scene]:
    """The positions of an example. Raises LookupError for one that there is not."""
    return examples_of(kind)[example].scene


@lru_cache(KEPT)
def stand(kind: str, example: str, number: int, items: tuple[str, ...]) -> Stand:
    """Where these moves lead in a position of an example, the first being number 1.

    Raises BadToken for moves that cannot be, LookupError for a position that there is not.
    """
    scenes = scenes_of(kind, example)
    if not 1 <= number <= len(scenes):
        raise LookupError(number)
    if not items:
        return Stand(_set_up(RULESETS[kind], scenes[number - 1]))
    before = stand(kind, example, number, items[:-1])
    try:
        return made(before, items[-1])
    except (RuleViolation, OrderNotUnderstood) as error:
        raise BadToken(WRONG) from error


def made(here: Stand, item: str) -> Stand:
    """The place after a move of whoever is asked. Raises RuleViolation, OrderNotUnderstood, BadToken."""
    if here.seat is None:
        raise BadToken(WRONG)
    table = here.practice
    then = table.played(here.seat, table.actions(lines_of(item)))
    return Stand(then, (*here.items, item), table)


def tried(kind: str, example: str, number: int, line: Try) -> Practice:
    """The table after a line that an example speaks of. Raises what refuses it: RuleViolation, OrderNotUnderstood."""
    table = stand(kind, example, number, ()).practice
    for before in line.after:
        table = _by_whoever(table, before)
    seat = min(table.awaited) if line.seat is None else line.seat
    return table.played(seat, table.actions([line.line]))


def _by_whoever(table: Practice, line: str) -> Practice:
    return table.played(min(table.awaited), table.actions([line]))


def _set_up(rules: Rules, scene: Scene) -> Practice:
    known = rules.lessons
    assert known is not None, f"{rules.kind} has examples and no words for positions"
    if scene.position is None:
        players, game = scene.players, rules.decider.initial(scene.players, {})
    else:
        game = known.position(**scene.position)
        players = len(rules.decider.view(game, None)["seats"])
    table = practice(rules, game, _names(rules, scene, players), seed=scene.seed, draws=scene.draws)
    for line in scene.before:
        table = _by_whoever(table, line)
    return table


def _names(rules: Rules, scene: Scene, players: int) -> list[str]:
    """What the players are called: as the position names them, or as all examples do, or by their pawns."""
    names = (scene.position or {}).get("names") or names_in_examples(rules.kind)
    if names:
        return [name.capitalize() for name in names[:players]]
    return [capital(typed(pawn)) for pawn in rules.notation.pawns[:players]]
