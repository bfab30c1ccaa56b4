"""The checks of `wardroom doctor`, each with what to do about a fault."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from config.exposure import exposure
from config.given import given
from config.readers import ImapServer
from config.settings import unknown
from domain.engine.canonical import read_json
from service.clocks import outages
from service.commands.terminal.exits import user_name
from service.commands.terminal.opening import DAMAGED
from service.container import Services
from service.games.thinking import STOOD_IN
from service.integrity import audit_rounds
from service.integrity.checks import guards
from service.kernel.clock import SECOND, text
from service.kernel.clock_guard import OUTAGE
from service.mail import outgoing
from service.store.clocks.halted import halted_games
from service.store.database import APP_ROLE, Connection
from service.store.engines import sqlite_journal
from service.store.errors import DatabaseError, is_damaged, words
from service.store.event_store import histories
from service.store.event_store.checkpoints import StrangeKey, require_known, unvouched
from service.store.games import thoughts
from service.store.outgoing import destinations
from service.store.outgoing.deliveries import PUSH, WEBHOOK
from service.store.running.heartbeats import BACKUP, last_beat
from service.store.structure import roles, schema
from service.telemetry.neighbours import redis_trouble

TOO_MUCH: Final = (
    "The service logs in as {login}, which {reasons}, and so could change events: put the address of {login} into "
    "WARDROOM_DATABASE_OWNER_URL and another user into WARDROOM_DATABASE_URL, have a superuser run what `wardroom "
    "database sql` prints, then run `wardroom migrate`."
)
NO_MEMBER: Final = (
    "The service logs in as {login}, which is no member of " + APP_ROLE + ": have a superuser run what `wardroom "
    "database sql` prints, then run `wardroom migrate`."
)
SHARED: Final = (
    "A pooler in between hands each transaction to any session, but role and limits belong to one: set PgBouncer's "
    "pool_mode to session, or let Wardroom connect to PostgreSQL itself."
)
BOTS_WAIT: Final = 300 * SECOND
DAY: Final = 86_400 * SECOND


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: "well", "note" or "broken"."""

    mark: str
    what: str
    sentence: str


def examine(services: Services) -> list[Finding]:
    """Look at settings, database, keys, Redis and mail."""
    checks = (_settings, _files, _database, _redis, _mail, _answers)
    return [finding for check in checks for finding in check(services)]


def _settings(services: Services) -> Iterator[Finding]:
    settings = services.settings
    for name in unknown():
        yield Finding("broken", "settings", f"{name} is no setting: it is misspelt, or unset it.")
    key = given("SECRET_KEY", os.environ)
    if not key.text:
        path = settings.data_dir / "secret-key"
        yield Finding(
            "note", "secret key", f"It is in {path}: keep a copy apart; without it sealed games cannot go on."
        )
    else:
        yield Finding("well", "secret key", f"It is given by {key.place}.")
    if (exposed := exposure(settings)) is not None:
        yield Finding("broken", "mail", exposed)
    if settings.base_url.startswith("http://127.0.0.1"):
        yield Finding(
            "note", "base URL", "Links in mails lead to 127.0.0.1: set WARDROOM_BASE_URL for others to follow them."
        )


def _files(services: Services) -> Iterator[Finding]:
    """Check who may write to the data folder and read its files, and that this is not root."""
    settings = services.settings
    if not os.access(settings.data_dir, os.W_OK):
        yield Finding(
            "broken", "data folder", f"The user {user_name()} cannot write to {settings.data_dir}: run this as the "
            "user whom the service runs as, or give the folder to that user."
        )  # fmt: skip
    files = {"secret key": settings.data_dir / "secret-key"}
    if settings.sqlite:
        files["database"] = Path(settings.database_url.removeprefix("sqlite:///"))
    for contents, path in files.items():
        if _can_others_read(path):
            yield Finding(
                "broken", f"{contents} file", f"Other users of this machine can read {path}: `chmod 600 {path}`."
            )
    named = os.environ.get("WARDROOM_SECRET_KEY_FILE", "").strip()
    if named and _can_others_read(Path(named)):
        yield Finding("note", "secret key file", f"Other users of this machine can read {named}: keep it from them.")
    if os.geteuid() == 0:
        yield Finding("note", "user", "This runs as root: let the service run as a user of its own (docs/hosting.md).")


