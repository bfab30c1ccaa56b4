"""What becomes of a reply, from the bytes of its mail to the orders that it gives, without a database."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from tests.workers.replies.positions import Asked
from tests.workers.replies.programs import CODE
from workers.commands import execute
from workers.commands.read_orders import with_help, written_in
from workers.commands.trial_orders import first_refused, replaced
from workers.letters.numbered_options import listed
from workers.parsing.new_text import marker_line
from workers.parsing.read_mail import read


def outcome(raw: bytes, asked: Asked, language: str) -> str:
    """`= bid 3` where that is executed, `? bid 3` where it is to be copied and nothing was done, with the reasons."""
    reading = read(raw, "in.wardroom.example")
    grammar = asked.grammar(language, reading.author)
    written = with_help(written_in(reading, CODE, grammar))
    reasons = [grammar.words(refused.message) for refused in written.block.refused]
    if reasons or not written.commands:
        return f"? {'; '.join(next(iter(written.copies), []))} | {' '.join(reasons)}"
    head: Any = asked
    context: Any = SimpleNamespace(head=asked)
    with patch.object(execute, "is_asked_to_begin", return_value=False):  # which the database knows
        why = execute.unfit(context, written.commands)
    if why:
        return f"? | {why}"
    if written.block.doubt:
        return (
            f"? {'; '.join(command.text for command in written.commands)} | asked because of {written.block.doubt.text}"
        )
    orders = [command.text for command in written.commands if command.plays]
    try:
        if twice := replaced(head, asked.seat, orders, grammar.names):
            return f"? {orders[twice[0]]} | answered twice"
        refused = first_refused(head, asked.seat, orders, grammar.names)
    except (RuleViolation, OrderNotUnderstood) as error:
        return f"? | {error}"
    if refused is not None:
        return f"? | refused by the rules: {orders[refused]}"
    return "= " + "; ".join(command.text for command in written.commands)


def letter(asked: Asked) -> str:
    """The mail that is answered, as far as it can be mistaken for an answer."""
    options = [
        "..." if option is None else f"  type: {option.text}" if option.number is None
        else f"  {option.number:2} = {option.text}"
        for option in listed(asked.options)
    ]  # fmt: skip
    guide = [f"  type: {verb}" for verb in sorted(asked.rules.notation.verbs)]
    return "\n".join(
        [
            "Your turn, answer by Fri 7 Mar 2031 12:00 UTC.",
            "",
            marker_line(CODE),
            "",
            *options,
            "",
            *guide,
            "",
            "Wardroom",
        ]
    )
