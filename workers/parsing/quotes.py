"""Where a mail stops being the player's own words: our marker, quote signs, and how mail programs begin a quotation.

Each function looks at a few lines of at most WIDTH characters, by searching, never by patterns that try again (T-57).
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

MARKER: Final = "— reply above this line · {code} —"
"""The line above which to answer, in English (OUT-32)."""
WIDTH: Final = 500
SPAN: Final = 5
"""Lines over which a mail program may wrap an introduction."""
DASHES: Final = "-‐‑‒–—―−_=*~"
MANGLED: Final = "?·•∙⋅.�" + DASHES
"""What a dash or a dot of our marker may have become."""
BLANKS: Final = " \t\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
UNSEEN: Final = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\xad\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
SIGNS: Final = ">＞»|｜│┃▌▎¦"
INITIALS: Final = re.compile(r"[A-Za-z]{1,4}>")

OPENERS: Final = tuple(
    "on |am |le |el |il |op |em |no dia |den |på |w dniu |dnia |dne |il giorno |at |ma |v |da |vào |pada |"
    "в |vom |von |gesendet |le\xa0|na ".split("|")
)
"""How introductions begin, folded; a date or an address at the start opens one too."""
WROTE: Final = (
    "wrote",
    "writes",
    "schrieb",
    "a écrit",
    "escribió",
    "escribio",
    "ha scritto",
    "schreef",
    "geschreven",
    "escreveu",
    "skrev",
    "napisał",
    "napsal",
    "kirjoitti",
    "írta",
    "написал",
    "пишет",
    "yazdı",
    "a scris",
    "έγραψε",
    "写道",
    "寫道",
    "のメール",
    "書きました",
    "작성",
    "đã viết",
    "menulis",
)
FIELDS: Final = {
    "from": "from", "von": "from", "de": "from", "da": "from", "van": "from", "från": "from", "fra": "from",
    "lähettäjä": "from", "od": "from", "от": "from", "expéditeur": "from", "feladó": "from", "kimden": "from",
    "发件人": "from", "寄件者": "from", "差出人": "from", "보낸 사람": "from", "mittente": "from", "absender": "from",
    "sent": "date", "date": "date", "gesendet": "date", "datum": "date", "envoyé": "date", "envoyé le": "date",
    "enviado": "date", "enviado el": "date", "fecha": "date", "inviato": "date", "data": "date", "verzonden": "date",
    "skickat": "date", "sendt": "date", "dato": "date", "lähetetty": "date", "wysłano": "date", "odesláno": "date",
    "отправлено": "date", "дата": "date", "发送时间": "date", "寄件日期": "date", "送信日時": "date",
    "보낸 날짜": "date", "enviada em": "date", "enviada": "date", "gönderildi": "date", "inviato il": "date",
    "verstuurd": "date",
    "to": "to", "an": "to", "à": "to", "a": "to", "para": "to", "aan": "to", "till": "to", "til": "to", "do": "to",
    "vastaanottaja": "to", "komu": "to", "кому": "to", "收件人": "to", "宛先": "to", "받는 사람": "to", "pour": "to",
    "cc": "to", "kopie": "to", "copie": "to", "kime": "to", "címzett": "to", "destinataire": "to",
    "subject": "subject", "betreff": "subject", "objet": "subject", "asunto": "subject", "oggetto": "subject",
    "onderwerp": "subject", "assunto": "subject", "ämne": "subject", "emne": "subject", "aihe": "subject",
    "temat": "subject", "předmět": "subject", "тема": "subject", "主题": "subject", "主旨": "subject",
    "件名": "subject", "제목": "subject", "konu": "subject", "tárgy": "subject", "reply-to": "reply",
    "antwort an": "reply",
}  # fmt: skip
"""Labels of the headers that Outlook and others put above the mail they answer, folded."""
DIVIDERS: Final = (
    "original message",
    "original appointment",
    "ursprüngliche nachricht",
    "originalnachricht",
    "original-nachricht",
    "message d'origine",
    "message d’origine",
    "message original",
    "mensaje original",
    "messaggio originale",
    "oorspronkelijk bericht",
    "mensagem original",
    "ursprungligt meddelande",
    "oprindelig meddelelse",
    "opprinnelig melding",
    "alkuperäinen viesti",
    "wiadomość oryginalna",
    "původní zpráva",
    "исходное сообщение",
    "forwarded message",
    "weitergeleitete nachricht",
    "message transféré",
    "mensaje reenviado",
    "messaggio inoltrato",
    "doorgestuurd bericht",
    "mensagem encaminhada",
    "vidarebefordrat",
    "reply message",
)
"""What stands between dashes above a mail that was answered or forwarded, folded."""
FORWARDS: Final = (
    "begin forwarded message",
    "anfang der weitergeleiteten nachricht",
    "début du message réexpédié",
    "début du message transféré",
    "inicio del mensaje reenviado",
    "inizio messaggio inoltrato",
    "begin doorgestuurd bericht",
    "início da mensagem reencaminhada",
)


def marker_line(code: str, words: str = "reply above this line") -> str:
    """The marker of one mail, in the words of its reader's language."""
    return MARKER.replace("reply above this line", words).format(code=code)


def is_blank(line: str) -> bool:
    """Whether nothing can be seen in a line."""
    return not line.strip(BLANKS + UNSEEN)


def is_quoted(line: str) -> bool:
    """Whether a line begins as quoted lines do: `>`, a bar, someone's initials and `>` (IN-08)."""
    shown = line[:WIDTH].strip(BLANKS + UNSEEN)
    if shown.startswith("»") and shown.rstrip(".!").endswith("«"):
        return False  # German quotes around a few words of one's own
    return shown.startswith((*SIGNS, "&gt;")) or bool(INITIALS.match(shown))


