"""Every setting of Wardroom: the one place that reads the environment.

A setting `X` is the variable `WARDROOM_X`, or stands in a file (`config.given`); an empty variable counts as unset.
`load()` answers a frozen `Settings` or raises `BadSetting`, whose message names the variable, the bad value unless it
may hold a secret, and what is expected.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from config import places
from config import readers as read
from config.given import PREFIX, Given, given, unknown_in
from config.given import BadSetting as BadSetting
from config.keyfile import MIN_KEY_LENGTH, read_or_make_key

ANYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - who listens anywhere is reached here


class NoKey(BadSetting):
    """There is no secret key, and none may be made."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How one setting is read: `default` may name settings above it in braces."""

    parse: Callable[[str], Any]
    default: str
    purpose: str
    secret: bool = False


def setting(parse: Callable[[str], Any], default: str, purpose: str, *, secret: bool = False) -> Any:
    """Declare one setting; a secret shows neither in `repr` nor in an error."""
    return field(repr=not secret, metadata={"rule": Rule(parse, default, purpose, secret)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the environment asked for. Times are whole seconds unless their type says otherwise."""

    data_dir: Path = setting(
        read.directory,
        "var",
        "Directory of the embedded database, the development mailbox and the generated key; see above.",
    )
    database_url: str = setting(
        read.database_url, "sqlite:///{DATA_DIR}/wardroom.sqlite", "SQLite file or PostgreSQL database.", secret=True
    )
    database_owner_url: str = setting(
        read.owner_url,
        "",
        "PostgreSQL role that owns the tables, for `wardroom migrate` and restore alone; unset, that of DATABASE_URL.",
        secret=True,
    )
    redis_url: str = setting(
        read.redis_url,
        "memory:",
        "Redis of Celery and the rate limits; memory: runs the workers inside the one web process.",
        secret=True,
    )
    smtp_url: read.SmtpServer | None = setting(
        read.smtp_server,
        "mailbox:",
        "Outgoing mail server: smtp:// or smtps://; mailbox: keeps mail in the development mailbox.",
        secret=True,
    )
    secret_key: str = setting(
        read.key,
        "",
        "Master key that seals secrets at rest, one for all processes; unset, made once in DATA_DIR/secret-key.",
        secret=True,
    )
    secret_keys_old: tuple[str, ...] = setting(
        read.keys, "", "Earlier master keys, separated by commas: still read, never written with.", secret=True
    )
    host: str = setting(
        read.matching(r"[0-9A-Za-z.:_-]{1,253}", "a host name or an address"),
        "127.0.0.1",
        "Address the web process listens on.",
    )
    port: int = setting(read.whole(1, 65535), "8000", "Port the web process listens on; PORT serves too.")
    base_url: str = setting(read.base_url, "http://127.0.0.1:{PORT}", "Address of the service in mails and links.")
    mail_domain: str = setting(
        read.matching(read.DOMAIN, "a domain name such as wardroom.example"),
        "localhost",
        "Domain of reply addresses and message ids.",
    )
    mail_prefix: str = setting(
        read.matching(r"(?:[A-Za-z0-9._-]{1,26}[+-])?", "the beginning of addresses, such as games+"),
        "",
        "What every address of ours begins with, for a mailbox that takes games+anything: games+; unset, nothing.",
    )
    mail_from: str = setting(
        read.matching(read.ADDRESS, "an address such as game@wardroom.example"),
        "game@{MAIL_DOMAIN}",
        "Sender of the mails.",
    )
    mail_in: read.Listener | None = setting(
        read.listener,
        "smtp://127.0.0.1:8025",
        "Where the mail process listens: smtp://HOST:PORT or lmtp://HOST:PORT, behind a mail server; or off.",
    )
    imap_url: read.ImapServer | None = setting(
        read.imap_server,
        "off",
        "Mailbox to fetch mail from instead: imaps://USER:PASSWORD@HOST/FOLDER; or off.",
        secret=True,
    )
    contact: str = setting(
        read.matching(rf"|{read.ADDRESS}|https?://[!-~]{{1,200}}", "a mail address, or the address of a page"),
        "",
        "Whom players ask about what you did by command: a mail address or a page, told in mails about it.",
    )
    authserv_id: str = setting(
        read.matching(r"[!-~]{0,253}", "the name of your mail server in Authentication-Results headers"),
        "",
        "Whose Authentication-Results headers to believe (RFC 8601); unset, every move by mail is confirmed by reply.",
    )
    news: tuple[str, int] | None = setting(
        read.address,
        "off",
        "Where the news process listens, HOST:PORT, for the proxy's path /news/; or off: pages ask by themselves.",
    )
    news_asks: tuple[str, int] | None = setting(
        read.address_elsewhere,
        "",
        "Where the news process asks the web process about streams of the API, HOST:PORT; unset, HOST and PORT.",
    )
    metrics_token: str = setting(
        read.token,
        "",
        "What a monitor must show to read /metrics; unset, they are read on this machine alone, or as follows.",
        secret=True,
    )
    metrics_listen: tuple[str, int] | None = setting(
        read.address,
        "off",
        "Another HOST:PORT where the web process tells /metrics, to whoever reaches it if no token is set; or off.",
    )
    traces: bool = setting(
        read.one_of({"on": True, "off": False}),
        "off",
        "Whether to send traces by OpenTelemetry, as the variables OTEL_* say, with the extra `otel`: on or off.",
    )
    min_move_time: timedelta = setting(
        read.duration, "PT10M", "Shortest time per move a game may ask for, as an ISO 8601 duration."
    )
    talk_delay: timedelta = setting(
        read.duration,
        "PT5M",
        "How long a line of table talk can be taken back before others see it, as an ISO 8601 duration.",
    )
    mail_window: timedelta = setting(
        read.duration,
        "PT3M",
        "How long after a mail that it is somebody's turn the next one about the same game waits; PT0S: not at all.",
    )
    mails_a_day: int = setting(
        read.whole(1, 100000),
        "100",
        "Automatic mails to one person in 24 hours, after which others wait or are dropped.",
    )
    webhooks: bool = setting(
        read.one_of({"on": True, "off": False}), "on", "Whether programs of players may be told by webhooks: on or off."
    )
    webhook_hosts: frozenset[tuple[str, int]] = setting(
        read.hosts,
        "",
        "Hosts that webhooks and calls may lead to although they are not public, also by http: HOST:PORT, by commas.",
    )
    push: bool = setting(
        read.one_of({"on": True, "off": False}), "on", "Whether people may be called on their devices: on or off."
    )
    bot_seconds: int = setting(
        read.whole(1, 100),
        "30",
        "Seconds that a bot may compute for one decision; after three thoughts given up the caretaker decides.",
    )
    undo_seconds: int = setting(
        read.whole(0, 600),
        "10",
        "Seconds that bots wait after a move that its player can still take back at once; 0: none.",
    )
    open_tables: int = setting(
        read.whole(1, 100000), "20", "Tables of one player that may wait for their start at the same time."
    )
    bot_tables: int = setting(
        read.whole(0, 100000), "12", "Tables of one player that may run or stand open at which bots think."
    )
    guests: int = setting(
        read.whole_or_off(1, 100000),
        "200",
        "Guests at the same time, who play against bots without an account; off: none, and no Play now.",
    )
    rate_limits: bool = setting(
        read.one_of({"on": True, "off": False}), "on", "Limits on requests and mails per person: on, or off for tests."
    )
    log_level: str = setting(
        read.words("debug", "info", "warning", "error"),
        "info",
        "Least severe lines to log: debug, info, warning or error.",
    )
    log_format: str = setting(read.words("json", "text"), "json", "Shape of a log line: json or text.")
    sweep_seconds: int = setting(read.whole(1, 3600), "5", "How often due mail and deadlines are looked for.")
    lease_seconds: int = setting(
        read.whole(1, 300),
        "15",
        "How long a worker owns a mail it sends; renewed while it lives, so what a dead one had in hand waits so long.",
    )
    smtp_connect_timeout: int = setting(
        read.whole(1, 3600), "10", "Seconds to wait for a connection to the mail server."
    )
    smtp_timeout: int = setting(read.whole(1, 3600), "30", "Seconds to wait for its answer to a command.")
    smtp_data_timeout: int = setting(read.whole(1, 3600), "60", "Seconds to wait for its final answer to a message.")
    max_body: int = setting(read.whole(1024, 64 * 1024 * 1024), "262144", "Largest request body, in bytes.")
    pool_size: int = setting(read.whole(1, 1000), "10", "Database connections a process keeps.")
    processes: int = setting(read.whole(1, 256), "2", "Web processes under gunicorn.")
    threads: int = setting(
        read.whole(1, 512), "32", "Threads of one web process under gunicorn with PostgreSQL; SQLite has one."
    )
    trusted_proxies: int = setting(read.whole(0, 10), "0", "Proxies in front whose X-Forwarded-For may be believed.")

    @property
    def embedded(self) -> bool:
        """No Redis: the workers run inside the one web process."""
        return self.redis_url == read.MEMORY

    @property
    def streams_news(self) -> bool:
        """Pages are told by the news process, which hears of moves through Redis or PostgreSQL."""
        return self.news is not None and not (self.embedded and self.sqlite)

    @property
    def web_address(self) -> tuple[str, int]:
        """Where the news process asks the web process."""
        return self.news_asks or (ANYWHERE.get(self.host, self.host), self.port)

    @property
    def sqlite(self) -> bool:
        """The database is a SQLite file."""
        return self.database_url.startswith("sqlite:")


def load(environ: Mapping[str, str] = os.environ, *, makes_key: bool = True, needs_key: bool = True) -> Settings:
    """Read the settings; a secret key that nobody gave is made, with its directory, where there is no database yet.

    Raises BadSetting; also where there is no key and none may be made, unless the work at hand needs none.
    """
    values: dict[str, Any] = {}
    shown: dict[str, str] = {}
    for declared in fields(Settings):
        name, rule = declared.name.upper(), rule_of(declared)
        found = given(name, environ)
        text = found.text or (environ.get("PORT", "").strip() if name == "PORT" else "")
        try:
            default = places.data_dir(environ) if name == "DATA_DIR" else rule.default.format_map(shown)
            values[declared.name] = rule.parse(text or default)
        except ValueError as wrong:
            raise BadSetting(_complaint(name, found, rule, text, wrong)) from None
        shown[name] = str(values[declared.name])
    if values["metrics_listen"] is not None and values["metrics_listen"][1] == values["port"]:
        sentence = f"{PREFIX}METRICS_LISTEN must name another port than {PREFIX}PORT, which is {values['port']}."
        raise BadSetting(sentence)
    if needs_key and not values["secret_key"]:
        values["secret_key"] = _kept_key(values, makes_key)
    return Settings(**values)


def describe() -> list[tuple[str, str, str]]:
    """Return one row a setting for people: the variable, its default, its purpose."""
    return [(PREFIX + each.name.upper(), rule_of(each).default, rule_of(each).purpose) for each in fields(Settings)]


def unknown(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Return the variables and credentials with our prefix that are no setting: most likely misspelt."""
    return unknown_in(environ, {name for name, _, _ in describe()})


def rule_of(declared: Field[Any]) -> Rule:
    rule: Rule = declared.metadata["rule"]
    return rule


def _complaint(name: str, found: Given, rule: Rule, text: str, wrong: ValueError) -> str:
    place = f" from {found.place}" if found.place not in ("", PREFIX + name) else ""
    quoted = "has a value that cannot be shown here" if rule.secret else f"is {json.dumps(text[:80])}"
    return f"{PREFIX}{name}{place} {quoted}, but must be {wrong}."


def _kept_key(values: Mapping[str, Any], makes_key: bool) -> str:
    path: Path = values["data_dir"] / "secret-key"
    if not path.exists():
        url: str = values["database_url"]
        database = Path(url.removeprefix("sqlite:///"))
        if url.startswith("sqlite:") and database.is_file() and database.stat().st_size:
            raise BadSetting(
                f"There is a database, {database}, but not the secret key it was sealed under, {path}: "
                f"put back the copy of that file, or set {PREFIX}SECRET_KEY."
            )
        if not makes_key:
            raise NoKey(
                f"There is no secret key: `wardroom serve` and `wardroom migrate` make {path}; "
                f"or set {PREFIX}SECRET_KEY."
            )
    try:
        return read_or_make_key(path)
    except (OSError, ValueError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else str(wrong)
        raise BadSetting(
            f"{PREFIX}SECRET_KEY is not set and {path} cannot serve instead ({reason}): "
            f"set the variable to at least {MIN_KEY_LENGTH} characters or mend the file."
        ) from None
