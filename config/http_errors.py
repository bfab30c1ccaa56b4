"""What the web server answers before the application hears of a request: problems (RFC 9457), no HTML."""

import json
from http import HTTPStatus
from typing import Any, Final

from gunicorn import util

SENTENCES: Final = {
    400: "This cannot be read as an HTTP request: send it as RFC 9112 says.",
    403: "This way is shut: ask the service itself, by the address that it is known by.",
    408: "The rest of this request did not come in time: send it again.",
    414: "The address is too long: put what is long into the body of the request.",
    417: "This expectation is not met: send no Expect header but 100-continue.",
    431: "The headers are too large: send fewer of them, or shorter ones.",
    500: "Something went wrong here. Repeat the request with the same Idempotency-Key.",
    501: "This transfer coding is not known: send the body as it is, with its Content-Length.",
}
HEAD: Final = (
    "HTTP/1.1 {status} {title}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
    "Content-Length: {length}\r\nCache-Control: private, no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n"
)


def answer_problems(_: object) -> None:
    """Hook of gunicorn (`post_worker_init`): let its workers answer what they refuse by `write_problem`."""
    util.write_error = write_problem


def write_problem(sock: Any, status: int, reason: str, message: str) -> None:
    """Answer a request that was refused. The server's own message is left out: it quotes what came."""
    title = HTTPStatus(status).phrase
    code = title.lower().replace(" ", "-")
    detail = SENTENCES.get(status, f"{title}.")
    known = {"type": f"urn:wardroom:problem:{code}", "title": title, "status": status, "detail": detail, "code": code}
    body = json.dumps(known, separators=(",", ":"))
    util.write_nonblock(sock, (HEAD.format(status=status, title=title, length=len(body)) + body).encode("ascii"))
