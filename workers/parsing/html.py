"""HTML bodies as text: what a reader would see, quotations marked with `> ` (IN-06, T-59).

Nothing is fetched; attributes never reach the layout; a quotation is a `blockquote` or a place where a known mail
program puts the mail it answers.
"""

import re
from itertools import islice
from typing import Any, Final

from inscriptis.css_profiles import STRICT_CSS_PROFILE  # type: ignore[import-untyped]
from inscriptis.html_engine import Inscriptis  # type: ignore[import-untyped]
from inscriptis.model.config import ParserConfig  # type: ignore[import-untyped]
from lxml import etree  # type: ignore[import-untyped]
from lxml import html as lxml_html

from workers.parsing import limits
from workers.parsing.charsets import clean
from workers.parsing.styles import Look, declarations, hides, hiding_rules, look

Element = Any
"""An element of lxml, which has no types."""

QUOTE, UNQUOTE, QUOTE_REST, SIGNATURE, GAP = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
"""Signs put into the text where a quotation begins, ends, goes on to the end of what it is in, where a signature
begins, and where a blank holds an empty line open."""
SIGNS: Final = re.compile("[\ue000-\ue004]")
TAG: Final = re.compile("<")
UNSOUND: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ue000-\ue004\ufffe\uffff]")
UNSEEN: Final = frozenset(
    "head title meta link script style template noscript object embed applet iframe frame frameset svg math canvas "
    "audio video map textarea select option datalist button input s strike del noframes".split()
)
"""Elements whose text nobody sees, or sees struck out."""
QUOTED_CLASSES: Final = frozenset(
    "gmail_attr yahoo_quoted protonmail_quote tutanota_quote moz-cite-prefix moz-forward-container zmail_extra "
    "OutlookMessageHeader moz-email-headers-table".split()
)
QUOTED_IDS: Final = frozenset(
    "mail-editor-reference-message-container replySplit reply-intro OLK_SRC_BODY_SECTION isForwardContent".split()
)
REST_IDS: Final = frozenset(
    "divRplyFwdMsg appendonsend stopSpelling ms-outlook-mobile-reference-message".split(),
)
"""Where a mail program begins the mail it answers, which then fills the rest of the document."""
REST_CLASSES: Final = frozenset({"ms-outlook-mobile-reference-message"})
SIGNATURE_MARKS: Final = frozenset(
    "gmail_signature moz-signature protonmail_signature_block k9mail-signature Signature AppleMailSignature "
    "ms-outlook-mobile-signature".split()
)
TIGHT_CLASSES: Final = frozenset({"MsoNormal", "MsoPlainText", "MsoListParagraph"})
"""Paragraphs that Outlook shows without a gap."""
CONFIG: Final = ParserConfig(css=STRICT_CSS_PROFILE)


def cut(source: str) -> str:
    """As much of a document as is converted."""
    tag = next(islice(TAG.finditer(source), limits.TAGS, None), None)
    return source[: min(limits.HTML, tag.start() if tag else limits.HTML)]


