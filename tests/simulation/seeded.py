"""Bugs that are planted to see whether the checker finds them: a simulation that finds nothing proves nothing."""

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType
from typing import Final, NamedTuple


class Bug(NamedTuple):
    """What is written in a module, what stands in its place then, and what of it must be found."""

    module: str
    old: str
    new: str
    found: str


OWN_CLOCK: Final = "own clock"
BUGS: Final[Mapping[str, Bug]] = {
    OWN_CLOCK: Bug("", "", "", "early"),
    "lease of letters": Bug(
        "service.store.outgoing.deliveries",
        '    .where(deliveries.c.lease_until <= bindparam("now", type_=sa.BigInteger))\n',
        "",
        "twice",
    ),
    "claim unchecked": Bug(
        "workers.letters.claims", "if decision is None or decision.since != notice.number:", "if decision is None:", "false"
    ),
    "sent before it is sent": Bug(
        "workers.mail_out.channel",
        "            self.transport.send(replace(",
        "            lease_loop._settle(self.services, self, delivery, Outcome(Verdict.SENT, message_id=letter.message_id), go_on=False)\n"
        "            self.transport.send(replace(",
        "lost",
    ),
    "no grace": Bug("service.clocks.seat_clocks", "max(acts_at, shown.due + clock.grace)", "max(acts_at, shown.due)", "early"),
    "no credit": Bug("service.games.commit", "for outage in outage_rows.every(", "for outage in [] and outage_rows.every(", "early"),
    "jump believed": Bug("service.clocks.outages", "if ahead > JUMP and", "if ahead > 999 * JUMP and", "due table"),
    "mail unread": Bug("service.deadlines.expire", "if mail_may_come(", "if False and mail_may_come(", "unread"),
    "notice unchecked": Bug("service.deadlines.expire", 'if told is not None and told[0] == "queued":', "if False:", "untold"),
    "weekends count": Bug("service.clocks.hours", "if day.off or day.ends <= begins:", "if day.ends <= begins:", "early"),
    "bank for ever": Bug("service.clocks.seat_clocks", "left = 0 if seat in expired else min(", "left = min(", "bank"),
    "clock not stopped": Bug(
        "service.games.commit",
        "clocks.stop(outages.charged_until(tx, head.now), late)",
        "pass",
        "early",
    ),
    "nobody told": Bug("service.games.commit", 'yield "deadline-passed", [seat], str(version)', "yield from ()", "outbox"),
    "stale claim": Bug(
        "service.deadlines.expire",
        "if owed is None or owed.since != since or owed.acts_at is None or owed.acts_at > head.now:",
        "if owed is None:",
        "early",
    ),
}  # fmt: skip
"""By name. The first three are those of the issue: a worker's own clock, no lease, no second look."""
OURS: Final = ("service.", "workers.", "tests.simulation.", "domain.")


def source_of(bug: Bug) -> str:
    """The text of the module that a bug is planted in."""
    file = importlib.import_module(bug.module).__file__
    assert file is not None
    return Path(file).read_text("utf-8")


def plant(bug_name: str) -> None:
    """Let this process have that bug: its module is read again with it, and who knew its functions knows the new."""
    if not bug_name or bug_name == OWN_CLOCK:
        return
    bug = BUGS[bug_name]
    module = importlib.import_module(bug.module)
    source = source_of(bug)
    if source.count(bug.old) != 1:
        raise SystemExit(f"“{bug_name}” cannot be planted: {bug.module} is written otherwise by now.")
    before = {id(value): (known, value) for known, value in vars(module).items() if isinstance(value, FunctionType)}
    classes = {known: value for known, value in vars(module).items() if isinstance(value, type)}
    exec(compile(source.replace(bug.old, bug.new), bug.module, "exec"), vars(module))
    for known, old in classes.items():  # others know them: they stay, with the new methods
        for name, method in vars(getattr(module, known)).items():
            if isinstance(method, FunctionType) and getattr(module, known) is not old:
                _belong(method, old)
                setattr(old, name, method)
        setattr(module, known, old)
    for other in [one for known, one in sys.modules.items() if known.startswith(OURS)]:
        for known, value in list(vars(other).items()):
            if id(value) in before and isinstance(value, FunctionType):
                setattr(other, known, getattr(module, before[id(value)][0]))


def _belong(method: FunctionType, known: type) -> None:
    """Let `super()` in a method mean the class it is put into, not the one it was written in."""
    for name, cell in zip(method.__code__.co_freevars, method.__closure__ or (), strict=True):
        if name == "__class__":
            cell.cell_contents = known