def _can_others_read(path: Path) -> bool:
    """Return whether users other than its owner and group reach a file and may read it."""
    try:
        return bool(path.stat().st_mode & stat.S_IROTH) and _is_reached(path)
    except OSError:
        return False


def _is_reached(path: Path) -> bool:
    """Return whether users other than its owner and group may pass through the folders above a file."""
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in path.absolute().parents)


def _database(services: Services) -> Iterator[Finding]:
    database = services.database
    try:
        with database.read() as connection:
            wrong = schema.fault(connection)
        damage = database.find_damage()
    except DatabaseError as error:
        cause = words(error) or type(error).__name__
        damage = cause if is_damaged(error) else ""
        if not damage:
            yield Finding("broken", "database", f"It does not answer: “{cause}”. Check WARDROOM_DATABASE_URL.")
            return
    if damage:
        yield Finding("broken", "database", DAMAGED.format(damage))
        return
    if wrong is not None:
        yield Finding("broken", "schema", wrong)
        return
    yield Finding("well", "schema", f"It is at {schema.NEWEST}.")
    if database.is_sqlite:
        yield Finding(
            "well", "journal", f"SQLite {sqlite3.sqlite_version} runs in {sqlite_journal()} mode"
            + ("." if sqlite_journal() == "WAL" else ": before 3.51.3 its WAL mode can corrupt files.")
        )  # fmt: skip
    if not database.is_sqlite and roles.shares_sessions(database.engine):
        yield Finding("broken", "pooling", SHARED)
    with database.read() as connection:
        yield _triggers(connection)
        if not database.is_sqlite:
            yield _role(connection)
        yield from _streams(services, connection)
        yield _signing(services, connection)
        yield _clock(services, connection)
        yield from _outgoing(services, connection)
        yield _bots(services, connection)
        yield _audits(services, connection)
        yield _backups(services, connection)


def _signing(services: Services, connection: Connection) -> Finding:
    """Whether who knew an earlier signing key can tell that the present one is ours."""
    present = services.signer.key_id
    try:
        require_known(connection, services.signer)
    except StrangeKey as error:
        return Finding("broken", "signing key", str(error))
    match unvouched(connection, services.signer):
        case None:
            return Finding("well", "signing key", f"Checkpoints are signed with {present}.")
        case "now":
            return Finding(
                "note", "signing key", f"No earlier one at hand can vouch for {present}: set WARDROOM_SECRET_KEYS_OLD "
                "to the secret before this one, before anything is signed."
            )  # fmt: skip
        case "for good":
            return Finding(
                "note", "signing key", f"No earlier one was at hand to vouch for {present} when it was first used: "
                "tell your players that it is yours (`wardroom keys`)."
            )  # fmt: skip


def _clock(services: Services, connection: Connection) -> Finding:
    """Whether deadlines are looked at, and nothing holds them."""
    status = outages.status(services.database, connection)
    if status.held is not None:
        return Finding(
            "broken", "clock", f"It jumped forward, and no deadline is decided since {text(status.held)}: set it "
            "right, or run `wardroom clock accept` if it is right."
        )  # fmt: skip
    if status.flooded is not None:
        return Finding(
            "note", "clock", f"Unusually many deadlines would have passed at once at {text(status.flooded)}: they are "
            "held for a quarter of an hour; see whether something is wrong, or run `wardroom clock accept`."
        )  # fmt: skip
    if status.swept is None or status.now - status.swept > OUTAGE:
        since = "yet" if status.swept is None else f"since {text(status.swept)}"
        return Finding("note", "clock", f"Nobody has looked at deadlines {since}: start the service, or its workers.")
    return Finding("well", "clock", f"Deadlines were last looked at {text(status.swept)}.")


