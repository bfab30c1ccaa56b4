"""An analysis as a JSON document, its sentences in English, as all that programs are told."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.engine.sentences import Words, unpack
from domain.teacher.findings import JudgedBid, JudgedDecision, JudgedDraw, Line
from domain.teacher.summary import SeatSummary, summary
from service.games.analyses import Asked
from service.games.analysis_text import headline, told_bid


def document(asked: Asked, names: Sequence[str | None], words: Words, player: str | None) -> dict[str, Any]:
    """How an analysis stands, and once it is done all that was found; `names` are those of the players, by seat."""
    head = asked.head
    decisions = [found for found in asked.findings if isinstance(found, JudgedDecision)]
    draws = [found for found in asked.findings if isinstance(found, JudgedDraw)]
    seats = summary(asked.findings, range(len(names))) if asked.status == "done" else []
    return {
        "game": head.game,
        "version": head.version,
        "hash": head.hash,
        "strength": asked.strength,
        "status": asked.status,
        "progress": {"done": asked.done, "of": asked.total},
        "yours": asked.is_of(player),
        "seats": [_seat(seat, names[seat.seat], words) for seat in seats],
        "decisions": [_decision(decision, words) for decision in decisions],
        "draws": [_draw(draw, words) for draw in draws],
    }


def _seat(seat: SeatSummary, name: str | None, words: Words) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "player": name,
        "text": words(headline(seat)),
        "decisions": seat.decisions,
        "accuracy": seat.accuracy,
        "lost": seat.lost,
        "worst": [decision.version for decision in seat.worst],
        "luck": seat.luck,
        "luckiest": None if seat.luckiest is None else seat.luckiest.version,
        "unluckiest": None if seat.unluckiest is None else seat.unluckiest.version,
        "bids": [_bid(bid, words) for bid in seat.bids],
    }


def _bid(bid: JudgedBid, words: Words) -> Mapping[str, Any]:
    return {
        "version": bid.version,
        "prize": words(unpack(bid.prize)),
        "bid": bid.bid,
        "price": bid.price,
        "won": bid.won,
        "least": bid.least,
        "worth": bid.worth,
        "text": words(told_bid(bid)),
    }


def _decision(decision: JudgedDecision, words: Words) -> Mapping[str, Any]:
    return {
        "version": decision.version,
        "seat": decision.seat,
        "part": words(unpack(decision.part)),
        "by": decision.by,
        "sealed": decision.sealed,
        "played": _line(decision.played, words),
        "best": decision.best,
        "loss": decision.loss,
        "verdict": decision.verdict,
        "lines": [_line(line, words) for line in decision.lines],
    }


def _line(line: Line, words: Words) -> Mapping[str, Any]:
    why = None if line.why is None else words(unpack(line.why))
    return {"text": "\n".join(line.move), "value": line.value, "share": line.share, "why": why}


def _draw(draw: JudgedDraw, words: Words) -> Mapping[str, Any]:
    return {
        "version": draw.version,
        "part": words(unpack(draw.part)),
        "text": words(unpack(draw.told)),
        "before": draw.before,
        "after": draw.after,
    }