def to_text(source: str) -> str:
    """The text of an HTML document, a line for a line of the screen; "" where there is nothing to see."""
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        root = lxml_html.document_fromstring(source.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return ""
    _strip(root)
    return _quoted(clean(str(Inscriptis(root, CONFIG).get_text())))


def _strip(root: Element) -> None:
    """Take away what cannot be seen, then every attribute, and put signs where quotations are."""
    hidden = hiding_rules(each.text or "" for each in root.iter("style"))
    looks: dict[Element, Look] = {}
    gone: list[Element] = []
    for element in list(root.iter(etree.Element)):
        parent = element.getparent()
        if parent is not None and parent not in looks:
            continue  # within what is gone
        style = declarations(element.get("style", ""))
        marks = _marks(element)
        if element is not root and (
            element.tag in UNSEEN or "hidden" in element.attrib or hides(style) or not hidden.isdisjoint(marks)
        ):
            gone.append(element)
            continue
        around = Look() if parent is None else looks[parent]
        looks[element] = seen = look(
            style,
            around,
            colour=element.get("color", element.get("text", "")).lower(),
            ground=element.get("bgcolor", "").lower(),
        )
        _texts(element, seen=seen.seen, tail_seen=around.seen)
        _shape(element, style)
    for element in gone:
        _take_out(element, tail_seen=looks[element.getparent()].seen)


def _marks(element: Element) -> set[str]:
    """The simple selectors that fit an element."""
    tag = str(element.tag)
    names = [f".{each}" for each in element.get("class", "").lower().split()[:20]]
    names += [f"#{element.get('id', '').lower()}"]
    return {tag, *names, *(tag + name for name in names)}


def _texts(element: Element, *, seen: bool, tail_seen: bool) -> None:
    element.text = _text(element.text) if seen and element.text else None
    element.tail = _text(element.tail) if tail_seen and element.tail else None


def _text(text: str) -> str:
    """Text without signs of ours and what lxml refuses; a non-breaking blank alone keeps its line open."""
    return UNSOUND.sub("", text) if text.strip() or "\xa0" not in text else f" {GAP} "


def _take_out(element: Element, *, tail_seen: bool) -> None:
    """Take an element out of the document and leave the text behind it."""
    _texts(element, seen=False, tail_seen=tail_seen)
    element.drop_tree()


def _shape(element: Element, style: dict[str, str]) -> None:
    """Leave an element nothing but its name, its line breaks, and signs for what it is."""
    names = {*element.get("class", "").split(), element.get("id", ""), element.get("name", "")}
    names |= {each.removeprefix("x_") for each in names}
    preformatted = style.get("white-space", "").startswith(("pre", "break-spaces"))
    tight = element.tag == "p" and (names & TIGHT_CLASSES or _tight(style))
    quoted = _is_quotation(element, names, style)
    element.attrib.clear()
    if preformatted:
        element.set("style", "white-space: pre")
    if tight:
        element.tag = "div"
    if names & REST_IDS or names & REST_CLASSES:
        _sign(element, QUOTE_REST)
    elif quoted:
        _sign(element, QUOTE, UNQUOTE)
    elif names & SIGNATURE_MARKS:
        _sign(element, SIGNATURE)


def _is_quotation(element: Element, names: set[str], style: dict[str, str]) -> bool:
    if element.tag == "blockquote" or names & QUOTED_CLASSES or names & QUOTED_IDS:
        return True
    if element.tag == "div" and element.get("name") == "quote":
        return True
    if names & {"gmail_quote", "gmail_quote_container"}:  # answers may stand between the blockquotes within
        return next(element.iter("blockquote"), None) is None
    bar = style.get("border-left", "")
    return "solid" in bar and not bar.startswith(("0", "none"))


def _tight(style: dict[str, str]) -> bool:
    margin = style.get("margin", "")
    if margin:
        return margin.split()[0].startswith("0")
    return all(style.get(side, "").startswith("0") for side in ("margin-top", "margin-bottom"))


def _sign(element: Element, first: str, last: str = "") -> None:
    """Put a line with a sign at the start of an element, and one at its end."""
    if element.tag in ("hr", "br", "img"):
        element.tag = "div"
    if element.tag in ("table", "tbody", "tr", "ul", "ol"):
        inner = element
        while len(inner) and inner.tag in ("table", "tbody", "tr", "ul", "ol"):
            inner = inner[0]
        first_place, last_place = inner, inner
    else:
        first_place = last_place = element
    opening = etree.Element("div")
    opening.text, opening.tail = first, first_place.text
    first_place.text = None
    first_place.insert(0, opening)
    if last:
        closing = etree.SubElement(last_place, "div")
        closing.text = last


def _quoted(text: str) -> str:
    """The text with `> ` before its quoted lines and `-- ` above a signature, and without the signs."""
    lines: list[str] = []
    depth = 0
    rest = 0  # one more than the depth within which all that follows is quoted
    for line in text.split("\n"):
        begins = line.count(QUOTE)
        if QUOTE_REST in line and not rest:
            rest = depth + 1
        content = SIGNS.sub(" ", line).strip()
        if SIGNATURE in line and not depth and not rest:
            lines.append("-- ")
        quoted = bool(depth or begins or rest)
        depth = max(0, depth + begins - line.count(UNQUOTE))
        rest = rest if depth >= rest - 1 else 0
        if content or GAP in line or not SIGNS.search(line):
            lines.append(f"> {content}".rstrip(" ") if quoted else content)
    return "\n".join(lines)
