"""Checking a game on its page: from the game to the verdict, with what was kept, and from a file without a server."""

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from domain.audit.bundle.archive import CHECKPOINTS, EVENTS, KEYS, NOTICES, unpack
from domain.audit.bundle.write import Beside, bundle
from domain.audit.checkpoints import Checkpoint
from service.integrity import house_log
from service.web.check import offline
from tests.audit import maker
from tests.audit.programs import program
from tests.audit.spoiling import rehashed
from tests.browser.house import PATIENCE, House, Window, comes_to
from tests.browser.looks import SCHEMES, assert_accessible, assert_fits

FINISHED = maker.VECTORS / "finished.zip"
RECEIPT = maker.receipt(maker.finished_game().events[16])


@pytest.fixture
def game(house: House) -> str:
    """A public game under way; who is asked has had a mail."""
    game = house.tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    house.tables.deliver()
    return game


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as one file."""
    path = tmp_path_factory.mktemp("check") / "wardroom-check.html"
    path.write_bytes(offline.page())
    return path


@pytest.fixture
def alone(chromium: Browser, file: Path) -> Iterator[Window]:
    """A window at that file, without any server or network: all but the download is as on the page of a game."""
    with _window(chromium, file, locale="en") as window:
        yield window


@contextmanager
def _window(chromium: Browser, file: Path, **more: Any) -> Iterator[Window]:
    context = chromium.new_context(offline=True, reduced_motion="reduce", **more)
    context.set_default_timeout(PATIENCE)
    try:
        window = Window(context, "file:")
        window.page.goto(file.as_uri())
        yield window
        assert window.faults == []
    finally:
        context.close()


def kept_mail(house: House) -> bytes:
    """The mail to whoever is asked, as it came."""
    return house.tables.carrier.letters[-1].data


def give(window: Window, **files: bytes) -> None:
    """Choose files by the names they have; `_` stands for the dot."""
    payloads = [
        {"name": name.replace("_", "."), "mimeType": "application/octet-stream", "buffer": data}
        for name, data in files.items()
    ]
    window.page.locator("[data-part=form]").wait_for()
    window.page.locator("[data-part=files]").set_input_files(payloads)  # type: ignore[arg-type]


def verdict(window: Window) -> str:
    """Press the button; the headline that comes."""
    window.page.get_by_role("button", name=re.compile("^(Check|Vérifier|Prüfen)$")).click()
    headline = window.page.locator("#check-headline")
    headline.wait_for()
    assert window.page.evaluate("document.activeElement.id") == "check-headline"
    return headline.inner_text()


def lines(window: Window, state: str) -> list[str]:
    """What each check with this verdict looked at and said."""
    return [" ".join(line.split()) for line in window.page.locator(f".lines .{state}").all_inner_texts()]


def rewritten(house: House, data: bytes, number: int) -> bytes:
    """The bundle as its host would make it that has changed what happened: every hash and signature fits."""
    files = unpack(data)
    entries = [json.loads(line) for line in files[EVENTS].splitlines()[:-1]]
    entries[number - 1]["cause"] = "another"
    made = rehashed(entries)
    signer = house.tables.services.signer

    def checkpoint(point: dict[str, Any]) -> dict[str, Any]:
        entry = made[point["version"] - 1]
        now = Checkpoint(entry["game"], entry["version"], entry["hash"], entry["at"])
        return {**point, "hash": now.hash, "time": now.time, "signature": signer.sign(now.message())}

    reader = json.loads(files["manifest.json"])["reader"]
    beside = Beside(
        notices=json.loads(files[NOTICES])["notices"],
        checkpoints=[checkpoint(point) for point in json.loads(files[CHECKPOINTS])["checkpoints"]],
        keys=json.loads(files[KEYS])["keys"],
    )
    return bundle(made, reader, beside, signer.key_id, signer.sign)


def test_from_the_game_to_the_verdict_with_a_mail_that_was_kept(house, game):
    window = house.window("ann", path=f"/g/{game}")
    window.page.get_by_role("link", name="Check this game").click()
    give(window, kept_eml=kept_mail(house))
    expect(window.page.locator("[data-part=given]")).to_contain_text("kept.eml: it tells of event", timeout=PATIENCE)
    assert verdict(window) == "✓ It holds, and it is what you were told."
    assert lines(window, "broken") == []
    assert any(line.startswith("verified receipt kept.eml") for line in lines(window, "verified"))
    assert "The game is still going on." in window.page.locator("[data-part=next]").inner_text()
    assert "wardroom verify plays the game again" in window.page.locator("[data-part=unchecked]").inner_text()


def test_a_host_that_rewrote_history_and_signed_it_anew_is_caught_by_a_kept_mail_and_by_nothing_else(house, game):
    """T-4B: what happened before the mail is another now, and all signatures hold."""
    window = house.window("bob", path=f"/g/{game}/check")
    honest = window.context.request.get(f"{house.base}/g/{game}/bundle").body()
    forged = rewritten(house, honest, 4)
    window.page.route("**/bundle", lambda route: route.fulfill(body=forged, content_type="application/zip"))
    assert verdict(window) == "✓ It holds."
    assert "add a receipt or a mail that you kept" in window.page.locator("[data-part=next]").inner_text()
    give(window, kept_eml=kept_mail(house))
    assert verdict(window) == "✗ It is broken: this is not the history that you were told of."
    (line,) = lines(window, "broken")
    assert re.match(r"broken receipt kept\.eml event \d+ was rewritten, or what came before it", line)
    assert "Keep that mail and this bundle" in window.page.locator("[data-part=next]").inner_text()
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Save this bundle").click()
    assert (download.value.path().read_bytes(), download.value.suggested_filename) == (
        forged,
        f"wardroom-{game}-10.zip",
    )
    window.page.get_by_role("button", name="Remove kept.eml").click()
    assert verdict(window) == "✓ It holds."
    (receipt,) = re.findall(r"\d+(?:-[0-9A-Z]{5}){5}-[0-9A-Z]", kept_mail(house).decode().replace("=\r\n", ""))[:1]
    window.page.get_by_label("Receipts you kept").fill(f"My receipt: {receipt}.")
    assert verdict(window).startswith("✗")


def test_the_list_of_games_of_which_a_mail_told_has_only_grown_and_has_this_game(house):
    """By the host's log as it is now, and the keys as they were noted."""
    game = house.tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    house_log.write(house.tables.services)
    house.tables.deliver()
    mail = house.tables.carrier.letters[-1].data
    assert b"Wardroom-Log:" in mail
    house.tables.begin("ann", "bob", kind="city-hall")
    house_log.write(house.tables.services)
    window = house.window(path=f"/g/{game}/check")
    noted = window.context.request.get(f"{house.base}/.well-known/wardroom-keys").body()
    give(window, kept_eml=mail, keys_json=noted)
    assert verdict(window) == "✓ It holds, and it is what you were told."
    (line,) = [line for line in lines(window, "verified") if line.startswith("verified log")]
    assert "the first 1 of 2 entries are as they were" in line
    assert "this game stands in it as opened" in line


