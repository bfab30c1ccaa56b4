"""The page about bots: what they are, how strong they are, what they cost, by the standings of an arena."""

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from domain.search.gates import MEMORY, SECONDS, Gate
from domain.search.standing import Pairing, Standing
from domain.search.strengths import EFFORTS

HEAD = """\
# Bots

<!-- Written by `wardroom arena --report`: change service/commands/bots/arena/page.py instead. -->

A bot plays from what its seat may see. It deals what it cannot see at random, again and again, plays each deal on by
a tree of promising moves and a quick policy, and judges where that leads by weights learnt from self-play (`wardroom
fit`); sealed answers are mixed by regret matching. `docs/decisions/0065-how-a-bot-finds-its-move.md` says why.
Strength 0 is the caretaker, who plays the smallest legal move. A temper (cautious, patient, vindictive) adds a little
for what it likes besides winning.
"""
MATCHES = """
## How strong they are

A plays alone among B's; seats rotate; a shared victory counts by its share; the interval holds the true share with 95
%. At two seats the gate is the share itself, at fuller tables the share with half its interval added: three times the
fair share against players who choose evenly among the legal actions, twice the fair share against the strength below.
"""
PARTS = """
## What their parts are worth

Strength 2 against itself without one part (`2-tree`: no move after the first is looked for; `2-playouts`: judged at
once; `2-matrix`: sealed answers taken for open ones; `2-weights`: all features alike), and tempers against even ones.
Bots of City Hall do without the tree anyway: the decision above says why. No gate.
"""
COSTS = """
## What they cost

Processor time of a decision with more than one move, as A in the matches above, and the most memory of a process.
"""


def page(standings: Mapping[Pairing, Standing], gates: Sequence[Gate], trials: Sequence[Gate], seed: str) -> str:
    """The page as Markdown."""
    lines = [HEAD + MATCHES, *_matches(gates, standings, gated=True), COSTS, *_costs(gates, standings)]
    lines += [PARTS, *_matches(trials, standings, gated=False), *_again(standings, seed)]
    return "\n".join(lines) + "\n"


def _matches(rows: Sequence[Gate], standings: Mapping[Pairing, Standing], *, gated: bool) -> Iterator[str]:
    yield "| game | seats | A | B | tables | A wins | 95 % | fair | points A, B |" + (" gate | met |" if gated else "")
    yield "| --- | ---: | --- | --- | ---: | ---: | --- | ---: | ---: |" + (" ---: | --- |" if gated else "")
    for row in rows:
        pairing, found = row.pairing, standings[row.pairing]
        tables = f"{found.tables}" + (f" + {found.endless} without end" if found.endless else "")
        cells = [pairing.game, f"{pairing.seats}", pairing.a, pairing.b, tables, f"{found.share:.0%}"]
        cells += [f"{found.low:.0%}–{found.high:.0%}", f"{found.fair:.0%}"]
        cells += [f"{found.points_a:.1f}, {found.points_b:.1f}"]
        if row.least is not None:
            cells += [f"{row.least:.0%}", "yes" if row.met(found) else "**no**"]
        yield f"| {' | '.join(cells)} |"


def _costs(gates: Sequence[Gate], standings: Mapping[Pairing, Standing]) -> Iterator[str]:
    yield "| strength | simulations | game | seats | median | 95 % within | memory | gate | met |"
    yield "| ---: | ---: | --- | ---: | ---: | ---: | ---: | --- | --- |"
    for gate in gates:
        pairing, found = gate.pairing, standings[gate.pairing]
        if pairing.a.isdigit():
            most = SECONDS[int(pairing.a)]
            met = "yes" if found.median <= most and found.memory < MEMORY else "**no**"
            cells = [pairing.a, f"{EFFORTS[int(pairing.a)].simulations}", pairing.game, f"{pairing.seats}"]
            cells += [f"{found.median:.3f} s", f"{found.slow:.3f} s", f"{found.memory / 1024:.0f} MiB"]
            yield f"| {' | '.join(cells)} | {most} s, {MEMORY // 1024} MiB | {met} |"


def _again(standings: Mapping[Pairing, Standing], seed: str) -> list[str]:
    tables = sum(found.tables + found.endless for found in standings.values())
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return [
        "\n## Measure it again\n",
        f"    wardroom arena --report docs/bots.md --seed {seed}",
        f"\n{tables} tables with seed {seed}, finished on {datetime.now(UTC):%Y-%m-%d}; {machine}.",
        "The same seed and the same code play the same games. What was interrupted goes on where it was.",
    ]
