"""The judgement of a returned probe: its verdicts, forged verdicts, signatures and body."""

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32

from service.mail.alignment import PASS, judged
from service.mail.authentication import AuthenticationResult, authentication_result
from service.mail.finding import Finding, broken, note, well
from service.mail.probe.message import NOWHERE, RESULTS, SIGNED, Probe, body_of, head_of
from service.mail.probe.signatures import aligned, signatures

METHODS = {"spf": "SPF", "dkim": "DKIM", "dmarc": "DMARC"}
REMEDIES = {
    "spf": "Name the machine that sends in the SPF record of WARDROOM_MAIL_DOMAIN: docs/hosting.md, section 7.",
    "dkim": "Enter the public key of the server that signs into the DNS: docs/hosting.md, section 7.",
    "dmarc": "Mend SPF or DKIM, and enter the DMARC record of the domain of From: docs/hosting.md, section 7.",
}
REMOVE = (
    f"Let your mail server remove every {RESULTS} header of that name that comes from outside: Postfix by "
    "header_checks, as in deploy/postfix/."
)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The headers of a probe that came back: what our mail server says, what we forged, who else says something."""

    headers: Message
    ours: list[AuthenticationResult]
    forged: bool
    others: list[str]

    @property
    def is_judged(self) -> bool:
        """Whether our mail server looked at it as at a stranger's mail."""
        return any(method in METHODS for header in self.ours for method, *_ in header.results)


def verdicts(probe: Probe, raw: bytes, authserv_id: str) -> Verdicts:
    """What stands in the headers of a probe as it came in."""
    headers = BytesHeaderParser(policy=compat32).parsebytes(head_of(raw))
    values = [" ".join(str(value).split()) for value in headers.get_all(RESULTS, [])]
    genuine = [value for value in values if probe.mark not in value and NOWHERE not in value]
    read = [authentication_result(value) for value in genuine]
    ours = [header for header in read if header.authserv_id == authserv_id.casefold()]
    others = sorted({header.authserv_id for header in read} - {authserv_id.casefold(), ""})
    return Verdicts(headers, ours, len(genuine) < len(values), others)


def judge(
    from_domain: str, probe: Probe, raw: bytes, found: Verdicts, authserv_id: str, *, believes: bool
) -> Iterator[Finding]:
    """Judge one probe that came back; its verdicts only if there are any.

    `from_domain` is the domain of From. `believes` says whether the settings name the server that judges.
    """
    yield _forged(found, authserv_id)
    if found.is_judged:
        yield from _methods(found)
        yield _belief(from_domain, found) if believes else _disbelief(authserv_id)
    yield from _signed(from_domain, found)
    yield _unchanged(probe, raw)


def _forged(found: Verdicts, authserv_id: str) -> Finding:
    if found.forged:
        told = f"One that we wrote ourselves under the name {authserv_id} was left in: anybody can vouch for himself."
        return broken("forged verdicts", told, REMOVE)
    return well("forged verdicts", f"One that we wrote ourselves under the name {authserv_id} was removed.")


def _methods(found: Verdicts) -> Iterator[Finding]:
    """Report the verdicts of our mail server on SPF, DKIM and DMARC."""
    for method, name in METHODS.items():
        results = [
            (result, properties)
            for header in found.ours
            for named, result, properties in header.results
            if named == method
        ]
        if not results:
            remedy = "Let it check all three, and write what it found: deploy/postfix/ and deploy/exim/ do."
            yield note(f"verdict of {name}", "Your mail server says nothing of it.", remedy)
        elif any(result == "pass" for result, _ in results):
            yield well(f"verdict of {name}", f"pass{_about(results)}")
        else:
            said = ", ".join(sorted({result for result, _ in results}))
            yield broken(f"verdict of {name}", f"{said}{_about(results)}", REMEDIES[method])


def _about(results: list[tuple[str, dict[str, str]]]) -> str:
    known = {name: value for _, properties in results for name, value in properties.items()}
    told = [f"{name}={known[name]}" for name in ("smtp.mailfrom", "header.d", "header.from") if name in known]
    return f" ({', '.join(told)})" if told else ""


def _belief(from_domain: str, found: Verdicts) -> Finding:
    """Report whether a move in such a mail counts at once; the intake reads only the topmost header."""
    top = found.ours[0]
    if judged(top.results, from_domain) == PASS:
        return well("moves by mail", "A player's mail that arrives like this one counts at once.")
    told = f"The topmost header of {top.authserv_id} proves no sender: each move is confirmed by a second mail."
    return broken(
        "moves by mail", told, "It must hold dmarc=pass with header.from: let the filter for DMARC come last."
    )


def _disbelief(authserv_id: str) -> Finding:
    told = "WARDROOM_AUTHSERV_ID is unset, so no verdict counts: each move is confirmed by a second mail."
    return note("moves by mail", told, f"Where the verdicts above are well: WARDROOM_AUTHSERV_ID={authserv_id}")


def _signed(from_domain: str, found: Verdicts) -> Iterator[Finding]:
    """Report who signed which headers: one-click unsubscribe (RFC 8058) and mail as evidence (S-45) need some."""
    every = signatures(found.headers)
    own = aligned(every, from_domain)
    if not own:
        who = ", ".join(sorted({signature.domain for signature in every}))
        told = f"It is signed by {who} only." if who else "It is not signed."
        remedy = f"Let the server that sends sign with d={from_domain}: docs/hosting.md says how."
        yield broken("signature", f"{told} Nothing proves then that {from_domain} sent it.", remedy)
        return
    best = min(own, key=lambda signature: len(signature.missing(SIGNED)))
    yield well("signature", f"It is signed by {best.domain} with the key {best.selector}.")
    if missing := best.missing(SIGNED):
        remedy = "OpenDKIM: SignHeaders *,+list-unsubscribe-post,+wardroom-checkpoint,+wardroom-log"
        yield broken("signature", f"It does not cover {', '.join(missing)}.", remedy)
    else:
        yield well("signature", f"It covers {', '.join(SIGNED)}.")
    if not best.whole_body:
        yield broken("signature", "It covers only a part of the body (`l=`).", "OpenDKIM: take BodyLengths out.")


def _unchanged(probe: Probe, raw: bytes) -> Finding:
    sent, came = (body.rstrip(b"\r\n").split(b"\r\n") for body in (probe.body, body_of(raw)))
    if sent == came:
        return well("body", "It came as it was sent.")
    if came[: len(sent)] == sent:
        told, remedy = "Something was added below it.", "Take that footer out: signed mail must not be changed."
    else:
        number = next(at for at, (line, other) in enumerate(zip(sent, [*came, b""], strict=False)) if line != other)
        told, remedy = f"Line {number + 1} came changed.", "Let no filter rewrite or wrap mail, or take 8-bit apart."
    return broken("body", f"{told} Saved mails are no evidence then, and signatures break.", remedy)
