"""Audit bundles: the form of the archive, what is in it, what is checked, and the command that checks it."""

import email
import email.policy
import json
import os
import random
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.audit.bundle.archive import FILES, archive, unpack
from domain.audit.bundle.schema import read_keys
from domain.audit.bundle.verify import check, check_export, is_bundle
from domain.audit.bundle.write import document, drawn
from domain.audit.checkpoints import HEADER, Checkpoint, Signed
from domain.audit.receipts import Witness
from domain.city_hall import CITY_HALL
from domain.engine.draws import Dice, draw_key
from domain.tammany_hall import TAMMANY_HALL
from service.cli import main
from tests.audit import maker
from tests.audit.bundles import HOST, SINCE, Host, bundled, entries_of, genuine
from tests.audit.spoiling import refitted
from tests.domain.table.gamebook import SEED, begin, finished, nonce, pennies, play_out

__all__ = ["pennies"]
pytestmark = pytest.mark.usefixtures("pennies")
STRANGER = Host("stranger")
OTHER_GAME = "zzzzzzzzzz"


def broken(data: bytes, what: str, *words: str, **more: Any) -> list[str]:
    """The sentences of a check that found something: at least one, with these words."""
    report = check(data, genuine, **more)
    found = [sentence for name, verdict, sentence in report.checks if (name, verdict) == (what, "broken")]
    assert found, report.checks
    assert any(all(word in sentence for word in words) for sentence in found), found
    assert all(sentence.endswith(".") for sentence in found)
    return found


def verdict(data: bytes, what: str, **more: Any) -> list[str]:
    return [one for name, one, _ in check(data, genuine, **more).checks if name == what]


def signed(name: str, change: Callable[[Any], Any], data: bytes | None = None) -> bytes:
    """A bundle with one file changed by the host itself: everything is signed again."""
    files = unpack(data or bundled(finished()))
    value = json.loads(files[name])
    change(value)
    files = unpack(refitted(files | {name: document(value)}))
    seal = {"key": HOST.id, "signature": HOST.sign(b"wardroom-bundle-v1\n" + files["manifest.json"])}
    return archive(files | {"signature.json": document(seal)})


# The archive


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=300), min_size=len(FILES), max_size=len(FILES)))
def test_s40_an_archive_is_the_zip_file_the_page_lays_down_and_what_was_packed_comes_out(contents):
    files = dict(zip(FILES, contents, strict=True))
    assert archive(files) == maker.pack(files)
    assert unpack(archive(files)) == files


@pytest.mark.parametrize("vector", sorted(maker.VECTORS.glob("*.zip")), ids=lambda path: path.stem)
def test_s40_a_vector_that_was_packed_long_ago_is_packed_again_to_the_same_bytes(vector):
    data = vector.read_bytes()
    assert archive(unpack(data)) == data


def test_an_archive_shorter_longer_or_of_other_files_is_named_as_such():
    data = bundled(finished())
    broken(data + b"\0\0", "archive", "2 bytes too many", str(len(data)))
    broken(b"\0" + data, "archive", "manifest.json cannot be found at byte 0")
    broken(data[:-1], "archive", "the end of the directory", str(len(data) - 1))
    for cut in range(0, len(data), 997):
        broken(data[:cut], "archive")
    assert is_bundle(data)
    assert not is_bundle(finished().export()[0])


def test_records_that_were_changed_are_bundled_as_they_are_and_the_check_names_the_event():
    entries = entries_of(finished())
    for field, value in (("result", 5), ("draw", {"label": "pot"}), ("result", "five")):
        changed = [*entries[:5], entries[5] | {"data": entries[5]["data"] | {field: value}}, *entries[6:]]
        broken(HOST.bundles(changed, [3, len(changed)]), "chain", "events.ndjson: event 6:")


def test_the_same_game_gives_the_same_bytes():
    assert bundled(finished()) == bundled(finished())


# Draws


