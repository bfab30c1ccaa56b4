"""Mail that no player wrote just now: answered by no one and executed by no one (IN-13, IN-21 to IN-24)."""

import re
from typing import Final

from workers.parsing.addresses import addresses
from workers.parsing.fields import Fields, ids
from workers.parsing.mime import Part

ROBOTS: Final = frozenset(
    "mailer-daemon postmaster noreply no-reply no_reply donotreply do-not-reply do_not_reply bounce bounces "
    "autoreply auto-reply autoresponder".split()
)
"""Local parts behind which nobody reads."""
ANSWERING: Final = frozenset(
    "x-autoreply x-autorespond x-autoresponder x-autoreply-from x-mail-autoreply x-auto-reply "
    "x-failed-recipients".split()
)
"""Headers of answering machines. Not X-Auto-Response-Suppress: ordinary mail from Exchange carries it (IN-22)."""
PRECEDENCES: Final = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
REPLY_METHODS: Final = frozenset({"reply", "counter", "declinecounter", "refresh"})
REACTION_KINDS: Final = frozenset({"text/vnd.google.email-reaction+json"})
TAPBACK: Final = re.compile(
    r"(?:Liked|Loved|Disliked|Laughed at|Emphasi[sz]ed|Questioned|Reacted .{1,12} to|Removed an? .{1,20} from"
    r"|Gefällt|Hat .{1,20} zu|J’aime|A aimé|Le gusta|Le encanta|Piace) ?[“„«\"].{0,400}[”“»\"]\s*"
)
"""The text a phone sends for a reaction to a message."""
REACTED: Final = re.compile(r".{0,80}\breacted (?:to your message|with .{1,12} to)\b.{0,200}", re.IGNORECASE)
AWAY: Final = tuple(
    "out of office|out of the office|automatic reply|automated reply|auto reply|auto-reply|autoreply|auto response"
    "|autoresponse|vacation|on holiday|on leave|away from my mail|away from the office"
    "|abwesenheit|abwesend|automatische antwort|automatische rückantwort|nicht im büro|nicht im hause"
    "|absence du bureau|message d'absence|message d’absence|réponse automatique|absent du bureau|en congé"
    "|fuera de la oficina|fuera de oficina|respuesta automática|ausente|fuori sede|fuori ufficio|risposta automatica"
    "|assenza dall|afwezig|automatisch antwoord|niet op kantoor|fora do escritório|resposta automática|ausência"
    "|autosvar|automatiskt svar|automatisk svar|frånvaro|fraværende|poissa|automaattinen vastaus"
    "|automatyczna odpowiedź|nieobecność|poza biurem|automatická odpověď|nepřítomnost|automatikus válasz"
    "|otomatik yanıt|автоответ|автоматический ответ|不在|自動応答|自动回复|自動回覆".split("|")
)
"""What subjects of out-of-office mails say, folded."""


def by_headers(headers: Fields, domain: str) -> str:
    """Why these headers show an automatic mail: "own", "loop", "auto-submitted" ...; "" if they do not."""
    found: dict[str, list[str]] = {}
    for name, value in headers:
        found.setdefault(name, []).append(value)
    senders = [each for value in found.get("from", []) for each in addresses(value).specs]
    if _is_own(found, senders, domain):
        return "own"
    if found.get("x-loop"):
        return "loop"
    if any(_first_word(value) not in ("", "no") for value in found.get("auto-submitted", [])):
        return "auto-submitted"
    if any(value.lower().lstrip().startswith("multipart/report") for value in found.get("content-type", [])[:1]):
        return "report"
    if any(value.replace(" ", "") == "<>" for value in found.get("return-path", [])):
        return "null-sender"
    if any(_first_word(value) in PRECEDENCES for value in found.get("precedence", [])):
        return "precedence"
    if any(not _at(value.rpartition("<")[2].strip(" >"), domain) for value in found.get("list-id", [])):
        return "list"
    if any(_first_word(value) != "no" for name in ANSWERING for value in found.get(name, [])):
        return "auto-reply"
    if any(each.rpartition("@")[0].lower() in ROBOTS for each in senders):
        return "robot"
    return ""


def by_parts(root: Part) -> str:
    """Why these parts show an automatic mail: "report", "calendar", "reaction"; "" if they do not."""
    for part in root.walk():
        if part.kind == "multipart/report":
            return "report"
        if part.kind in REACTION_KINDS:
            return "reaction"
        if part.kind == "text/calendar" and _method(part) in REPLY_METHODS:
            return "calendar"
    return ""


def is_reaction(text: str) -> bool:
    """Whether all that was written is what a program writes for a reaction."""
    own = [line.strip() for line in text.split("\n") if line.strip() and not line.lstrip().startswith(">")]
    if not own or len(own[0]) > 600:
        return False
    return bool(len(own) == 1 and TAPBACK.fullmatch(own[0])) or bool(REACTED.fullmatch(own[0]))


def away_hint(subject: str) -> bool:
    """Whether a subject reads like an out-of-office mail. A hint only: people write such subjects too (IN-21)."""
    folded = subject.casefold()
    return folded.startswith(("auto:", "automatic:", "ooo:", "away:")) or any(each in folded for each in AWAY)


def _is_own(found: dict[str, list[str]], senders: list[str], domain: str) -> bool:
    """Our Message-ID, our X-Loop, or a From in our domain (IN-23)."""
    if not domain:
        return False
    if any(_at(each.rstrip(">").rpartition("@")[2], domain) for each in ids(found.get("message-id", [])[:1])):
        return True
    if any(_at(each.rpartition("@")[2], domain) for each in senders):
        return True
    return any(
        _at(word.strip("<>").rpartition("@")[2], domain) for value in found.get("x-loop", []) for word in value.split()
    )


def _at(host: str, domain: str) -> bool:
    """Whether a host is our domain or within it."""
    host, domain = host.lower().rstrip("."), domain.lower()
    return bool(domain) and (host == domain or host.endswith(f".{domain}"))


def _first_word(value: str) -> str:
    words = re.split(r"[;(\s]", value.strip().lower(), maxsplit=1)
    return words[0]


def _method(part: Part) -> str:
    """The METHOD of a calendar, from its parameter or its first lines."""
    named = part.parameters.get("method", "").lower()
    if named:
        return named
    for line in part.text()[:4000].split("\n"):
        name, colon, value = line.partition(":")
        if colon and name.strip().lower() == "method":
            return value.strip().lower()
    return ""
