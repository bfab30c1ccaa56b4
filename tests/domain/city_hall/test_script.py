"""The game script (CH-16.7), read, played and written."""

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.text.script import play_script, read_script, write_script
from tests.domain.city_hall.playouts import VARIANTS, playouts
from tests.domain.city_hall.scenario import Dice, Record, opened

E36 = """\
players ann ben cat
order ann ben cat
lands Q1 M3 B5 Q6 M4 B1 B9 Q8 Q2 Q3 Q4 Q5 Q7 B2 B3 B4 B6 B7 B8 M1 M2 M5
permits park housing tower factory housing housing housing housing tower tower tower tower factory factory factory factory park park park
ann: draft M3
ben: draft Q6
cat: draft Q1
ann: draft B5
ben: draft M4
cat: draft B9
ann: build housing M3 return factory
ben: build factory M4 return tower
cat: build tower Q1 return housing
ann: activate zoning              # reveals park housing tower
ben: bid 1
cat: bid 2
ann: accept cat                   # ann 5, cat 2 influence
cat: zone take park build park B9 under tower housing
chance lands Q2 Q3 Q4 Q5 Q7 B2 B3 B4 B6 B7 B8 M1 M5
ben: activate surveyor search M2  # ben 2 influence
cat: pass
ann: pass
ben: buy B1                       # 20 + 15 - 20 = 15
cat: activate tax
ann: pass
ben: bid 0
cat: keep
cat: tax double                   # 2 x (1 + 3) = 8
"""  # noqa: E501
NAMES = ("ann", "ben", "cat")


def after(text: str) -> Record:
    """The game a script leads to."""
    state, facts = play_script(read_script(text))
    return Record(state, Dice(), NAMES, tuple(facts))


def test_ch_e36_a_whole_opening():
    """CH-E36, CH-16.7: everything it says of round 2."""
    game = after(E36).see(round=2, active="ann", phase="activate", turn_order="ann ben cat", final=False)
    game.see(money=[25, 15, 33], influence=[6, 3, 3], approval=1, population=1, totals=[0, 1, 0], star_token=3)
    game.see(hands={"ann": "tower", "ben": "housing", "cat": "factory"})
    game.see(offices=dict.fromkeys(("campaign", "lobbyist", "health", "deputy"), 1))
    game.see(offices=dict.fromkeys(("tax", "surveyor", "zoning"), 0))
    game.see(available={"M2": 5, "Q8": 10}, land_deck=13, permit_deck=21, bottom="tower housing")


@pytest.mark.parametrize(
    "line, expected",
    [
        ("accept cat", {"influence": [5, 3, 2], "revealed": "park housing tower", "permit_deck": 19}),
        ("search M2", {"influence": [5, 2, 2], "available": {"Q8": 5, "B1": 15, "M2": 0}, "land_deck": 13}),
        ("buy B1", {"money": [25, 15, 25], "available": {"Q8": 10, "M2": 5}}),
        ("bid 0", {"phase": "decide", "bids": [("ann", None), ("ben", 0)]}),
    ],
)
def test_ch_e36_on_the_way(line, expected):
    """CH-E36: what the comments say."""
    lines = E36.splitlines()
    (number,) = (number for number, it in enumerate(lines) if line in it)
    after("\n".join(lines[: number + 1])).see(**expected)


def test_ch_e36_the_same_game_by_hand():
    """CH-E36, CH-22.9: line by line through the notation, with chance as told, it is the same document."""
    lands = E36.splitlines()[2].split()[1:]
    game = opened(3, lands=" ".join(lands), permits="park housing tower")
    for line in E36.splitlines()[4:]:
        name, colon, text = line.partition("#")[0].partition(":")
        if colon:
            game = game.when(name, text)
    assert game.document == after(E36).document
    assert game.state == after(E36).state


