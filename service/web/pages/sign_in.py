"""Signing in and out."""

from flask import render_template

from service.web.http.forms import Pages

bp = Pages("sign_in", __name__)


@bp.get("/sign-in")
def page() -> str:
    """Where to sign in."""
    return render_template("sign_in.html")
