"""A line of a mail, and what it was taken for."""

import msgspec


class Line(msgspec.Struct, frozen=True):
    """One line the player wrote, and what it was taken for; "" where nothing is wrong with it."""

    number: int
    text: str
    fault: str = ""
    near: str = ""  # the nearest thing that would do