def unquoted(line: str) -> str:
    """A line without its quote signs."""
    return line[:WIDTH].lstrip(BLANKS + UNSEEN + SIGNS).rstrip(BLANKS + UNSEEN)


def marker(lines: Sequence[str], place: int, codes: Collection[str]) -> int:
    """How many lines, counted back from this one, are our marker; 0 if it ends none.

    `codes` are folded. A marker with a code we do not know is one too: it stood in some other mail of ours.
    """
    line = unquoted(lines[place])
    if not line:
        return 0
    if _is_whole_marker(line) or any(_closes_marker(line, code) for code in codes):
        return _first_of_marker(lines, place)
    before = unquoted(lines[place - 1]) if place else ""
    opened = before[:1] in DASHES and before[-1:] in MANGLED and len(before) > 1
    if opened and any(_closes_marker(f"{before} {line}", code) for code in codes if line.casefold().startswith(code)):
        return 1 + _first_of_marker(lines, place - 1)
    return 0


def introduction(lines: Sequence[str], place: int) -> int:
    """How many lines from this one on are "On Friday, Ann wrote:", in one of many languages; 0 for none."""
    parts: list[str] = []
    for line in lines[place : place + SPAN]:
        if is_blank(line) or is_quoted(line):
            return 0
        parts.append(line[:WIDTH].strip(BLANKS + UNSEEN + "*_").casefold())
        if parts[-1].endswith((":", "：")) and _introduces(parts):
            later = any(
                parts[start].startswith(OPENERS[:7]) and _introduces(parts[start:]) for start in range(1, len(parts))
            )
            return 0 if later else len(parts)
    return 0


def attribution(lines: Sequence[str], place: int) -> bool:
    """Return whether a line right above a quoted one ends in a colon or names an address, whatever its language."""
    shown = lines[place][:WIDTH].rstrip(BLANKS + UNSEEN + "*_")
    following = lines[place + 1 : place + 3]
    quoted = next((line for line in following if not is_blank(line)), "")
    return is_quoted(quoted) and (shown.endswith((":", "：")) or "@" in shown)


def header_block(lines: Sequence[str], place: int) -> bool:
    """Whether the headers of a quoted mail begin here: From, and two of date, To and Subject, right below."""
    if _field(lines[place]) not in ("from", "date"):
        return False
    kinds = {_field(line) for line in lines[place : place + 8]}
    return "from" in kinds and len(kinds & {"date", "to", "subject"}) >= 2


def divider(line: str) -> bool:
    """Whether a line divides new from old: `-----Original Message-----`, a forward's first line, a long rule."""
    shown = line[:WIDTH].strip(BLANKS + UNSEEN + "*")
    folded = shown.casefold().rstrip(":：")
    if len(shown) > 120:
        return False
    if folded.startswith(FORWARDS):
        return True
    inner = folded.strip(DASHES + BLANKS)
    dashes = len(folded) - len(folded.lstrip(DASHES)), len(folded) - len(folded.rstrip(DASHES))
    if not inner:
        return len(folded) >= 10 and set(folded) <= set("_")
    if min(dashes) >= 5 and any(char.isalpha() for char in inner):
        return True
    wrote = min(dashes) >= 2 and any(each in inner for each in WROTE) and any(char.isdigit() for char in inner)
    return wrote or (dashes[0] >= 2 and any(each in inner for each in DIVIDERS))


def _is_whole_marker(line: str) -> bool:
    """Whether a line has the shape of our marker, whatever its words and its code."""
    if line[0] not in "-–—" or line[-1] not in "-–—" or "·" not in line or len(line) > 120:
        return False
    code = line.rpartition("·")[2].strip("-–— \xa0")
    return 3 <= len(code) <= 12 and code.isalnum()


def _closes_marker(line: str, code: str) -> bool:
    """Whether a line ends in a sign, the code, and what is left of a dash."""
    before, found, after = line.casefold().rpartition(code)
    if not found or not before or before[-1].isalnum() or after[:1].isalnum():
        return False
    before, after = before.rstrip(BLANKS), after.strip(BLANKS)
    if not before or before[-1].isalnum() or len(after) > 12:
        return False
    return after[0] in MANGLED or not after[0].isascii() if after else before[0] in MANGLED


def _first_of_marker(lines: Sequence[str], place: int) -> int:
    """How many lines a marker that ends at `place` takes: it may have been wrapped after its first dash."""
    for count in range(1, 4):
        line = unquoted(lines[place - count + 1])
        if not line:
            return 1
        if line[0] in "-–—=?�":
            return count
        if place - count < 0:
            return 1
    return 1


def _introduces(parts: Sequence[str]) -> bool:
    """Whether folded lines are a whole introduction: who wrote and when, or a date and an address."""
    first, folded = parts[0], " ".join(parts)
    digits = sum(char.isdigit() for char in folded)
    opens = first.startswith(OPENERS) or "@" in first or first[:1] in '"<'
    opens = opens or (first[:1].isdigit() and sum(char.isdigit() for char in first) >= 6)
    if any(each in folded for each in WROTE):
        told = digits > 0 or "@" in folded
        return told and (opens or (len(parts) == 1 and digits >= 3))
    return folded.rstrip(":： ").endswith(">") and "@" in folded and digits >= 3 and opens


def _field(line: str) -> str:
    """Which header of a quoted mail a line is: "from", "date", "to", "subject", "" for none."""
    label, colon, _ = line[:WIDTH].replace("：", ":").partition(":")
    return FIELDS.get(label.strip(BLANKS + UNSEEN + "*_>").casefold(), "") if colon and len(label) < 40 else ""
