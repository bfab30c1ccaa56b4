"""The table of kinds is complete: whatever is put into the outbox is declared, and webhooks are told what it says."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.games import chat
from service.integrity.export_bundle import TOLD
from service.notify import digests
from service.notify.kind import FEED, KINDS, MAIL, PUSH, WEBHOOK, Urgency, kinds_of
from service.privacy import final_mail
from service.store.outgoing.routes import CALLED_FOR, PING, ROUTES, TOLD_IN_FEEDS, TOLD_TO_WEBHOOKS

SERVICE = Path(__file__).parents[3] / "service"


def literals(node: ast.AST) -> Iterator[str]:
    """The kinds that are written out in calls of `notice`, in rows with a kind, and in what `_tells` yields."""
    for part in ast.walk(node):
        match part:
            case ast.Call(func=ast.Name(id="notice"), args=[_, _, ast.Constant(value=str(kind)), *_]):
                yield kind
            case ast.Dict(keys=keys, values=values):
                named = dict(zip([key.value for key in keys if isinstance(key, ast.Constant)], values, strict=False))
                if "recipient" in named and isinstance(kind := named.get("kind"), ast.Constant):
                    yield str(kind.value)
            case ast.FunctionDef(name="_tells"):
                yield from (
                    str(told.value.elts[0].value)
                    for told in ast.walk(part)
                    if isinstance(told, ast.Yield)
                    and isinstance(told.value, ast.Tuple)
                    and isinstance(told.value.elts[0], ast.Constant)
                )


@pytest.mark.slow
def test_every_kind_that_is_put_into_the_outbox_is_declared():
    made = {kind for path in SERVICE.rglob("*.py") for kind in literals(ast.parse(path.read_text()))}
    assert {"code", "invitation", "your-turn", "game-over", "undeliverable", "probe", "vacant"} <= made, "it looks well"
    made |= {chat.KIND, digests.KIND, final_mail.KIND, "reminder", "answer", "confirm", "fresh"}
    assert made == KINDS.keys() - {PING}


def test_webhooks_are_told_what_the_table_says():
    assert {kind.name for kind in KINDS.values() if kind.event} == TOLD_TO_WEBHOOKS | {PING}
    assert set(ROUTES) == {MAIL, WEBHOOK, FEED, PUSH}, "notices are queued on these channels"
    assert all((WEBHOOK in kind.channels) == bool(kind.event) for kind in KINDS.values())
    assert [kind.name for kind in KINDS.values() if MAIL not in kind.channels] == [PING]
    assert {kind.name for kind in KINDS.values() if FEED in kind.channels} == TOLD_IN_FEEDS


def test_devices_are_called_for_what_the_table_says():
    assert {kind.name for kind in KINDS.values() if PUSH in kind.channels} == CALLED_FOR | {PING}


def test_bundles_tell_of_events_only():
    assert {KINDS[name].subject for name in TOLD} == {"event", ""}
    assert [name for name in TOLD if not KINDS[name].subject] == ["game-over"]


def test_each_kind_has_one_urgency_and_every_urgency_a_kind():
    assert sorted(name for urgency in Urgency for name in kinds_of(urgency)) == sorted(KINDS)
    assert all(kinds_of(urgency) for urgency in Urgency)
