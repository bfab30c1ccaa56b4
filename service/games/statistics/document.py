"""A game that is over in numbers, as the document that the API answers with and all tables are made of."""

from typing import Any

from domain.engine.sentences import Words
from domain.engine.statistics import Score
from service.games.statistics.chances import Chances
from service.games.statistics.numbers import GameNumbers, is_tied


def document(found: GameNumbers, words: Words = str) -> dict[str, Any]:
    """All numbers of a game, its texts as `words` say them."""
    count, names = found.statistics, [words(name) for name in found.names]
    return {
        "ruleset": found.head.table.ruleset,
        "version": found.head.version,
        "hash": found.head.hash,
        "unit": count.unit,
        "columns": dict(count.columns),
        "rows": [
            {count.unit: line[count.unit], "seat": line["seat"], "player": names[int(line["seat"])], **line}
            for line in found.rows
        ],
        "standings": _standings(found, names, words),
        "tied": is_tied(found.standings),
        "bids": {
            "unit": words(count.bid_unit),
            "columns": {name: words(meaning) for name, meaning in count.bid_terms.items()},
            "rows": _bids(found, names, words),
        },
        "lead": {"measure": words(count.standing_name), "changes": _lead(found, names)},
        "chances": None if found.chances is None else _chances(found.chances, names, words),
        "clock": [
            {
                "seat": seat.seat,
                "player": names[seat.seat],
                "answers": len(seat.took),
                "mean": seat.mean,
                "longest": max(seat.took, default=None),
                "missed": seat.missed,
            }
            for seat in found.clock
        ],
        "charts": [
            {
                "name": chart.name,
                "column": chart.column,
                "title": words(chart.title),
                "unit": words(chart.unit),
                "kind": chart.kind,
            }
            for chart in count.charts
        ],
    }


def _standings(found: GameNumbers, names: list[str], words: Words) -> list[dict[str, Any]]:
    return [
        {
            "rank": standing.rank,
            "seat": standing.seat,
            "player": names[standing.seat],
            "won": standing.has_won,
            "score": standing.score,
            "lines": [{"for": _line(line, words), "points": line.points} for line in standing.lines],
        }
        for standing in found.standings
    ]


def _line(line: Score, words: Words) -> str:
    return f"{words(line.what)}: {line.made_of}" if line.made_of else words(line.what)


def _bids(found: GameNumbers, names: list[str], words: Words) -> list[dict[str, Any]]:
    return [
        {
            "version": bid.version,
            found.statistics.unit: bid.period,
            "prize": words(bid.prize),
            "seat": bid.seat,
            "player": names[bid.seat],
            "contested": bid.contested,
            "won": bid.won,
            **{name: getattr(bid, name) for name in found.statistics.bid_terms},
        }
        for bid in found.bids
    ]


def _lead(found: GameNumbers, names: list[str]) -> list[dict[str, Any]]:
    """Each change with all seats at that moment; `before` and `after` are seats."""
    return [
        {
            "version": change.version,
            found.statistics.unit: change.period,
            "before": list(change.before),
            "after": list(change.after),
            "seats": [
                {"seat": seat, "player": names[seat], "leads": seat in change.after, "standing": standing}
                for seat, standing in enumerate(change.standing)
            ],
        }
        for change in found.lead
    ]


def _chances(chances: Chances, names: list[str], words: Words) -> dict[str, Any]:
    return {
        "strength": chances.strength,
        "jumps": [
            {
                "version": jump.version,
                "part": words(jump.part),
                "seat": jump.seat,
                "player": names[jump.seat],
                "by": "draw" if jump.by_chance else "decision",
                "text": words(jump.what),
                "before": jump.before,
                "after": jump.after,
            }
            for jump in chances.jumps
        ],
        "luck": [
            {"seat": seat, "player": name, "change": round(sum(draw.luck(seat) for draw in chances.draws), 4)}
            for seat, name in enumerate(names)
        ],
    }