def test_what_is_of_no_use_is_said_beside_it_and_nothing_typed_is_lost(alone):
    window = alone
    box = window.page.get_by_label("Receipts you kept")
    fault = window.page.locator("[data-part=fault]")

    def refused(words: str) -> None:
        window.page.get_by_role("button", name="Check", exact=True).click()
        comes_to(window.page, "!document.querySelector('[data-part=fault]').hidden")
        assert words in fault.inner_text()
        assert window.page.locator("#check-headline").is_hidden()

    refused("Choose the bundle of a game first")
    give(window, finished_zip=FINISHED.read_bytes())
    for typed, words in (
        (RECEIPT[:-3], "This is no receipt"),
        (f"{RECEIPT}-{'A' if RECEIPT[-1] != 'A' else 'B'}"[:40], "letter by letter"),
        ("hello", "This is no receipt"),
    ):
        box.fill(typed)
        refused(words)
        assert box.input_value() == typed
    box.fill("")
    for name, data, words in (
        ("empty_eml", b"", "neither a header Wardroom-Checkpoint"),
        ("some_eml", b"Subject: x\r\n\r\nhello", "neither a header Wardroom-Checkpoint"),
        ("cut_eml", maker.mail(maker.checkpoint(maker.finished_game().events[3]))[:200], "was changed or cut"),
        ("some_msg", b"\xd0\xcf\x11\xe0" + bytes(99), "Outlook"),
        ("some_json", b'{"keys": 5}', "holds neither keys"),
    ):
        give(window, **{name: data})
        refused(words)
        window.page.get_by_role("button", name=f"Remove {name.replace('_', '.')}").click()
    assert verdict(window).startswith("✓")