@pytest.mark.parametrize("rules", [TAMMANY_HALL, CITY_HALL], ids=lambda rules: rules.kind)
def test_every_draw_is_made_from_its_items_with_the_key_of_seed_and_nonces(rules):
    game = play_out(begin("ann", "bob", rules=rules, bots=rules.seats[0] - 2), random.Random(8), late=0)
    events = [fact.event for fact in game.facts]
    key = draw_key(SEED, [chair.nonce for chair in game.table.chairs])
    made = list(drawn(rules, events))
    assert [one["index"] for one in made] == list(range(len(made)))
    assert {one["version"] for one in made} == {
        number for number, event in enumerate(events, 1) if hasattr(event, "draw")
    }
    for one in made:
        result = events[one["version"] - 1].result
        dice, label, items = Dice(key, one["index"]), one["label"], one["items"]
        if one["take"] == 1 and label in ("first-player", "land"):
            assert items[dice.below(label, len(items))] == result
            continue
        sample = dice.sample(label, items, one["take"])
        if label == "garden":
            assert {colour: sample.count(colour) for colour in result} == result
        elif label.startswith("zone"):
            assert sorted(sample) == sorted([*result.values()] if "14" not in result else _without(result, "14"))
        else:
            assert sample == list(result)[: len(sample)]


def _without(result: dict[str, str], ward: str) -> list[str]:
    return [colour for number, colour in result.items() if number != ward]


def test_q12_a_draw_that_was_undone_and_its_like_that_came_after_are_both_told():
    game = begin().move(0, "hide 0").move(1, "hide 3").move(2, "hide 1").move(1, "take")
    game = game.propose_undo(1).agree(0, 2).move(1, "take")
    game = play_out(game, random.Random(1), late=0)
    data = bundled(game)
    assert check(data, genuine).ok
    draws = json.loads(unpack(data)["draws.json"])["draws"]
    assert [one["index"] for one in draws] == list(range(len(draws)))
    assert len(draws) > int(game.table.options["rounds"])


# Rules


def test_another_edition_of_the_rules_is_said_and_proves_nothing():
    data = signed("rules.json", lambda value: value.update(edition="2", board={"other": 1}))
    report = check(data, genuine)
    assert report.ok
    assert verdict(data, "edition") == ["unchecked"]


def notice(**more: Any) -> dict[str, Any]:
    at = entries_of(finished())[5]["at"]
    return {"kind": "reminder", "queued": at, "seat": 1, "sent": None, "state": "queued", "version": 6} | more


LATER = "2027-01-01T00:00:00.000000Z"


def test_faults_without_end_are_counted_and_not_told_one_by_one():
    many = [notice(version=99)] * 500
    for told, name in (
        (bundled(finished(), notices=many), "notices.json"),
        (bundled(finished(), checkpoints=points(*[3] * 500)), "checkpoints.json"),
        (signed("draws.json", lambda value: value["draws"].extend([value["draws"][0]] * 500)), "draws.json"),
        (signed("rules.json", lambda value: value.update(schemas={})), "rules.json"),
    ):
        lines = broken(told, name, "more fault")
        assert len(lines) == 21


def points(*versions: int) -> list[dict[str, Any]]:
    return [HOST.checkpoint(entries_of(finished())[version - 1]) for version in versions]


# Receipts


def point(version: int, **more: Any) -> Checkpoint:
    entry = entries_of(finished())[version - 1] | more
    return Checkpoint(entry["game"], version, entry["hash"], entry["at"])


def header(checkpoint: Checkpoint, host: Host = HOST) -> Signed:
    return Signed(checkpoint, host.id, host.sign(checkpoint.message()))


def test_t4b_a_receipt_that_fits_is_said_to_and_one_that_does_not_names_the_event():
    data, ends = bundled(finished()), [end for end in finished().ends if end]
    kept = [Witness.of_receipt(point(end).receipt().lower().replace("-", " ", 3)) for end in ends]
    assert verdict(data, "receipts", witnesses=kept) == ["verified"] * len(ends)
    wrong = Witness.of_receipt(point(7, hash="1" * 64).receipt())
    (told,) = broken(data, "receipts", "event 7: the mail told of another event 7", "rewritten", witnesses=[wrong])
    assert "another game" in told
    unchecked = Witness.of_receipt(point(7, hash="1" * 64).receipt()[:-2])
    (told,) = broken(data, "receipts", "was mistyped", "another event 7", "rewritten", witnesses=[unchecked])
    assert told.startswith(f"event 7: the receipt {point(7, hash='1' * 64).receipt()[:-2]} was mistyped")
    between = broken(
        data, "receipts", "not before event 6: event 5", witnesses=[wrong, Witness.of_receipt(point(5).receipt())]
    )
    assert len(between) == 1


