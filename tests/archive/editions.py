"""The edition of each game's rules beside what those rules decided: `python -m tests.archive.editions` writes it down.

What was decided is a digest of the games in the archive and of all that two legal actions lead to in the positions
of perft. A correction of the rules changes it, and is written down under a new edition only.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from domain.engine.canonical import canonical
from domain.engine.ruleset import Ruleset
from domain.rulesets import RULESETS
from tests.domain.city_hall.positions import POSITIONS as CITY_HALL_POSITIONS
from tests.domain.perft import decisions
from tests.domain.tammany_hall.positions import POSITIONS as TAMMANY_HALL_POSITIONS

HERE: Final = Path(__file__).parent
KEPT: Final = HERE / "editions.json"
POSITIONS: Final[Mapping[str, Mapping[str, Callable[[], Any]]]] = {
    "tammany-hall": TAMMANY_HALL_POSITIONS,
    "city-hall": CITY_HALL_POSITIONS,
}
AGAIN: Final = "then run " + ", ".join(
    f"`python -m tests.archive.{module}`" for module in ("make", "editions", "reference")
)


def decided(rules: Ruleset[Any, Any, Any]) -> dict[str, str]:
    """Digests of what these rules decide: for each archived game its last hash, for each position its actions."""
    index = json.loads((HERE / "games" / "index.json").read_text())
    games = {game["file"]: game["head"] for game in index if game["ruleset"] == rules.kind}
    positions = {
        name: hashlib.sha256(canonical(decisions(rules, build()))).hexdigest()
        for name, build in POSITIONS[rules.kind].items()
    }
    return games | positions


def read() -> dict[str, Any]:
    """What is written down, by kind of game."""
    found: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    return found


def fault(rules: Ruleset[Any, Any, Any], kept: Mapping[str, Any]) -> str:
    """What to do about rules that are not what is written down of them; "" where they are."""
    now, then = decided(rules), kept["decided"]
    if kept["edition"] != rules.edition:
        return f"{rules.kind} has a new edition: {AGAIN.removeprefix('then ')}."
    changed = sorted(name for name in now.keys() & then.keys() if now[name] != then[name])
    if changed:
        return (
            f"The rules of {rules.kind} decide otherwise than edition {rules.edition} did ({', '.join(changed)}): "
            f"raise the edition of {rules.kind} in domain/{rules.kind.replace('-', '_')}/__init__.py, {AGAIN}."
        )
    if now != then:
        return f"Games or positions of {rules.kind} came or went: run `python -m tests.archive.editions`."
    return ""


def main() -> None:
    """Write down every edition. Refuses to do so for rules that changed without a new one."""
    kept = read()
    for kind, rules in RULESETS.items():
        if kind in kept and (why := fault(rules, kept[kind])).startswith("The rules"):
            sys.exit(why)
        kept[kind] = {"edition": rules.edition, "decided": decided(rules)}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
