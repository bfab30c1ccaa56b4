"""Signatures: the delimiter everyone agreed on, and what phones and free mail services append."""

from typing import Final

from workers.parsing.quotes import BLANKS, UNSEEN

DELIMITERS: Final = frozenset({"--", "—"})
"""`-- `, and what keyboards make of it."""
APPENDED: Final = (
    "sent from my ",
    "sent from mail",
    "sent from outlook",
    "sent from yahoo",
    "sent from samsung",
    "sent from proton",
    "sent from a ",
    "sent from the ",
    "sent with ",
    "sent via ",
    "sent using ",
    "get outlook for ",
    "outlook für ",
    "holen sie sich outlook",
    "von meinem android",
    "von meinem handy",
    "von meinem ipad",
    "von meinem iphone",
    "von meinem samsung",
    "von meinem smartphone",
    "gesendet von ",
    "gesendet mit ",
    "gesendet aus ",
    "gesendet über ",
    "diese nachricht wurde von ",
    "envoyé de ",
    "envoyé depuis ",
    "envoyé à partir ",
    "envoyé avec ",
    "télécharger outlook",
    "obtenez outlook",
    "obtenir outlook",
    "provenance : ",
    "provenance\xa0: ",
    "enviado desde ",
    "enviado do ",
    "enviado a partir ",
    "enviado con ",
    "enviado de ",
    "obtener outlook",
    "inviato da",
    "scarica outlook",
    "verstuurd vanaf ",
    "verzonden vanaf ",
    "verzonden met ",
    "outlook voor ",
    "skickat från ",
    "sendt fra ",
    "lähetetty ",
    "wysłane z ",
    "odesláno z ",
    "отправлено с ",
    "отправлено из ",
    "iphoneから送信",
    "发自我的",
    "從我的 ",
    "나의 iphone에서 보냄",
    "yahoo mail: ",
    "virus-free",
    "virenfrei",
    "garanti sans virus",
)
"""How the lines begin that programs append, folded."""


def is_delimiter(line: str) -> bool:
    """Whether everything below a line is a signature."""
    return line.strip(BLANKS + UNSEEN) in DELIMITERS


def is_appended(line: str) -> bool:
    """Whether a program wrote this line."""
    shown = line[:200].strip(BLANKS + UNSEEN + "*_[<").casefold()
    return len(line) <= 160 and shown.startswith(APPENDED)