def test_a_receipt_speaks_for_what_comes_before_it_only_while_the_chain_holds():
    files = unpack(bundled(finished()))
    spoiled = refitted(files | {"events.ndjson": files["events.ndjson"].replace(b'"seat":1', b'"seat":2', 1)})
    for data, chained in ((bundled(finished()), True), (spoiled, False)):
        report = check(data, genuine, witnesses=[Witness.of_receipt(point(20).receipt())])
        ((_, verdict, told),) = [line for line in report.checks if line[0] == "receipts"]
        assert verdict == "verified"
        assert ("all before it" in told) is chained


def test_s41_without_a_receipt_it_says_where_to_find_one():
    assert verdict(bundled(finished()), "receipts") == ["unchecked"]
    (told,) = [line for line in check_export(finished().export(), genuine).checks if line[0] == "receipts"]
    assert told[1] == "unchecked"


FORGED = "0" * 128


def heard(data: bytes, signed: Signed, **more: Any) -> tuple[str, str]:
    """The verdict on a mail, and its sentence."""
    report = check(data, genuine, witnesses=[Witness.of_mail("m", signed)], **more)
    ((verdict, sentence),) = [(verdict, told) for what, verdict, told in report.checks if what == "receipts"]
    assert report.ok is (verdict != "broken")
    return verdict, sentence


def test_s45_a_mail_proves_that_the_host_signed_only_what_a_key_noted_before_signed():
    data, noted = bundled(finished()), HOST.keys()[:1]
    fitting, other = header(point(9)), header(point(9, hash="1" * 64))
    assert heard(data, fitting, noted=noted) == (
        "verified", f"m fits event 9 and, with it, all before it; the host signed it, with key {HOST.id}."
    )  # fmt: skip
    verdict, told = heard(data, other, noted=noted)
    assert verdict == "broken"
    assert "event 9 was rewritten" in told.replace("what comes before or at it", "event 9")
    assert f"the host signed what it tells, with key {HOST.id}" in told
    assert "another game" not in told, "the header says which game it is about"
    for mail, verdict in ((fitting, "verified"), (other, "broken")):
        told = heard(data, mail)
        assert told[0] == verdict
        assert "the host signed" not in told[1]
        assert f"a key of this bundle signed {'it' if mail is fitting else 'what it tells'}, with key" in told[1]


def test_s45_a_host_does_not_clear_itself_by_leaving_a_key_out_of_the_bundle():
    data = bundled(finished(), host=STRANGER)
    assert heard(data, header(point(9, hash="1" * 64)))[0] == "broken"
    assert heard(data, header(point(9)))[0] == "unchecked"
    lines = finished().export()
    report = check_export(lines, genuine, witnesses=[Witness.of_mail("m", header(point(9)))], noted=STRANGER.keys())
    assert report.ok, "the keys may have been noted before a rotation"


def test_s45_a_forged_mail_does_not_say_how_far_a_history_is_kept():
    forged = Witness.of_mail("m", Signed(point(5), HOST.id, FORGED))
    wrong = Witness.of_receipt(point(7, hash="1" * 64).receipt())
    (told,) = broken(bundled(finished()), "receipts", "event 7:", witnesses=[forged, wrong])
    assert "not before" not in told


# Whatever is in the file

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**53) | st.text(max_size=5) | st.sampled_from(["0" * 64, SINCE]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60)
@given(st.sampled_from(FILES), st.data())
def test_no_value_anywhere_in_a_file_raises(name, choice):
    files = dict(unpack(bundled(begin())))
    if not name.endswith(".json"):
        files[name] = choice.draw(st.binary(max_size=200))
    else:
        value = json.loads(files[name])
        inside = value
        while True:
            field = choice.draw(st.sampled_from(sorted(inside)))
            if not isinstance(inside[field], dict) or not inside[field] or choice.draw(st.booleans()):
                break
            inside = inside[field]
        inside[field] = choice.draw(JSON.filter(lambda new, old=inside[field]: new != old))
        files[name] = document(value)
    assert not check(archive(files), genuine).ok


