"""The clock policy: what a host may ask for, and what it makes of a decision (DESIGN 7); names and addresses."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.refusals import RuleViolation
from domain.rulesets import RULESETS
from domain.tammany_hall import TAMMANY_HALL
from service.accounts.names import LONGEST_NAME, email_key, former_player, handles, normalise_email, normalise_name
from service.clocks.hours import scaled
from service.clocks.policy import check_clock, policy
from service.clocks.seat_clocks import ALWAYS, Shown, policy_seconds, shown_for
from service.languages import LANGUAGES, words

LEAST = timedelta(minutes=10)
SECOND = 1_000_000
DAY = 86_400 * SECOND
FULL = {
    "per_move": "P3D",
    "bank": "PT0S",
    "increment": "PT0S",
    "weekends": "count",
    "quiet_hours": False,
    "leave_days": 0,
    "grace": "PT10M",
    "reminders": ["P1D", "PT6H"],
    "on_timeout": "caretaker",
    "strikes": 2,
}

# What a host may ask for


def test_a_host_who_asks_for_nothing_gets_the_house_s_policy():
    assert check_clock({}, LEAST) == FULL


def test_a_policy_checked_again_is_the_same():
    for given_clock in ({}, {"per_move": "PT10M"}, {"per_move": "P2W", "reminders": ["PT90M"], "strikes": 1}):
        once = check_clock(given_clock, LEAST)
        assert check_clock(once, LEAST) == once


@pytest.mark.parametrize(
    "asked, kept",
    [
        ({"per_move": "PT72H"}, {"per_move": "P3D"}),
        ({"per_move": "P1W"}, {"per_move": "P7D"}),
        ({"per_move": "PT86400S", "reminders": []}, {"per_move": "P1D", "reminders": []}),
        ({"reminders": ["PT60M", "P2D"]}, {"reminders": ["P2D", "PT1H"]}),
        ({"strikes": 10}, {"strikes": 10}),
        ({"grace": "PT0S"}, {"grace": "PT0S"}),
        ({"grace": "P3D"}, {"grace": "P3D"}),
        ({"bank": "P0D", "increment": "PT0M"}, {"bank": "PT0S", "increment": "PT0S"}),
        ({"weekends": "count", "quiet_hours": False, "leave_days": 0}, {}),
        ({"bank": "P1W", "increment": "PT12H"}, {"bank": "P7D", "increment": "PT12H"}),
        ({"bank": "P60D", "increment": "P60D"}, {"bank": "P60D", "increment": "P60D"}),
        ({"per_move": "P365D"}, {"per_move": "P365D"}),
        (
            {"per_move": "P7D", "bank": "PT48H", "reminders": ["P8DT23H59M"]},
            {"per_move": "P7D", "bank": "P2D", "reminders": ["P8DT23H59M"]},
        ),
        ({"leave_days": 60, "weekends": "skip"}, {"leave_days": 60, "weekends": "skip"}),
        (
            {"quiet_hours": True, "on_timeout": "pause", "strikes": 1},
            {"quiet_hours": True, "on_timeout": "pause", "strikes": 1},
        ),
    ],
)
def test_durations_are_kept_in_one_spelling(asked, kept):
    assert check_clock(asked, LEAST) == FULL | kept


@pytest.mark.parametrize(
    "per_move, grace, reminders",
    [
        ("P2D", "PT10M", ["P1D", "PT6H"]),
        ("P1D", "PT10M", ["PT6H"]),
        ("PT6H", "PT10M", []),
        ("PT10M", "PT10M", []),
    ],
)
def test_what_a_host_leaves_out_fits_the_time_for_a_move(per_move, grace, reminders):
    checked = check_clock({"per_move": per_move}, LEAST)
    assert (checked["grace"], checked["reminders"]) == (grace, reminders)


def test_with_a_very_short_time_for_a_move_the_grace_is_as_short():
    assert check_clock({"per_move": "PT30S"}, timedelta(seconds=1))["grace"] == "PT30S"


@pytest.mark.parametrize(
    "asked, code, says",
    [
        ({"per_move": "PT9M59S"}, "bad-clock", "“per_move” must be at least PT10M here."),
        ({"per_move": "PT0S"}, "bad-clock", "“per_move” must be at least PT10M here."),
        ({"per_move": "P366D"}, "bad-clock", "“per_move” must be at most P365D."),
        ({"per_move": "three days"}, "bad-clock", "“per_move”: 'three days' is no duration"),
        ({"per_move": ""}, "bad-clock", "“per_move”: '' is no duration"),
        ({"per_move": "P1M"}, "bad-clock", "“per_move”: 'P1M' is no duration"),
        ({"per_move": "-P1D"}, "bad-clock", "“per_move”: '-P1D' is no duration"),
        ({"per_move": "PT1.5H"}, "bad-clock", "“per_move”: 'PT1.5H' is no duration"),
        ({"per_move": "P" + "9" * 9 + "W"}, "bad-clock", "is longer than any game"),
        ({"grace": "P3DT1S"}, "bad-clock", "“grace” must not be longer than “per_move”."),
        ({"grace": "soon"}, "bad-clock", "“grace”: 'soon' is no duration"),
        ({"reminders": ["P3D"]}, "bad-clock", "A reminder must come after the move is asked for."),
        ({"reminders": ["P4D"]}, "bad-clock", "A reminder must come after the move is asked for."),
        ({"reminders": ["PT0S"]}, "bad-clock", "A reminder must come after the move is asked for."),
        ({"reminders": ["P1D", "PT24H"]}, "bad-clock", "“reminders” takes up to five different times."),
        ({"reminders": [f"PT{n}H" for n in range(1, 7)]}, "bad-clock", "“reminders” takes up to five different times."),
        ({"reminders": ["later"]}, "bad-clock", "“reminders”: 'later' is no duration"),
        ({"strikes": 0}, "bad-clock", "“strikes” is a number from 1 to 10."),
        ({"strikes": 11}, "bad-clock", "“strikes” is a number from 1 to 10."),
        ({"strikes": -1}, "bad-clock", "“strikes” is a number from 1 to 10."),
        ({"per_move": "P365DT1S"}, "bad-clock", "“per_move” must be at most P365D."),
        ({"bank": "P60DT1S"}, "bad-clock", "“bank” must be at most P60D."),
        ({"bank": "much"}, "bad-clock", "“bank”: 'much' is no duration"),
        ({"bank": "-PT1S"}, "bad-clock", "“bank”: '-PT1S' is no duration"),
        ({"increment": "PT1S"}, "bad-clock", "“increment” fills the bank, so it must not be longer than “bank”."),
        ({"bank": "P1D", "increment": "P1DT1S"}, "bad-clock", "“increment” fills the bank"),
        ({"bank": "P1D", "increment": "a bit"}, "bad-clock", "“increment”: 'a bit' is no duration"),
        ({"bank": "P1D", "reminders": ["P4D"]}, "bad-clock", "A reminder must come after the move is asked for."),
        ({"leave_days": -1}, "bad-clock", "“leave_days” is a number from 0 to 60."),
        ({"leave_days": 61}, "bad-clock", "“leave_days” is a number from 0 to 60."),
        ({"weekends": "sometimes"}, "bad-clock", "“weekends” is “count” or “skip”."),
        ({"on_timeout": "explode"}, "bad-clock", "“on_timeout” is “caretaker” or “pause”."),
    ],
)
def test_what_a_game_cannot_have_is_refused_with_its_sentence(asked, code, says):
    with pytest.raises(RuleViolation) as refused:
        check_clock(asked, LEAST)
    assert refused.value.code == code
    assert says in refused.value.message
    assert refused.value.message.endswith(".")


def test_the_shortest_time_for_a_move_is_the_server_s():
    assert check_clock({"per_move": "PT2S"}, timedelta(seconds=2))["per_move"] == "PT2S"
    with pytest.raises(RuleViolation, match="at least P1D"):
        check_clock({"per_move": "PT23H"}, timedelta(days=1))


# What it makes of a decision


@pytest.mark.slow
@given(st.integers(0, 2**52), st.integers(600, 365 * 86_400))
def test_t43_an_answer_is_due_after_elapsed_time_and_nothing_else(began, seconds):
    asked = {"per_move": f"PT{seconds}S", "reminders": []}
    made = policy(check_clock(asked, LEAST))
    assert shown_for(ALWAYS, began, made.per_move, made.bank) == Shown(
        began + seconds * SECOND, began + seconds * SECOND
    )


def test_the_policy_is_in_microseconds_and_the_first_reminder_is_the_earliest():
    made = policy(FULL | {"reminders": ["PT1H", "P2D", "P1D"]})
    assert (made.per_move, made.grace) == (3 * DAY, 600 * SECOND)
    assert made.reminders == (2 * DAY, DAY, 3600 * SECOND)


@pytest.mark.parametrize(
    "now, following",
    [
        (0, 2 * DAY),
        (2 * DAY - 1, 2 * DAY),
        (2 * DAY, 2 * DAY + 18 * 3600 * SECOND),
        (2 * DAY + 18 * 3600 * SECOND - 1, 2 * DAY + 18 * 3600 * SECOND),
        (2 * DAY + 18 * 3600 * SECOND, None),
        (3 * DAY, None),
        (9 * DAY, None),
    ],
)
def test_the_next_reminder_is_the_next_rung_ahead(now, following):
    """Rungs that passed while nobody looked are not made up for."""
    made = policy(FULL)
    assert made.next_reminder(made.per_move, now) == following


def test_a_policy_without_reminders_reminds_of_nothing():
    made = policy(check_clock({"reminders": []}, LEAST))
    assert made.next_reminder(made.per_move, 0) is None


def test_with_quiet_hours_the_time_of_a_move_the_bank_and_the_increment_are_fourteen_hours_a_day():
    hour = 3600 * SECOND
    asked = {"per_move": "P3D", "bank": "P7D", "increment": "PT12H", "quiet_hours": True, "grace": "PT10M"}
    made = policy(check_clock(asked, LEAST))
    assert (made.per_move, made.bank, made.increment) == (42 * hour, 98 * hour, 7 * hour)
    assert made.grace == 600 * SECOND, "grace is for mail that is under way: mail flies by night"
    assert made.reminders == (DAY, 6 * hour)


@pytest.mark.slow
@given(st.integers(0, 400 * 86_400))
def test_what_is_scaled_to_charged_time_and_kept_in_seconds_is_the_same_again(seconds):
    for quiet in (True, False):
        made = policy(check_clock({"quiet_hours": quiet}, LEAST))
        assert policy_seconds(scaled(seconds * SECOND, quiet), made) == seconds


@pytest.mark.parametrize(
    "asked, plain",
    [
        ({}, True),
        ({"bank": "P7D", "increment": "PT12H", "on_timeout": "pause"}, True),
        ({"quiet_hours": True}, False),
        ({"weekends": "skip"}, False),
        ({"leave_days": 1}, False),
    ],
)
def test_only_nights_weekends_and_leave_make_a_clock_stand(asked, plain):
    assert policy(check_clock(asked, LEAST)).plain == plain


def test_a_policy_from_before_there_were_banks_means_what_it_meant():
    old = {"per_move": "P3D", "grace": "PT10M", "reminders": ["P1D", "PT6H"], "on_timeout": "caretaker", "strikes": 2}
    assert policy(old) == policy(FULL)


def test_the_same_policy_in_another_order_is_the_same():
    assert policy(FULL) is policy(dict(reversed(FULL.items())))


# Names


@pytest.mark.parametrize(
    "name, kept",
    [
        ("Anna", "Anna"),
        ("  Anna \u00a0 Maria\u3000", "Anna Maria"),
        ("Zoe\u0308", "Zoë"),
        ("Łukasz Żółć", "Łukasz Żółć"),
        ("Нина", "Нина"),
        ("武", "武"),
        ("O'Neill-Smith Jr.", "O'Neill-Smith Jr."),
        ("4", "4"),
        ("🦊 Fox", "🦊 Fox"),
        ("x" * LONGEST_NAME, "x" * LONGEST_NAME),
    ],
)
def test_a_name_is_kept_as_people_write_it(name, kept):
    assert normalise_name(name) == kept
    assert normalise_name(kept) == kept


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * (LONGEST_NAME + 1),
        "---",
        "🦊",
        "\u0301",
        "a\nb",
        "a\r\nBcc: evil@x.example",
        "a\tb",
        "a\x00b",
        "a\x7fb",
        "a\u200bb",  # zero width space
        "a\u202eb",  # right-to-left override
        "a\u2066b",
        "a\u2028b",
        "a\ufeffb",
        "a\ud800b",
        "a\ue000b",
        "=?UTF-8?Q?=0A?=Bcc: evil@x.example",
        "é =?x",
    ],
)
def test_t50_t5a_a_name_that_could_mislead_a_header_or_a_reader_is_refused(name):
    with pytest.raises(ValueError, match=r"\.$"):
        normalise_name(name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_can_be_called_what_people_are_called_who_are_gone(language):
    said = words(language)(former_player(RULESETS["city-hall"], 0))
    wide = "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in said)
    for name in (said, said.upper(), said.partition("(")[0], f"  {said.replace(' ', '   ')}", wide):
        with pytest.raises(ValueError, match="choose another name"):
            normalise_name(name)
    assert normalise_name("Ann – a former player") == "Ann – a former player"


@pytest.mark.parametrize("name", [
    "Yellow (bot 3)", "Jaune (robot 2, patient)", "Gelb (Bot)", "Ann ( ＢＯＴ 1)", "Yellow (bot2)", "Gelb (Bot2)",
    "Jaune (robot2)", "Yellow [bot 2]", "Yellow {bot 2}", "Yellow <bot 2>", "Yellow ‹bot 2›", "Yellow ❨bot 2❩",
    "Yellow （bot 2）", "Yellow (bot²)", "Yellow (bot_2)", "Yellow (- bot 2", "Yellow ((bot 2))", "Yellow (bot②)",
])  # fmt: skip
def test_nobody_has_the_name_of_a_bot(name):
    with pytest.raises(ValueError, match="what bots are called"):
        normalise_name(name)
    for allowed in ("Abbott (botanist)", "Botond [Pest]", "Robot Redford", "Ann (no bot)"):
        assert normalise_name(allowed) == allowed


@pytest.mark.slow
@given(st.text(max_size=60))
def test_t50_whatever_is_kept_as_a_name_is_harmless(name):
    try:
        kept = normalise_name(name)
    except ValueError:
        return
    assert normalise_name(kept) == kept
    assert kept.isprintable() or all(letter.isprintable() or letter == " " for letter in kept)
    assert "=?" not in kept
    assert 1 <= len(kept) <= LONGEST_NAME


@pytest.mark.parametrize(
    "address",
    ["a@b", "anna@people.example", "Anna.Maria+games@mail.x.example", "o'neill@x-y.example", f"{'a' * 64}@x.example"],
)
def test_a_mail_address_is_kept_as_it_was_written(address):
    assert normalise_email(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "anna",
        "@x.example",
        "anna@",
        "a@b@c",
        "anna@x..example",
        "anna@.example",
        "an na@x.example",
        "Anna <anna@x.example>",
        "anna@x.example\n",
        "anna@x.example\r\nBcc: evil@x.example",
        "anna@x.example,bob@x.example",
        "änna@x.example",
        f"{'a' * 65}@x.example",
        f"a@{'x' * 64}.example",
        "a@" + "x." * 130 + "example",
        "anna@[127.0.0.1]",
        '"a b"@x.example',
        "anna\x00@x.example",
    ],
)
def test_what_is_no_mail_address_is_refused(address):
    with pytest.raises(ValueError, match=r"\.$"):
        normalise_email(address)


def test_two_spellings_of_one_address_have_one_key():
    assert email_key("Anna@People.Example") == email_key("anna@people.example")
    assert email_key("anna@people.example") != email_key("ann.a@people.example")


# Handles: what to type for a player (TH-15.1)


@pytest.mark.parametrize(
    "names, typed",
    [
        (["Anna", "Bob", "Cyd"], ["anna", "bob", "cyd"]),
        (["Anna Maria", "Zoë", "O'Neill"], ["anna-maria", "zoe", "o-neill"]),
        ([None, "Bob", None], ["red", "bob", "black"]),
        (["武", "Нина", "🦊 Fox"], ["red", "yellow", "fox"]),
        (["Anna", "anna", "ANNA"], ["anna", "anna-yellow", "anna-black"]),
        (["Irish", "End", "Red"], ["irish-red", "end-yellow", "red-black"]),
        (["yellow", "Bob", "red"], ["yellow-red", "bob", "red-black"]),
        (["4", "7up", "-x-"], ["red", "up", "x"]),
    ],
)
def test_th15_1_a_handle_is_the_name_in_letters_and_a_pawn_where_that_will_not_do(names, typed):
    assert handles(names, TAMMANY_HALL) == typed


every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)


@pytest.mark.slow
@every_ruleset
@given(data=st.data())
def test_th15_1_handles_can_be_typed_and_are_no_words_of_the_notation(rules, data):
    parts = st.sampled_from(["Anna", "anna", "x", "武", "", *sorted(rules.notation.reserved)])
    pairs = st.tuples(parts, parts).map("-".join)
    names = data.draw(st.lists(st.none() | parts | pairs | st.text(max_size=12), max_size=rules.seats[-1]))
    found = handles(names, rules)
    assert len(found) == len(names)
    for seat, handle in enumerate(found):
        assert set(handle) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
        assert handle == rules.notation.pawns[seat] or (handle and handle not in rules.notation.reserved)


@every_ruleset
@pytest.mark.parametrize("names", [["Anna"] * 2, ["x", "X", "x!"], [None] * 2, ["red", "red"], ["武", "武"]])
def test_th15_1_players_of_one_name_are_told_apart(rules, names):
    found = handles(names[: rules.seats[-1]], rules)
    assert len(set(found)) == len(found)


@every_ruleset
def test_th15_1_nobody_can_take_the_handle_that_another_would_get(rules):
    last = rules.seats[-1] - 1
    names = [f"h {rules.notation.pawns[last]}", *["h"] * last]
    assert len(set(handles(names, rules))) == len(names)
