"""Choices by REST: the tree of what may be done, in the language of the reader."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.api.table import Api, ApiTable, Player


def paths(steps: list[dict[str, Any]], before: str = "") -> Iterator[str]:
    """Every line that the values of a tree spell."""
    for step in steps:
        for option in step.get("options", ()):
            words = f"{before} {option['value']}".strip()
            if option["line"] is not None:
                assert option["line"] == words
                yield words
            yield from paths(option["next"], words)


def begin(api: Api, **terms: Any) -> tuple[ApiTable, Player, list[Player]]:
    """A game, whose turn it is, and the others."""
    table = api.begin(*api.players("Ann Bob Cyd"), **terms)
    first = table.awaited
    return table, first, [player for player in table.seated if player != first]


def choices(table: ApiTable, player: Player) -> dict[str, Any]:
    found: dict[str, Any] = table.get(player, "actions?as=choices").ok().json
    return found


def test_the_tree_spells_every_action_of_the_list(api):
    table, first, others = begin(api)
    found = choices(table, first)
    assert (found["version"], found["complete"]) == (table.version, True)
    lines = list(paths(found["choices"]))
    assert set(table.legal(first)) <= set(lines)
    assert {" ".join(sorted(line.split())) for line in lines} == {
        " ".join(sorted(line.split())) for line in table.legal(first)
    }
    assert choices(table, others[0]) == {"version": table.version, "choices": [], "complete": True}
    (step,) = found["choices"]
    place = next(option for option in step["options"] if option["value"] == "place")
    assert (place["label"], place["line"], place["next"][0]["field"]) == ("Place two bosses", None, "ward")
    assert place["next"][0]["options"][0] | {"next": []} == {
        "value": "1", "label": "Ward 1", "target": "ward-1", "line": None, "next": [],
    }  # fmt: skip


def test_the_tree_has_a_tag_of_its_own_and_is_not_sent_twice(api):
    table, first, _ = begin(api)
    tree, whole = table.get(first, "actions?as=choices"), table.get(first, "actions")
    assert tree.headers["ETag"] == tree.tag(table.version) != whole.headers["ETag"]
    again = table.get(first, "actions?as=choices", headers={"If-None-Match": tree.headers["ETag"]})
    assert (again.status, again.data) == (304, b"")
    table.get(first, "actions?as=tree").refused(400, "bad-request")
    assert table.get(first, "actions?as=list").data == whole.data


@pytest.mark.slow
def test_a_bid_is_asked_for_by_chips(api):
    table, _, _ = begin(api)
    bidder, *_ = table.to_bids()
    (step,) = choices(table, bidder)["choices"]
    held = table.purse(bidder)
    assert (step["field"], step["words"], step["nothing"]) == ("chips", "bid ward 1", "none")
    assert {amount["value"]: amount["most"] for amount in step["amounts"]} == {
        colour: held.get(colour, 0) for colour in ("irish", "english", "german", "italian")
    }


@pytest.mark.slow
def test_labels_are_in_the_language_of_the_reader(api):
    table, first, _ = begin(api, ruleset="city-hall")
    api.patch("/me", first, {"language": "de"}).ok()
    (step,) = choices(table, first)["choices"]
    assert step["label"] == "Welches Grundstück wählst du?"