def test_ch_e36_written_back():
    """CH-E36, CH-16.7: the same lines; of the Permits nobody has seen there is no order to write down."""
    game = after(E36)
    written = write_script(game.facts, NAMES)
    plain = [line.partition("#")[0].strip() for line in E36.splitlines()]
    lines = written.splitlines()
    assert lines[:3] + lines[4:] == plain[:3] + plain[4:]
    assert lines[3].split()[:4] == plain[3].split()[:4]
    assert sorted(lines[3].split()) == sorted(plain[3].split())
    assert after(written).state == game.state
    assert write_script(after(written).facts, NAMES) == written


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_ch_16_7_any_game_can_be_written_and_replayed(number):
    """CH-16.7, CH-15.1, CH-22.9: the same facts and the same state, draws and all, for pawns and for names."""
    played = playouts()[number]
    text = write_script(played.facts)
    state, facts = play_script(read_script(text), played.options)
    assert facts == played.facts
    assert state == played.end
    names = ("zoe", "yan", "xia-li", "w_1")[: played.players]
    renamed = write_script(played.facts, names)
    assert play_script(read_script(renamed), played.options)[0] == played.end
    assert CITY_HALL.notation.pawns[0] not in renamed
    half = write_script(played.facts[: len(played.facts) // 2])
    assert half.startswith("players")
    play_script(read_script(half), played.options)


def test_ch_16_7_letter_case_comments_and_blank_lines():
    """CH-16.7: `#` starts a comment; letter case does not matter."""
    noisy = "# an opening\n\n" + E36.upper().replace("ANN: DRAFT M3", "  Ann :  DRAFT   m3 # first\n\n   # more")
    assert after(noisy).state == after(E36).state


def changed(old: str, new: str) -> str:
    assert old in E36
    return E36.replace(old, new, 1)


WRONG = {
    "no header": E36.partition("ann: draft")[1] + "\n",
    "nothing": "",
    "a header in another order": changed(
        "players ann ben cat\norder ann ben cat", "order ann ben cat\nplayers ann ben cat"
    ),
    "one player": changed("players ann ben cat", "players ann"),
    "five players": changed("players ann ben cat", "players ann ben cat dan eve"),
    "a name twice": changed("players ann ben cat", "players ann ben ann"),
    "a name that is none": changed("players ann ben cat", "players ann ben 3"),
    "an order of others": changed("order ann ben cat", "order ann ben dan"),
    "a space twice": changed("lands Q1 M3", "lands Q1 Q1"),
    "a space too few": changed("lands Q1 M3", "lands M3"),
    "a space there is not": changed("lands Q1 M3", "lands Q1 M6"),
    "a Permit too many": changed("permits park", "permits park park"),
    "a Permit of a kind there is not": changed("permits park", "permits church"),
    "the starting Permits in the deck": changed("permits park housing", "permits housing housing"),
    "somebody who does not play": changed("ann: draft M3", "dan: draft M3"),
    "no colon": changed("ann: draft M3", "ann draft M3"),
    "an action that cannot be read": changed("ann: draft M3", "ann: draught M3"),
    "an action that is refused": changed("ann: draft M3", "ben: draft M3"),
    "cards of chance that are not the rest": changed("chance lands Q2 Q3", "chance lands Q3"),
    "cards of chance without a search": changed("cat: pass\nann: pass", "chance lands Q2 Q3 Q4\ncat: pass\nann: pass"),
    "cards of chance at the end": E36 + "chance lands Q2 Q3\n",
}


@pytest.mark.parametrize("fault", WRONG)
def test_ch_16_7_a_script_that_is_wrong_is_refused(fault):
    """CH-16.7: with the line."""
    with pytest.raises(ValueError, match=r"Line [0-9]+"):
        play_script(read_script(WRONG[fault]))


def test_ch_16_7_a_refusal_says_which_line_and_why():
    """CH-16.7, CH-17.3: the line of the text, and the reason of the rules."""
    with pytest.raises(ValueError, match=r"Line 6: .*\(land-not-available\)"):
        play_script(read_script(changed("ben: draft Q6", "ben: draft M3")))


def test_ch_16_7_a_search_shuffles_the_deck_anew():
    """CH-16.7, CH-8.9: after the chance line the next card is the first it names."""
    game = after(changed("chance lands Q2 Q3 Q4 Q5", "chance lands Q5 Q4 Q3 Q2") + "ann: activate surveyor\n")
    game.see(available={"M2": 5, "Q8": 10, "Q5": 0})
    after(E36 + "ann: activate surveyor\n").see(available={"M2": 5, "Q8": 10, "Q2": 0})