def _outgoing(services: Services, connection: Connection) -> Iterator[Finding]:
    """Destinations that take nothing."""
    status = outgoing.status(services, connection)
    if (line := outgoing.line(status)) is not None:
        yield Finding("broken", "mail that waits", line)
    else:
        yield Finding("well", "mail that waits", f"{status.due} mails are due.")
    for channel, name in ((WEBHOOK, "hosts of webhooks"), (PUSH, "push services")):
        hosts = [trouble for trouble in destinations.down(connection) if trouble.channel == channel]
        if hosts:
            since = text(min(trouble.down_since or 0 for trouble in hosts))
            yield Finding("note", name, f"{len(hosts)} {name} do not answer, the first since {since}.")


def _bots(services: Services, connection: Connection) -> Finding:
    """Whether somebody thinks for the bots that are asked."""
    now = services.database.clock.now(connection)
    queue = thoughts.count(connection, now)
    stood_in = last_beat(connection, STOOD_IN)
    if queue.oldest is not None and now - queue.oldest > BOTS_WAIT:
        return Finding(
            "broken", "bots", f"{queue.waiting} are asked and nobody thinks, the first since {text(queue.oldest)}: "
            "start the worker of bots, or more of them."
        )  # fmt: skip
    if queue.put_off:
        return Finding(
            "note", "bots", f"{queue.put_off} are put off, as what they thought came to nothing: the log says why, at "
            "“a thought failed” and “nobody can play for a bot”."
        )  # fmt: skip
    if stood_in is not None and now - stood_in < DAY:
        return Finding(
            "note", "bots", f"The caretaker had to decide for a bot at {text(stood_in)}, as its thoughts came to "
            "nothing: the log says why, at “the caretaker plays for a bot”."
        )  # fmt: skip
    return Finding("well", "bots", f"{queue.waiting} wait to think, {queue.under_way} think.")


def _audits(services: Services, connection: Connection) -> Finding:
    """Whether housekeeping audits all running games in time."""
    last = audit_rounds.longest_ago(connection)
    if last is None:
        return Finding("well", "audits", "No game runs.")
    if services.database.clock.now(connection) - last > 2 * audit_rounds.EVERY:
        since = f"since {text(last)}" if last else "ever"
        return Finding("note", "audits", f"A game was not audited {since}: run `wardroom doctor --audit` by night.")
    return Finding("well", "audits", f"Every running game was audited since {text(last)}.")


def _backups(services: Services, connection: Connection) -> Finding:
    """Whether there was a backup lately."""
    last = last_beat(connection, BACKUP)
    if last is None:
        told = "`wardroom backup` was never run: without one a broken disk ends every game."
        return Finding("note", "backups", told)
    if services.database.clock.now(connection) - last > 2 * DAY:
        return Finding("note", "backups", f"`wardroom backup` was last run at {text(last)}: run it every day.")
    return Finding("well", "backups", f"The last one is of {text(last)}.")


def _triggers(connection: Connection) -> Finding:
    wrong = [finding.sentence for finding in guards.findings(connection)]
    if wrong:
        return Finding("broken", "triggers", " ".join(wrong))
    return Finding("well", "triggers", "Events, leaves, checkpoints and keys can be added, not changed.")


def _role(connection: Connection) -> Finding:
    """Whether whoever takes the service over could rewrite a game: the role that logs in counts, for it can go back to
    itself."""
    login, works_as = roles.login(connection)
    if reasons := list(roles.too_much(connection)):
        return Finding("broken", "role", TOO_MUCH.format(login=login, reasons=" and ".join(reasons)))
    if works_as != APP_ROLE:
        return Finding("broken", "role", NO_MEMBER.format(login=login))
    if lacking := [thing.partition(" ")[2] for _, thing in roles.lacking(connection)]:
        return Finding("broken", "role", f"{APP_ROLE} may not use {', '.join(lacking)}: run `wardroom migrate`.")
    return Finding("well", "role", f"The service logs in as {login}, works as {APP_ROLE}, and may not change events.")


