"""Names of people: what may be one, and what to call a player in a game's notation."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, say, typed
from domain.table.evolve import Rules
from service.accounts.lookalikes import INVISIBLE, is_of_one_script, joiners_out_of_place, skeletons, without_joiners
from service.languages import LANGUAGES, words, words_of_all_languages

LONGEST_NAME: Final = 40
LONGEST_EMAIL: Final = 254
SERVICE: Final = "wardroom"
RESERVED: Final = (
    "admin", "administrator", "administrateur", "bot", "caretaker", "clock", "everybody", "gastgeber", "host", "hote",
    "hôte", "info", "mailerdaemon", "mailer", "moderator", "moderateur", "modérateur", "nobody", "noreply", "official",
    "operator", "postmaster", "root", "security", "server", "serveur", "service", "staff", "support", "system",
    "systeme", "système", "webmaster",
)  # fmt: skip
"""Names that nobody has, in letters and digits alone: they would be taken for the service's word."""
_OF_BOTS: Final = re.compile(r"\([\W_]*(ro)?bot(?![^\W\d_])")
"""What follows the pawn in the name of a bot, in any language; it may go on with anything but a letter."""
_OF_ADDRESSES: Final = frozenset('<>@",')
"""What ends a name or begins an address in the headers of a mail (RFC 5322, 3.4), also if it is of full width."""
_ANGLES: Final = "<‹«"
"""What looks like an opening bracket, besides those that Unicode calls so."""
_ADDRESS: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)*[A-Za-z0-9-]{1,63}")


def normalise_name(name: str) -> str:
    """Return a name as it is kept: NFC, single blanks. Raises ValueError with a Sentence.

    Control and format characters are refused, and what mail headers could mistake for an encoded word or an address
    (T-50, T-5A).
    """
    name = unicodedata.normalize("NFC", name)
    if joiners_out_of_place(name):
        raise ValueError(
            say("An invisible joiner (ZWJ, ZWNJ) stands only between letters that need it: type the name again.")
        )
    visible = without_joiners(name)
    if any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for letter in visible):
        raise ValueError(say("A name has no control characters: use letters, digits, blanks and punctuation."))
    if INVISIBLE.search(visible):
        raise ValueError(say("A name has no letters that nobody can see: type it anew."))
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(say("A name has 1 to {most} characters.", most=LONGEST_NAME))
    if "=?" in name or not any(letter.isalnum() for letter in name):
        raise ValueError(say("A name has at least one letter or digit, and no “=?”."))
    if unicodedata.normalize("NFKC", name).casefold().startswith(_of_nobody()):
        raise ValueError(say("That is what people are called who are gone: choose another name."))
    if _is_of_a_bot(name):
        raise ValueError(say("That is what bots are called: choose another name."))
    if not is_of_one_script(visible):
        raise ValueError(
            say("A name is written in one script: letters of several, such as Latin and Cyrillic, look alike.")
        )
    if _is_reserved(name):
        raise ValueError(say("That name, or one that looks like it, is the service's own: choose another."))
    if not _OF_ADDRESSES.isdisjoint(unicodedata.normalize("NFKC", name)):
        raise ValueError(
            say('A name has no “<”, “>”, “@”, quotation mark (") or comma: mail would take it for an address.')
        )
    return name


def _is_of_a_bot(name: str) -> bool:
    """Whether a name can be taken for that of a bot, whatever its brackets and digits."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return bool(_OF_BOTS.search("".join("(" if _opens(letter) else letter for letter in folded)))


def _opens(letter: str) -> bool:
    return letter in _ANGLES or unicodedata.category(letter) == "Ps"


def _is_reserved(name: str) -> bool:
    """Whether a name can be taken for the service itself or for somebody who runs it."""
    letters = "".join(letter for letter in unicodedata.normalize("NFKC", name) if letter.isalnum())
    forms = skeletons(letters)
    return bool(forms & _reserved()) or any(form.startswith(tuple(skeletons(SERVICE))) for form in forms)


@cache
def _reserved() -> frozenset[str]:
    return frozenset(form for word in RESERVED for form in skeletons(word))


@cache
def _of_nobody() -> tuple[str, ...]:
    """How `former_player` begins in every language, folded."""
    said = (words(language)(say("a former player ({pawn})", pawn="")) for language in LANGUAGES)
    return tuple(text.partition("(")[0].strip().casefold() for text in said)


def normalise_email(address: str) -> str:
    """Return an address as it is kept, its domain in A-labels. Raises ValueError with a Sentence."""
    address = _in_a_labels(address)
    if "=?" in address or len(address) > LONGEST_EMAIL or not _ADDRESS.fullmatch(address):
        raise ValueError(say("That is no mail address: write it as name@example.org."))
    return address


def email_key(address: str) -> str:
    """Return the folded form of an address, the same for all its spellings."""
    return _in_a_labels(address).casefold()


def _in_a_labels(address: str) -> str:
    """Return an address with an internationalised domain in A-labels (RFC 5890); any other as it is.

    A domain of which IDNA 2003 would make another name (ß, full width) is left as it is, and refused.
    """
    local, at, domain = address.rpartition("@")
    if domain.isascii():
        return address
    domain = unicodedata.normalize("NFC", domain).lower()
    try:
        labels = domain.encode("idna").decode()
        return f"{local}{at}{labels}" if labels.encode().decode("idna") == domain else address
    except UnicodeError:
        return address


def former_player(rules: Rules, seat: Seat) -> Sentence:
    """The name shown for somebody whose own is erased: several at a table are told apart by their pawns."""
    return say("a former player ({pawn})", pawn=typed(rules.notation.pawns[seat]))


def handles(names: Sequence[str | None], rules: Rules) -> list[str]:
    """The words to type for each seat: the player's name in letters, digits, “-” and “_”, all different.

    A pawn stands in where there is no name, and after a name that is a word of the notation (TH-15.1, CH-16.1), in any
    language (IN-14): such a word always means the command.
    """
    reserved, words = rules.notation.reserved, words_of_all_languages(rules.kind)
    found: list[str] = []
    for seat, name in enumerate(names):
        handle = _letters(name or "")
        handle = handle or rules.notation.pawns[seat]
        while (handle in reserved or handle in words or handle in found) and handle != rules.notation.pawns[seat]:
            handle = f"{handle}-{rules.notation.pawns[seat]}"
        found.append(handle)
    return found


@lru_cache(1000)
def _letters(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-").lstrip("0123456789-")
