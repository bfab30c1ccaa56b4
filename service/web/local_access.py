"""The check that a request was made on this machine, for what nobody else may see: the development mailbox."""

import re
from typing import Final

from flask import Request

from config.exposure import is_loopback

FORWARDING: Final = re.compile(
    r"Forwarded|Via|(X-)?(Real|Client|Cluster-Client|ProxyUser)-?Ip|X-(Forwarded|Original|Proxy|Envoy)(-.*)?"
    r"|True-Client-Ip|(Cf|Fly|Fastly|X-Azure|X-Appengine)-.*|Cdn-Loop",
    re.IGNORECASE,
)
"""Headers by which proxies say for whom they ask."""
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:]+))(?::[0-9]{1,5})?")


def is_local(request: Request) -> bool:
    """Whether a request comes from this machine, for this machine, and past no proxy.

    A page elsewhere may have its own name lead to 127.0.0.1 (DNS rebinding): so the Host counts, too. A proxy that says
    nothing of its client speaks HTTP/1.0, as nginx does unless told otherwise; no browser does.
    """
    host = _HOST.fullmatch(request.headers.get("Host", ""))
    return (
        is_loopback(request.remote_addr or "")
        and host is not None
        and is_loopback(host[1] or host[2])
        and not any(FORWARDING.fullmatch(name) for name, _ in request.headers)
        and request.environ.get("SERVER_PROTOCOL") != "HTTP/1.0"
    )


def is_own_page(request: Request) -> bool:
    """Whether no page of another origin wrote this request. A program that is no browser sends neither header.

    Our own forms have `Origin: null` under `Referrer-Policy: no-referrer`, as strangers that hide have: only a browser
    that vouches for them by `Sec-Fetch-Site` is believed then.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    host = request.headers.get("Host", "")
    if origin == "null":
        return site == "same-origin"
    return site in (None, "same-origin") and origin in (None, f"http://{host}", f"https://{host}")


def is_surely_own_page(request: Request) -> bool:
    """Whether a browser vouches that a page of ours wrote this request: to say nothing is not enough."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    return is_own_page(request) and (site == "same-origin" or origin not in (None, "null"))
