"""The Campaign Manager (CH-8.4, CH-8.5)."""

from typing import Final

from domain.city_hall.rules.actions import Campaign
from domain.city_hall.rules.events import CampaignRun, evolves
from domain.city_hall.rules.options import option
from domain.city_hall.rules.position import gain_money, last_space, money_of
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import form
from domain.engine.game import Event, Seat
from domain.engine.refusals import require

ADVANCE: Final = {0: 1, 10: 2, 30: 3}
"""Spaces by price (CH-8.4)."""


def decide_campaign(state: State, seat: Seat, action: Campaign) -> list[Event]:
    """Decide a campaign: a price and its advance (CH-8.4); what goes beyond the end is lost (CH-8.5).

    Raises RuleViolation.
    """
    before = state.players[seat].approval
    if action.pay == "none":
        optional = option(state, "campaign") == "optional"
        require(
            optional,
            "campaign-mandatory",
            "CH-8.4",
            "You must choose one: {form} costs nothing.",
            form=form("campaign 0"),
        )
        return [CampaignRun(seat, 0, 0, before)]
    held = money_of(state, seat)
    require(
        held >= action.pay,
        "not-enough-money",
        "CH-8.4",
        "That costs ${price} and you have ${held}.",
        price=action.pay,
        held=held,
    )
    spaces = ADVANCE[action.pay]
    return [CampaignRun(seat, action.pay, spaces, min(last_space(state), before + spaces))]


@evolves(CampaignRun)
def campaign_run(state: State, event: CampaignRun) -> None:
    """The money is paid, and the Staffer has advanced."""
    player = state.players[event.seat]
    gain_money(player, -event.money)
    player.approval = event.approval
    state.phase = "ended"
