"""Where a request comes from, for counting."""

from flask import request

from service.kernel.networks import network_of


def caller_network() -> str:
    """The network that this request comes from."""
    return network_of(request.remote_addr or "")
