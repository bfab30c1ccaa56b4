"""What the teacher found, in words: for pages, plain text and the command line, in any language."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from domain.engine.sentences import Sentence, Words, row, say, say_n, unpack
from domain.table.evolve import Rules
from domain.teacher.findings import Finding, JudgedBid, JudgedDecision, Line, Verdict
from domain.teacher.summary import SeatSummary, summary

WIDTH: Final = 78
VERDICTS: Final[Mapping[Verdict, Sentence]] = {
    "best": say("the best move"),
    "sound": say("a sound move"),
    "slip": say("a slip"),
    "mistake": say("a mistake"),
    "blunder": say("a blunder"),
}
STANDINGS: Final[tuple[tuple[float, Sentence], ...]] = (
    (1.5, say("well ahead")),
    (1.15, say("ahead")),
    (0.85, say("about even")),
    (0.5, say("behind")),
    (0.0, say("well behind")),
)
"""By how many times its fair share of winning a seat has."""
WON: Final = 0.9
LOST: Final = 0.03
STATUSES: Final[Mapping[str, Sentence]] = {
    "none": say("Nobody has asked for this analysis yet."),
    "queued": say("The analysis waits for its turn."),
    "cancelled": say("The analysis was cancelled: whoever asks for it again goes on where it was."),
    "failed": say("The analysis failed, and the operator can see why. Ask for it again later."),
    "done": say("The analysis is done."),
}
ABOUT: Final = say(
    "Each decision is judged from what its seat knew then: the figures are estimated shares of winning, all seats "
    "together 100%. Draws and sealed bids are judged with everything open."
)


def told_status(status: str, done: int, total: int) -> Sentence:
    """How an analysis stands."""
    if status == "running" or (status == "queued" and done):
        return say("The analysis is being made: {done} of {total} questions are answered.", done=done, total=total)
    return STATUSES[status]


def percent(share: float) -> Sentence:
    """A share for people."""
    return say("{percent}%", percent=round(100 * share))


def points(change: float) -> Sentence:
    """A change of a share, with its sign, in hundredths."""
    return say("{percent}%", percent=f"{round(100 * change):+d}".replace("-", "\N{MINUS SIGN}"))


def standing(value: float, seats: int) -> Sentence:
    """How a seat stands, in words."""
    if value >= WON:
        return say("as good as won")
    if value < LOST:
        return say("as good as lost")
    return next(text for least, text in STANDINGS if value * seats >= least)


def shown_move(line: Line) -> str:
    """A move in one line of the notation."""
    return "; ".join(line.move)


def told_bid(bid: JudgedBid) -> Sentence:
    """What became of a sealed bid, and what would have."""
    told = {"bid": bid.bid, "prize": unpack(bid.prize)}
    if bid.won and bid.price and bid.least == 0:
        return say("“{bid}” won {prize}, and so would the smallest bid.", **told)
    if bid.won and bid.least is not None and bid.least < bid.price:
        return say("“{bid}” won {prize}; {least} would have been enough.", **told, least=bid.least)
    if bid.won:
        return say("“{bid}” won {prize}, and nothing less would have.", **told)
    if bid.least is not None:
        return say("“{bid}” did not win {prize}; {least} would have.", **told, least=bid.least)
    return say("“{bid}” did not win {prize}, and no possible bid would have.", **told)


def prose(rules: Rules, findings: Sequence[Finding], seats: Sequence[int], names: Sequence[str], words: Words) -> str:
    """All of it as plain text: these seats one after the other, each its summary and its decisions."""
    title = say("{title}: what else could have been done", title=words(rules.presentation.title))
    blocks = [_underlined(words(title), "="), _filled(words(ABOUT))]
    for seat in summary(findings, seats):
        decisions = [found for found in findings if isinstance(found, JudgedDecision) and found.seat == seat.seat]
        blocks.append(_underlined(names[seat.seat], "-"))
        blocks += ["\n".join(block) for block in _of_seat(seat, decisions, len(names), words) if block]
    return "\n\n".join(blocks) + "\n"


def headline(seat: SeatSummary) -> Sentence:
    """A seat in a sentence or two."""
    if seat.accuracy is None:
        return say("Nothing was decided here.")
    counted = say_n("{count} decision.", "{count} decisions.", seat.decisions)
    kept = say("Its moves kept {share} of what the best ones promised.", share=percent(seat.accuracy))
    luck = say("Luck with the draws: {change} in all.", change=points(seat.luck))
    return row([counted, kept, *([luck] if seat.luckiest or seat.unluckiest else [])], " ")


def _of_seat(seat: SeatSummary, decisions: Sequence[JudgedDecision], seats: int, words: Words) -> Iterator[list[str]]:
    yield [_filled(words(headline(seat)))]
    yield [_item(words(told)) for told in told_draws(seat)]
    yield [_item(words(told_bid(bid))) for bid in seat.bids if is_telling(bid)]
    for decision in decisions:
        yield list(_decision(decision, seats, words))


def told_draws(seat: SeatSummary) -> Iterator[Sentence]:
    """The luckiest draw of a seat and the unluckiest, and what they did for it."""
    for draw, heading in ((seat.luckiest, say("The luckiest draw")), (seat.unluckiest, say("The unluckiest draw"))):
        if draw is not None:
            told = {"version": draw.version, "change": points(draw.luck(seat.seat)), "what": unpack(draw.told)}
            yield say("{heading} (event {version}, {change}): {what}", heading=heading, **told)


def is_telling(bid: JudgedBid) -> bool:
    """Whether there was anything to win or to lose with a bid."""
    return bid.price > 0 or (not bid.won and bid.least is not None)


def _decision(decision: JudgedDecision, seats: int, words: Words) -> Iterator[str]:
    heading = say("{part} (position {version})", part=unpack(decision.part), version=decision.version)
    yield words(heading)
    yield _item(
        words(
            say(
                "“{move}”, {verdict}: {before} before it, {after} after it ({standing})",
                move=shown_move(decision.played),
                verdict=VERDICTS[decision.verdict],
                before=percent(decision.best),
                after=percent(decision.best - decision.loss),
                standing=standing(decision.best - decision.loss, seats),
            )
        )
    )
    for line in decision.lines if decision.loss else ():
        better = say("better: “{move}” {value}", move=shown_move(line), value=percent(line.value))
        yield _item(" ".join(filter(None, (words(better), words(unpack(line.why) or "")))), indent=4)


def _underlined(heading: str, line: str) -> str:
    return f"{heading}\n{line * len(heading)}"


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_on_hyphens=False)


def _item(text: str, indent: int = 2) -> str:
    """A line of a list, indented."""
    return textwrap.fill(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2), break_on_hyphens=False
    )