def test_s41_a_fault_does_not_hide_the_next():
    entries = entries_of(finished())
    for number in (4, 9, 17):
        entries[number - 1]["cause"] = "another"
    told = check(HOST.bundles(entries, [4, len(entries)], checkpoints=[], keys=HOST.keys()[:1]), genuine)
    found = [(what, sentence) for what, verdict, sentence in told.checks if verdict == "broken"]
    assert [sentence.split(":")[1] for what, sentence in found if what == "chain"] == [
        " event 4",
        " event 9",
        " event 17",
    ]
    assert {what for what, _ in found} == {"chain", "checkpoints.json", "signature.json"}
    assert told.version == 4


# The command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.zip").write_bytes(bundled(finished()))
    (tmp_path / "game.ndjson").write_bytes(b"\n".join(finished().export()) + b"\n")
    (tmp_path / "keys.json").write_bytes(document({"keys": HOST.keys()}))
    return tmp_path


def run(*words: str, **more: Any) -> Result:
    return CliRunner().invoke(main, ["verify", *words], **more)


def saved(path: Path, *headers: str) -> str:
    mail = EmailMessage()
    mail["Subject"] = "Your turn"
    mail.set_content("Take the pot.\n")
    for value in headers:
        mail[HEADER] = value
    path.write_bytes(mail.as_bytes())
    return path.name


@pytest.mark.parametrize("file", ["game.zip", "game.ndjson"])
def test_verify_takes_a_bundle_and_an_export_and_says_what_it_could_not_see(folder, file):
    done = run(file, "--receipt", point(9).receipt())
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    last = len(finished().facts)
    assert lines[-1].startswith(f"verified  game k7x2m9qd4t, {last} events, hash ")
    assert any(line.startswith("verified  receipts: the receipt 9-") for line in lines)
    assert sum(line.startswith("unchecked that") for line in lines) == 3
    assert run("-", input=(folder / file).read_bytes()).exit_code == 0


def test_faults_that_are_alike_are_told_once_with_their_number(folder):
    """But of what somebody kept, one by one."""
    first = [HOST.checkpoint(entry | {"hash": "0" * 64}) for entry in entries_of(finished())[5:10]]
    (folder / "game.zip").write_bytes(bundled(finished(), checkpoints=[*first, *points(len(finished().facts))]))
    lines = run(
        "game.zip", "--receipt", point(3, hash="1" * 64).receipt(), "--receipt", point(4, hash="1" * 64).receipt()
    )
    told = [line for line in lines.stdout.splitlines() if line.startswith("broken    checkpoints.json: event 6")]
    assert [line.partition("And ")[2] for line in told] == ["4 more like it."]
    assert not any("checkpoints.json: event 7" in line for line in lines.stdout.splitlines())
    assert sum(line.startswith("broken    receipts:") for line in lines.stdout.splitlines()) == 2


def test_s41_every_level_has_a_line_of_its_own(folder):
    lines = run("game.zip", "--keys", "keys.json").stdout.splitlines()
    levels = {line.split()[1] for line in lines[:-1] if line.startswith("verified")}
    assert levels >= {
        *("archive:", "manifest.json:", "signature.json:", "chain:", "leaves:", "draws:", "rules:", "fairness:"),
        *("draws.json:", "rules.json:", "notices.json:", "checkpoints.json:", "keys.json:", "keys:"),
    }


def test_verify_ends_with_1_where_a_receipt_or_a_key_does_not_fit(folder):
    wrong = point(9, hash="1" * 64).receipt()
    for file in ("game.zip", "game.ndjson"):
        done = run(file, "--receipt", wrong, "--receipt", point(5).receipt())
        assert done.exit_code == 1
        assert "broken    receipts: event 9: the mail told of another event 9" in done.stdout
        assert "This history is broken." in done.stderr
    (folder / "keys.json").write_bytes(document({"keys": STRANGER.keys()}))
    assert run("game.zip", "--keys", "keys.json").exit_code == 1