def _streams(services: Services, connection: Connection) -> Iterator[Finding]:
    """Every head opens and is the last event of its stream, and no game is stopped."""
    count, broken = 0, False
    for game, since, why in halted_games(connection):
        broken = True
        told = f"It is stopped since {text(since)} ({why}) Restore what was changed, then run"
        yield Finding("broken", f"game {game}", f"{told} `wardroom doctor --audit`.")
    for game, version, head_hash in histories.heads(connection):
        count += 1
        last = histories.last_event(connection, game)
        if last is None or (last.version, last.hash) != (version, head_hash):
            broken = True
            yield Finding("broken", f"game {game}", "Its head is not its last event: restore it from a backup.")
            continue
        try:
            read_json(last.body)
            services.streams.head(connection, game)
        except DatabaseError:
            raise
        except Exception as error:  # a damaged history may make the rules stumble over anything
            broken = True
            yield Finding("broken", f"game {game}", f"Its state cannot be opened ({error}).")
    if not broken:
        yield Finding("well", "games", f"{count} games have their heads where their histories end.")


def _redis(services: Services) -> Iterator[Finding]:
    if services.settings.embedded:
        yield Finding("well", "Redis", "None is used: clock and mail run inside the web process.")
        return
    trouble = redis_trouble(services.settings, patience=2)
    if trouble is None:
        yield Finding("well", "Redis", "It takes writes.")
    else:
        yield Finding("broken", "Redis", f"{trouble.sentence} Redis: “{trouble.said}”. Check WARDROOM_REDIS_URL.")


def _mail(services: Services) -> Iterator[Finding]:
    server = services.settings.smtp_url
    if server is None:
        yield Finding("note", "mail", "It stays in the development mailbox: set WARDROOM_SMTP_URL to send it.")
        return
    import smtplib

    try:
        make = smtplib.SMTP_SSL if server.tls else smtplib.SMTP
        with make(server.host, server.port, timeout=5) as connection:
            connection.noop()
        yield Finding("well", "mail", "The mail server answers.")
    except (OSError, smtplib.SMTPException) as error:
        yield Finding(
            "broken", "mail", f"The mail server does not answer ({type(error).__name__}): check WARDROOM_SMTP_URL."
        )


def _answers(services: Services) -> Iterator[Finding]:
    """How answers by mail come in, and who is believed."""
    settings = services.settings
    listener, server = settings.mail_in, settings.imap_url
    if listener is None and server is None:
        yield Finding(
            "note", "answers by mail", "None come in: set WARDROOM_MAIL_IN or WARDROOM_IMAP_URL, "
            "or let your mail server run `wardroom mail ingest`."
        )  # fmt: skip
    if listener is not None:
        protocol = "LMTP" if listener.lmtp else "SMTP"
        yield Finding("well", "answers by mail", f"They come in by {protocol} on {listener.host}:{listener.port}.")
    if server is not None:
        yield _mailbox(server)
    if settings.authserv_id:
        yield Finding("well", "senders", f"Believed where {settings.authserv_id} vouches for them (RFC 8601).")
    elif settings.smtp_url is None:
        yield Finding("note", "senders", "Mail that is sent on this machine is believed: no mail ever leaves it.")
    else:
        yield Finding(
            "note", "senders", "No mail server vouches for them, so every move by mail must be confirmed by reply: "
            "set WARDROOM_AUTHSERV_ID to the name of the one that checks DMARC."
        )  # fmt: skip


def _mailbox(server: ImapServer) -> Finding:
    import imaplib
    import ssl

    try:
        if server.tls:
            context = ssl.create_default_context()
            imaplib.IMAP4_SSL(server.host, server.port, ssl_context=context, timeout=5).logout()
        else:
            imaplib.IMAP4(server.host, server.port, timeout=5).logout()
    except (OSError, imaplib.IMAP4.error) as error:
        said = f"It does not answer ({type(error).__name__}): check WARDROOM_IMAP_URL."
        return Finding("broken", "IMAP mailbox", said)
    return Finding("well", "IMAP mailbox", "It answers; it is looked into every minute.")
