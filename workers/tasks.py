"""The tasks: no arguments that mean anything, no state, safe to run twice."""

from workers import sweep
from workers.app import app, postroom, room, way_out
from workers.mail_in import imap
from workers.mail_out.delivery import deliver


@app.task(name="mail.deliver")
def deliver_mail() -> None:
    """Work off the mail that came in, then deliver the outbox: an answer leaves at once."""
    postroom().work()
    deliver(room(), way_out())


@app.task(name="mail.fetch")
def fetch_mail() -> None:
    """Look into the IMAP mailbox, where mail comes in that way."""
    imap.look_if_due(room(), patience=imap.EVERY / 2)


@app.task(name="clock.sweep")
def sweep_clock() -> None:
    """Decide deadlines that have passed, and make the reminders and digests that are due."""
    with room().database.write() as tx:
        sweep.beat(room(), tx, "beat")
    sweep.sweep_deadlines(room())
    sweep.sweep_reminders(room())
    sweep.sweep_digests(room())


@app.task(name="house.keep")
def keep_house() -> None:
    """Forget what is old, seal again what is under an older key."""
    sweep.housekeep(room())
