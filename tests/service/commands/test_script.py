"""`wardroom script` (CH-16.7): a game as a text, played and written."""

import json
import os

from click.testing import CliRunner

from service.cli import main
from tests.domain.city_hall.test_script import E36


def run(*words: str, given: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(main, ["script", *words], input=given)
    return result.exit_code, result.output


def test_ch_e36_is_played_from_its_script():
    code, output = run("play", "city-hall", "-", given=E36)
    document = json.loads(output)
    assert code == 0
    assert (document["round"], document["phase"]) == (2, "activate")
    assert [seat["name"] for seat in document["seats"]] == ["ann", "ben", "cat"]
    assert all(seat["money"] is not None for seat in document["seats"])


def test_ch_16_7_a_script_that_is_wrong_is_refused_with_its_line():
    code, output = run("play", "city-hall", "-", given=E36.replace("draft", "draught", 1))
    assert code == os.EX_DATAERR
    assert "ine " in output
    assert "Traceback" not in output


def test_a_game_without_a_script_format_says_which_has_one():
    code, output = run("play", "tammany-hall", "-", given="")
    assert code == os.EX_DATAERR
    assert "city-hall" in output


def test_a_broken_history_is_no_script():
    code, output = run("write", "-", given="{}")
    assert code == os.EX_DATAERR
    assert "broken" in output
