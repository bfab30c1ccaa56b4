"""The rules of Tammany Hall and City Hall, for programs that play: no server, no network, no clock.

`Position` is a game to play on, `think` a bot. What is named here is imported when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from domain.engine.bots import STRENGTHS, TEMPERS, Bot
    from domain.engine.refusals import OrderNotUnderstood, RuleViolation
    from domain.rulesets import RULESETS, ruleset
    from domain.search.position import Position
    from domain.search.think import Line, Thought, think

__all__ = [
    "Position", "RULESETS", "ruleset", "RuleViolation", "OrderNotUnderstood",
    "Bot", "STRENGTHS", "TEMPERS", "Line", "Thought", "think",
]  # fmt: skip

_MODULES = {
    "domain.engine.bots": ("STRENGTHS", "TEMPERS", "Bot"),
    "domain.engine.refusals": ("OrderNotUnderstood", "RuleViolation"),
    "domain.rulesets": ("RULESETS", "ruleset"),
    "domain.search.position": ("Position",),
    "domain.search.think": ("Line", "Thought", "think"),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(module), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
