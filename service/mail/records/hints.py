"""What to do about a record that is not there."""

from service.mail.records import zone
from service.mail.records.plan import Plan


def add(record: zone.Record) -> str:
    return f"Add this record: {' '.join(record.line().split())}"


def doubled(texts: tuple[str, ...], wanted: zone.Record, plan: Plan) -> str:
    """What to do where a form has put the zone's name behind a whole name."""
    if not texts:
        return add(wanted)
    return (
        f"It stands at {wanted.name}.{plan.organization}: the form adds {plan.organization} by itself, so enter "
        f"{wanted.name.removesuffix(f'.{plan.organization}')} only."
    )