def forwarded(point: dict[str, Any]) -> bytes:
    """A mail of the host, attached to one that somebody forwarded."""
    whole = EmailMessage()
    whole["Subject"] = "Fwd: Your turn"
    whole.set_content("See below.")
    inner = EmailMessage()
    inner["Wardroom-Checkpoint"] = "; ".join(["v=1", *(f"{name}={point[name]}" for name in point)])
    inner.set_content("It is your turn.")
    whole.add_attachment(inner)
    return whole.as_bytes()


def told_in(encoding: str, subtype: str = "plain") -> bytes:
    """A mail without our header, in whose text the receipt stands."""
    mail = EmailMessage()
    text = f"Größe – See you.\nReceipt: {RECEIPT}\n"
    mail.set_content(f"<p>{text}</p>" if subtype == "html" else text, subtype=subtype, cte=encoding)
    return mail.as_bytes()


SLOW_DISK = """() => {
  const read = File.prototype.arrayBuffer;
  File.prototype.arrayBuffer = async function () {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return read.call(this);
  };
}"""
NO_DISK = """() => {
  window.read = File.prototype.arrayBuffer;
  File.prototype.arrayBuffer = async () => { throw new DOMException("gone", "NotReadableError"); };
}"""


def test_files_still_being_read_are_waited_for(alone):
    """Whoever presses the button at once has all checked that was chosen, not what happened to be read by then."""
    source = maker.mail(maker.checkpoint(maker.finished_game().events[3]))
    alone.page.evaluate(SLOW_DISK)
    give(alone, first_eml=source, finished_zip=FINISHED.read_bytes(), last_eml=source)
    assert verdict(alone) == "✓ It holds, and it is what you were told."
    assert sum(line.startswith("verified receipt") for line in lines(alone, "verified")) == 2


def test_a_file_that_cannot_be_read_is_said_and_the_next_one_is_read(alone):
    fault = alone.page.locator("[data-part=fault]")
    alone.page.evaluate(NO_DISK)
    give(alone, finished_zip=FINISHED.read_bytes())
    fault.wait_for()
    assert fault.inner_text() == "A file could not be read. Choose it again."
    alone.page.evaluate("() => { File.prototype.arrayBuffer = window.read; }")
    give(alone, finished_zip=FINISHED.read_bytes())
    assert verdict(alone).startswith("✓")


def test_mails_are_read_as_mail_programs_save_them(alone):
    """Folded, forwarded, in an mbox, as an .emlx, pasted as source or quoted; else by the receipt in their text."""
    point = maker.checkpoint(maker.finished_game().events[3])
    source = maker.mail(point)
    mails = {
        "folded": source,
        "bare line feeds": source.replace(b"\r\n", b"\n"),
        "mbox": b"From host@example.org Mon Nov 20 00:00:00 2026\n" + source,
        "emlx": b"1234      \n" + source,
        "forwarded": forwarded(point),
        "quoted": b"Subject: x\r\n\r\n" + b"".join(b"> " + line + b"\r\n" for line in source.split(b"\r\n")),
        "quoted-printable": told_in("quoted-printable"),
        "base64": told_in("base64"),
        "html": told_in("base64", "html"),
    }
    window = alone
    give(window, finished_zip=FINISHED.read_bytes(), **{f"{name}_eml": data for name, data in mails.items()})
    assert verdict(window) == "✓ It holds, and it is what you were told."
    receipts = [line for line in lines(window, "verified") if line.startswith("verified receipt")]
    assert len(receipts) == len(mails), receipts
    for name in mails:
        window.page.get_by_role("button", name=f"Remove {name}.eml", exact=True).click()
    box = window.page.get_by_label("Receipts you kept")
    for typed in (
        source.decode(),
        f"Dear Ann,\n{RECEIPT.lower()}\nBest wishes",
        RECEIPT.replace("-", " "),
        f"*{RECEIPT}*",
    ):
        box.fill(typed)
        assert verdict(window) == "✓ It holds, and it is what you were told.", typed


