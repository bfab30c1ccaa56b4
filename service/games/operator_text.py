"""The operator's acts at a table in sentences for its players, each with the reason that was given.

What an act is called in the journal stands here with what players read of it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from domain.engine.sentences import Sentence, row, say
from service.kernel.clock import moment
from service.languages.time_text import exact_words
from service.store.running.operator_acts import Act

ENDED: Final = "game-ended"
PAUSED: Final = "clock-paused"
RESUMED: Final = "clock-resumed"
EXTENDED: Final = "time-extended"
VACATED: Final = "seat-vacated"
INVITED: Final = "seat-invited"
RESTORED: Final = "restored"

Tell = Callable[[Act, Sequence[str]], Sentence]


def tell(act: Act, names: Sequence[str]) -> Sentence:
    """What was done, with what the seats are called."""
    known = _TELL.get(act.what)
    return _OTHER if known is None else known(act, names)


def reason(act: Act) -> list[Sentence]:
    """Why it was done; nothing where the reason was erased, or none was given."""
    return [] if not act.why else [say("The reason given: “{why}”", why=act.why)]


def tell_why(act: Act, names: Sequence[str]) -> Sentence:
    """What was done and why."""
    return row([tell(act, names), *reason(act)], " ")


def _paused(act: Act, names: Sequence[str]) -> Sentence:
    seconds = act.results.get("seconds", 0)
    if not seconds:
        return say("The operator of this service has stopped the clock.")
    return say("The operator of this service has stopped the clock, for {span} at most.", span=exact_words(seconds))


def _extended(act: Act, names: Sequence[str]) -> Sentence:
    span = exact_words(act.results.get("seconds", 0))
    if act.seat is None:
        return say("The operator of this service gives everyone who has to answer now {span} more.", span=span)
    return say("The operator of this service gives {player} {span} more.", player=names[act.seat], span=span)


def _restored(act: Act, names: Sequence[str]) -> Sentence:
    return say(
        "The operator of this service has restored it from a backup, and this game is as it was on {time}, up to event "
        "{version}.",
        time=f"{moment(act.results.get('taken', act.at)):%Y-%m-%d %H:%M} UTC",
        version=act.version or 0,
    )


def _vacated(act: Act, names: Sequence[str]) -> Sentence:
    player = names[act.seat or 0]
    if act.results.get("open"):
        return say(
            "The operator of this service has freed a seat: {player} does not sit there any more.", player=player
        )
    return say(
        "The operator of this service has freed the seat of {player}: the caretaker plays until somebody takes it "
        "over.",
        player=player,
    )


_OTHER: Final = say("The operator of this service has done something at this table.")
_TELL: Final[Mapping[str, Tell]] = {
    ENDED: lambda act, names: say("The operator of this service has ended the game, without a result."),
    PAUSED: _paused,
    RESUMED: lambda act, names: say("The operator of this service has started the clock again."),
    EXTENDED: _extended,
    VACATED: _vacated,
    INVITED: lambda act, names: say("The operator of this service has invited somebody to a free seat."),
    RESTORED: _restored,
}
