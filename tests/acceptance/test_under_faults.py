"""Turn mails under a fault every four seconds, in both modes (G-01, G-03, G-05): `tests/simulation/rig`.

Real processes are killed, frozen and started again while people play who move when their mail has come.
"""

import json
import os
from pathlib import Path

import pytest

from tests.simulation.rig.run import run

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(1200)]
SECONDS = float(os.environ.get("RIG_SECONDS", "150"))
LATEST = 45.0
"""Seconds that a turn mail may be late under faults (G-05), but for one of a hundred."""


@pytest.mark.parametrize("mode", ["embedded", "production"])
def test_g05_turn_mails_come_within_45_seconds_none_is_lost_and_no_answer_is_a_bare_500(
    mode: str, tmp_path: Path
) -> None:
    found = run(mode, SECONDS, 8, os.environ.get("RIG_SEED", "1"), tmp_path)
    print(json.dumps(found, indent=2))
    assert found["wrong"] == []
    assert sum(found["faults"].values()) >= SECONDS / 8
    assert found["turns"] > SECONDS / 4, "people played"
    assert found["p99"] <= LATEST
    assert found["copies"] <= sum(found["faults"].values()), "one for each fault that hits an open dialogue, at most"
    assert not {status for status in found["statuses"] if status >= 500} - {503}
