"""Whether the installed rules would have made a history: every event is decided again and compared (S-41, "rules").

The functions that make histories are run over one: where they would record a fact, it is compared with the one that
was recorded. Players' orders come from their texts, draws from the seed. What nobody can tell because a leaf is shut
is counted, not guessed at.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.audit.commands import again
from domain.audit.comparison import Compared, Cut, Entry, Unseen
from domain.audit.differences import Departed, Difference, is_draw, refused, stumble
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.history.codec import History
from domain.table.state import Table


@dataclass(slots=True)
class Retraced:
    """What the rules say of a history: where it departs from them, how many events nobody can tell before leaves are
    opened, and the table it leads to. `whole`: it could be followed to its end."""

    table: Table
    differences: list[Difference] = field(default_factory=list)
    unchecked: int = 0
    whole: bool = True


def retrace(kept: History, entries: Sequence[Entry]) -> Retraced:
    """Decide a history again. Never raises for what is in it.

    After a difference the other events of that request are taken as they are, and the next one is done again.
    """
    record = Compared(kept, entries)
    found = Retraced(record.table)
    while found.whole and (entry := record.peek()) is not None:
        try:
            again(record, entry)
        except Cut:
            break
        except Exception as fault:  # a forged history may make the rules stumble over anything
            _note(record, found, fault)
    return found


def _note(record: Compared, found: Retraced, fault: Exception) -> None:
    """Note what is wrong, or that it cannot be told, and go on to the next request."""
    at = record.peek() or record.entries[-1]
    difference = _difference(record, at, fault)
    if difference is not None:
        found.differences.append(difference)
        found.whole = record.table.version > 0
    while found.whole and (entry := record.peek()) is not None and entry.cause == at.cause:
        found.unchecked += difference is None
        try:
            record.take()
        except Exception as error:  # what cannot even be folded
            found.whole = False
            if difference is None or difference.version != entry.version:
                found.differences.append(stumble(entry.version, record.name(entry.event), entry.event, error))


def _difference(record: Compared, at: Entry, fault: Exception) -> Difference | None:
    """What a fault shows; None where it may be due to what is sealed."""
    if isinstance(fault, Unseen) or (record.in_the_dark() and not _is_open(at, fault)):
        return None
    match fault:
        case Departed():
            return fault.difference
        case RuleViolation() | OrderNotUnderstood():
            return refused(at.version, record.name(at.event), at.event, fault)
    return stumble(at.version, record.name(at.event), at.event, fault)


def _is_open(at: Entry, fault: Exception) -> bool:
    """Whether a fault stays one whatever is sealed: an order refused, or the right fact of the game told otherwise."""
    match fault:
        case Departed():
            return fault.sure
        case RuleViolation() | OrderNotUnderstood():
            return not is_draw(at.event)
    return False
