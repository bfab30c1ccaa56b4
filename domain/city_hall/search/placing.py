"""What a Permit on a space brings, in a sentence: stars, approval, income (CH-8.2, CH-9, CH-10)."""

from domain.city_hall.rules.pieces import PARK, Land, Permit
from domain.city_hall.rules.stars import approval_steps, changed_stars, star_value
from domain.city_hall.rules.taxes import FACTORY, TOWER
from domain.city_hall.rules.words import KINDS, dollars
from domain.city_hall.search.outlook import Outlook
from domain.engine.game import Seat
from domain.engine.sentences import Sentence, row, say, say_n


def placed_sentence(seen: Outlook, seat: Seat, permit: Permit, land: Land) -> Sentence:
    """What follows at once when a seat places it."""
    stars = 0
    for near, value in changed_stars(seen.board, seen.permits, permit, land).items():
        if seen.state.lands[near].owner == seat:
            stars += value - (star_value(seen.board, seen.permits, near) or 0)
    steps = approval_steps(seen.state, seen.board, seat, seen.permits, permit, land).count(seat)
    parts = []
    if stars > 0:
        parts.append(say_n("{count} star for you", "{count} stars for you", stars))
    if steps:
        parts.append(say_n("{count} step of approval", "{count} steps of approval", steps))
    if income := {"tower": TOWER, "factory": FACTORY}.get(permit, 0):
        parts.append(say("{money} more at each tax", money=dollars(income)))
    if permit == PARK and not steps:
        parts.append(say("a step of approval for each Building that will touch it"))
    what = row(parts, ", ") if parts else say("one more of its kind")
    return say("{permit} on {land}: {what}.", permit=KINDS[permit], land=land, what=what)