def test_files_can_be_dropped_and_the_keys_of_the_host_noted(alone):
    window = alone
    window.page.evaluate(
        """async (bundle) => {
          const data = new DataTransfer();
          const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
          data.items.add(new File([bytes(bundle)], "dropped.zip"));
          document.querySelector("[data-part=drop]").dispatchEvent(
            new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        base64.b64encode(FINISHED.read_bytes()).decode(),
    )
    window.page.get_by_role("listitem").get_by_text("dropped.zip: a bundle").wait_for()
    assert verdict(window) == "✓ It holds."
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Save the host's keys").click()
    keys = download.value.path().read_bytes()
    assert [key["id"] for key in json.loads(keys)["keys"]] == [maker.OLD.id]
    give(window, wardroom_json=keys)
    assert verdict(window) == "✓ It holds."
    give(window, stranger_json=json.dumps({"keys": [maker.NEW.row]}).encode())
    assert verdict(window) == "✗ It is broken."
    assert "Ask the host, on another way than by this site" in window.page.locator("[data-part=next]").inner_text()


def test_the_report_is_the_text_of_the_other_verifier(alone):
    window = alone
    give(window, finished_zip=FINISHED.read_bytes())
    window.page.get_by_label("Receipts you kept").fill(RECEIPT)
    verdict(window)
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Download the report").click()
    report = download.value.path().read_text()
    module = program("verify_bundle")
    told = [(RECEIPT, telling) for telling in module.tellings(RECEIPT)]
    assert report.splitlines()[5:-1] == module.Check(FINISHED.read_bytes(), told).lines
    assert report.splitlines()[-1] == "It holds."
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    window.page.get_by_role("button", name="Copy the report").click()
    window.page.get_by_text("The report is copied.").wait_for()
    assert window.page.evaluate("navigator.clipboard.readText()") == report


def test_a_check_can_be_cancelled(house, game):
    window = house.window("ann", path=f"/g/{game}/check")
    window.page.route("**/bundle", lambda route: None)
    window.page.get_by_role("button", name="Check", exact=True).click()
    window.page.get_by_role("button", name="Cancel").click()
    window.page.get_by_text("The check was given up.").wait_for()
    assert window.page.locator("[data-part=progress]").is_hidden()


def test_where_a_browser_computes_nothing_for_a_page_that_is_said_and_no_verdict_given(alone):
    alone.context.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    alone.page.reload()
    alone.page.get_by_text("this browser computes no digests for anybody").wait_for()
    assert alone.page.get_by_role("button", name="Check", exact=True).is_hidden()


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_the_page_fits_and_is_accessible_with_its_report(house, game, language):
    window = house.window(path=f"/g/{game}/check", locale=language)
    give(window, kept_eml=kept_mail(house))
    assert verdict(window).startswith("✓")
    assert_fits(window)
    assert_accessible(window, SCHEMES if language == "en" else ())


def test_the_page_works_as_a_file_without_a_server_in_every_language(chromium, file):
    """It reaches nobody: its own policy forbids it, and the browser is offline."""
    with _window(chromium, file, locale="de") as window:
        give(window, finished_zip=FINISHED.read_bytes())
        window.page.locator("[data-part=typed]").fill(RECEIPT)
        assert verdict(window) == "✓ Es stimmt, und es ist das, was dir gesagt wurde."
        assert len(lines(window, "verified")) == 11
        assert_fits(window)
        assert window.page.evaluate("fetch('https://example.org').then(() => 'asked', () => 'refused')") == "refused"
        window.page.get_by_role("button", name="Français").click()
        assert window.page.locator("html").get_attribute("lang") == "fr"
        give(window, spoiled_zip=FINISHED.read_bytes().replace(b'"amount":4', b'"amount":5'))
        assert verdict(window) == "✗ Il y a un défaut."
        window.faults[:] = [fault for fault in window.faults if "example.org" not in fault]
