"""The three ways to refuse a player: the rules forbid it, the text is not understood, the orders ahead do not fit."""

from collections.abc import Mapping
from typing import Any, NoReturn

from domain.engine.sentences import Sentence, say


class RuleViolation(Exception):
    """The rules forbid this action. Nothing was recorded; `message` is safe to show to the player who tried.

    In English, and a Sentence wherever it can be said in other languages too.
    """

    def __init__(self, code: str, rule: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.message = message


class OrderNotUnderstood(Exception):
    """A text that fits no line of the notation. `line` is the text as given, `message` says what would fit."""

    def __init__(self, code: str, rule: str, line: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.line = line
        self.message = message


def require(claim: object, code: str, rule: str, template: str, /, **values: Any) -> None:
    """Refuse with RuleViolation unless `claim` holds, in a sentence of this template and these values.

    A value may be a function without arguments: it is called only where the claim does not hold, so that what takes
    time to tell costs nothing while all is well. A finished Sentence is taken as it is.
    """
    if not claim:
        refuse(code, rule, template, **values)


def refuse(code: str, rule: str, template: str, /, **values: Any) -> NoReturn:
    """Refuse with RuleViolation: what `require` does, for what is asked of a thousand actions in a row."""
    raise RuleViolation(code, rule, sentence(template, values))


def sentence(template: str, values: Mapping[str, Any]) -> Sentence:
    """What a refusal says: a template filled with values, or with what functions among them return."""
    if isinstance(template, Sentence):
        return template
    return say(template, **{name: value() if callable(value) else value for name, value in values.items()})


class Unfit(Exception):
    """Standing orders that do not fit the decision they were filed for: they are dropped, never guessed at.

    `message` is one sentence for the player who filed them, and for nobody else.
    """

    def __init__(self, code: str, rule: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.message = message