def test_s45_a_saved_mail_is_a_witness_folded_or_not_and_a_digest_for_its_game_alone(folder):
    mail = saved(folder / "turn.eml", header(point(9)).header())
    for file in ("game.zip", "game.ndjson"):
        done = run(file, "--receipt", mail, "--keys", "keys.json")
        assert done.exit_code == 0, done.output
        assert f"the host signed it, with key {HOST.id}" in done.stdout
    other = header(Checkpoint(OTHER_GAME, 3, "0" * 64, LATER)).header()
    digest = saved(folder / "digest.eml", other, header(point(9)).header())
    assert run("game.zip", "--receipt", digest).exit_code == 0
    done = run("game.zip", "--receipt", saved(folder / "other.eml", other))
    assert done.exit_code == 1
    assert f"tells of game {OTHER_GAME}, and this is k7x2m9qd4t" in done.stdout
    forwarded = EmailMessage()
    forwarded.add_attachment(email.message_from_bytes((folder / mail).read_bytes(), policy=email.policy.default))
    (folder / "forwarded.eml").write_bytes(forwarded.as_bytes())
    assert run("game.zip", "--receipt", "forwarded.eml").exit_code == 0
    unknown = saved(folder / "strange.eml", header(point(9), STRANGER).header())
    assert run("game.ndjson", "--receipt", unknown).exit_code == 0, "without keys, the receipt in it is all it shows"
    done = run("game.ndjson", "--receipt", unknown, "--keys", "keys.json")
    assert done.exit_code == 0
    assert "unchecked receipts: the mail strange.eml fits event 9; but its key" in done.stdout


USAGE = {
    "no such file": (["nothing.zip"], os.EX_NOINPUT, "nothing.zip"),
    "no receipt": (["game.zip", "--receipt", "17-ABC"], os.EX_DATAERR, "26 letters and digits"),
    "no saved mail": (["game.zip", "--receipt", "turn.eml"], os.EX_DATAERR, "There is no file turn.eml"),
    "a mail without receipt": (["game.zip", "--receipt", "plain.eml"], os.EX_DATAERR, "has no header"),
    "a mail that was changed": (["game.zip", "--receipt", "changed.eml"], os.EX_DATAERR, "was changed"),
    "a receipt without end": (["game.zip", "--receipt", "a" * 5000], os.EX_NOINPUT, "neither as a receipt nor"),
    "a mail in mails in mails": (["game.zip", "--receipt", "deep.eml"], os.EX_DATAERR, "too deep"),
    "keys that are none": (["game.zip", "--keys", "game.zip"], os.EX_DATAERR, "no keys of a host"),
}


@pytest.mark.parametrize("case", USAGE.values(), ids=USAGE)
def test_what_cannot_be_read_beside_it_is_no_verdict_and_says_what_would_do(folder, case):
    words, code, told = case
    saved(folder / "plain.eml")
    saved(folder / "changed.eml", header(point(9)).header().replace("version=9", "version=nine"))
    deep = (b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(1500))
    (folder / "deep.eml").write_bytes(b"".join(deep) + b"Subject: z\r\n\r\nhi")
    done = run(*words)
    assert done.exit_code == code, done.output
    assert isinstance(done.exception, SystemExit)
    assert told in " ".join(done.stderr.split())


def test_what_stands_in_a_file_cannot_steer_a_terminal(folder):
    data = signed("manifest.json", lambda value: None)
    files = unpack(data)
    manifest = json.loads(files["manifest.json"]) | {"format": "\x1b[2J\u202e"}
    (folder / "game.zip").write_bytes(archive(files | {"manifest.json": document(manifest)}))
    done = run("game.zip")
    assert done.exit_code == 1
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


def test_keys_are_read_as_the_host_publishes_them():
    assert read_keys(document({"keys": HOST.keys()})) == HOST.keys()
    assert read_keys(json.dumps({"keys": HOST.keys()}, indent=1).encode()) == HOST.keys()
    old = HOST.keys()[0]
    for wrong in ({}, [], {"keys": {}}, {"keys": [old | {"id": "0" * 16}]}, {"keys": [old | {"public": "x"}]}):
        with pytest.raises(ValueError, match="no keys of a host"):
            read_keys(document(wrong))


def test_an_export_that_is_broken_is_still_held_against_receipts():
    lines = finished().export()
    cut = [*lines[:12]]
    report = check_export(cut, genuine, witnesses=[Witness.of_receipt(point(20).receipt())])
    assert {what for what, verdict, _ in report.checks if verdict == "broken"} == {"chain", "receipts"}
    assert nonce("ann").by_player
