"""From the history as one seat may see it to a position of the rules that can be searched, without a server."""

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wardroom_rules import Position  # type: ignore[import-not-found, unused-ignore]


def position_of(export: bytes, seat: int) -> "Position":
    """The position of an export (NDJSON), as its seat knows it: for `legal`, `view` and `sample_hidden`.

    Raises ModuleNotFoundError without wardroom-rules, ValueError before the game has begun.
    """
    try:
        from wardroom_rules import Position, ruleset  # type: ignore[import-not-found, unused-ignore]
        from wardroom_rules.audit.fold_history import fold_history  # type: ignore[import-not-found, unused-ignore]
        from wardroom_rules.search.advance import RandomDice  # type: ignore[import-not-found, unused-ignore]
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("local() needs the rules: pip install 'wardroom-client[rules]'") from error
    folded = fold_history(export.splitlines())
    if folded.table.game is None:
        raise ValueError("this game has not begun: there is no position yet")
    rules = ruleset(folded.ruleset)
    position: Position = Position(rules, rules.decider.blind(folded.table.game, seat), RandomDice(Random()), seat)  # noqa: S311
    return position
