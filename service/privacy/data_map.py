"""Where what is kept about a person lies: each table, which of its rows are theirs, and which columns they are shown.

Access and erasure both go by this page, so that nothing can be given out and forgotten, or erased and shown. A table or
a column that is not on it fails a test.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from service.store.across.personal_data import CALLS, FEED_ENTRIES, MAILS, NOTICES, WEBHOOK_MESSAGES, Theirs


@dataclass(frozen=True, slots=True)
class Section:
    """One table's data about people: a section of the export."""

    name: str
    what: str  # it is, in a sentence
    theirs: Theirs  # the table, and which of its rows are a person's
    shown: Sequence[str]  # columns of the export
    hidden: Mapping[str, str] = field(default_factory=dict)  # columns that are not shown, and why
    kept: str = ""  # why its rows outlive their person; "" for those that are deleted


def _of_player(table: str) -> Theirs:
    return Theirs(table, ids=("player_id",))


IN_A_HISTORY: Final = "histories hold the player's opaque id for ever, and so may what is projected from them"
LEASE: Final = dict.fromkeys(("lease", "lease_until"), "how our workers share their work")
TRIES: Final = (
    LEASE
    | dict.fromkeys(("interrupted", "put_off", "due_at"), LEASE["lease"])
    | {"request_id": "what our log calls what caused it"}
    | {"replayed_at": "when you last asked for it again: `log` has what came of that"}
)
DIGEST: Final = "a digest that only we can use"
COUNTER: Final = "a number that counts the rows of everybody, and so tells how many others have had meanwhile"


SECTIONS: Final[Sequence[Section]] = (
    Section(
        "mails_received", "mail that came from you; `raw` is the whole mail in base64, for 30 days", MAILS,
        "received_at source sender recipient purpose trusted digest raw state reason not_before attempts player_id "
        "game_id seat message_id outcome done_at".split(),
        {**LEASE, "token": DIGEST, "written": DIGEST, "id": COUNTER, "about": COUNTER},
    ),
    Section(
        "notices", "mails to you: when and why each was made, and what became of it", NOTICES,
        "recipient game_id kind seat version state not_before attempts created_at done_at reason".split(),
        {**LEASE, "secret": "a one-time code on its way, which only the mailbox it is for must show", "id": COUNTER,
         "decision": COUNTER, "told_in": COUNTER, "message_id": "it stands in the mail"},
        kept="part of what was announced in a game, without reasons, which may quote addresses",
    ),
    Section(
        "feed_entries", "what your feed told; `body` is its text", FEED_ENTRIES,
        "player_id game_id kind seat version state not_before attempts created_at done_at reason body log".split(),
        {**TRIES, "id": COUNTER, "decision": COUNTER},
    ),
    Section(
        "calls", "what was told on your devices", CALLS,
        "device_id player_id game_id kind seat version state not_before attempts created_at done_at reason log".split(),
        {**TRIES, "id": COUNTER, "decision": COUNTER},
    ),
    Section(
        "devices", "browsers you are called on", _of_player("devices"),
        "id player_id label created_at called_at reason".split(),
        {"token_id": "it stands among your `tokens`", "digest": DIGEST, "service": DIGEST,
         "sealed": "the keys of your device; the host of its address is shown as `host`"},
    ),
    Section(
        "webhook_messages", "what was told to your webhooks", WEBHOOK_MESSAGES,
        "hook_id player_id game_id kind seat version state not_before attempts created_at done_at reason body "
        "log".split(),
        {**TRIES, "id": COUNTER, "decision": COUNTER},
    ),
    Section(
        "webhooks", "addresses of your programs", _of_player("webhooks"),
        "id player_id old_until state reason created_at failures failing_since not_before kinds".split(),
        {**LEASE, "sealed": "the secrets that sign; the address is shown as `url`"},
    ),
    Section(
        "talk", "lines you said; those you took back have no text any more", _of_player("messages"),
        "game_id seat player_id to_seat created_at shown_at cancelled_at hidden_by".split(),
        {"body": "sealed; the line is shown as `text`", "id": COUNTER},
    ),
    Section(
        "leave", "days of leave you announced", _of_player("absences"),
        "player_id first_day last_day announced_last announced_at ended_at spent".split(), {"id": COUNTER},
    ),
    Section("muted", "games, or hosts of games, of which you want no mail",
              Theirs("mutes", ("player_id",), ("player_id",)),
              "game_id player_id at".split()),
    Section("shown_to_others", "to whom you show which part of your profile, and which languages you speak",
              _of_player("profiles"),
              "player_id games together opponents reliability joined languages speaks".split()),
    Section("avoided", "people you have muted or blocked, by opaque ids; nobody is told", _of_player("avoided"),
              "player_id other how at".split()),
    Section("notes_to_yourself", "notes to yourself on games; nobody else reads them", _of_player("notes"),
              "game_id player_id written_at".split(), {"body": "sealed; the note is shown as `text`"}),
    Section(
        "answering_addresses", "addresses of ours that take your answers",
        Theirs("reply_tokens", ("player_id", "recipient"), ("recipient",)),
        "purpose recipient player_id game_id seat decision mark issued_at revoked_at".split(),
        {"digest": DIGEST, "options": "a copy of what the mail with the address says", "outbox_id": COUNTER,
         "held": COUNTER},
    ),
    Section(
        "kept_answers", "requests of yours that are done once, however often they are sent",
        _of_player("idempotency"), "player_id key created_at status".split(),
        {"answer": "a copy of what you were answered", "fingerprint": DIGEST},
    ),
    Section(
        "analyses", "analyses of games you asked for, for a day and until they are done", _of_player("analyses"),
        "game_id strength player_id state requested_at done total reason attempts".split(),
        {"findings": "about the game, and nobody's: GET /games/ID/analysis gives them out", "edition": COUNTER,
         "lease_by": LEASE["lease"], "lease_until": LEASE["lease_until"]},
    ),
    Section(
        "waiting", "what you owe an answer to", _of_player("decisions"),
        "game_id seat decision since player_id began_at due_at acts_at extended remind_at graced bank_from hours "
        "stopped_at left left_bank outage reasons".split(), {"draft": "sealed; the draft of your move is shown"},
        kept="it follows from the game; a seat that was given up owes nothing",
    ),
    Section("seats", "where you sit; see `history` for all that was played", _of_player("seats"),
              "game_id seat player_id bot strength temper vacant strikes".split(), kept=IN_A_HISTORY),
    Section(
        "tables", "tables that you opened, or that were passed on to you", Theirs("games", ids=("host",)),
        (
            "id ruleset status version hash last_at clock_at public host created_at paused_until halted_at halted "
            "guest name"
        ).split(),
        {"state": "the position, sealed: see `history`", "audited_at": "when this server last checked its own rows"},
        kept=IN_A_HISTORY,
    ),
    Section("invitations", "private tables your address is invited to",
              Theirs("invitations", addresses=("email_key",)), "game_id email_key known_by".split()),
    Section("mailbox", "how mail to your address fares",
              Theirs("mailboxes", addresses=("address",)),
              "address score scored_at probed_at suppressed_at reason".split(), {"probe": COUNTER}),
    Section("sign_ins", "requests for a code to your address, by whomever; `profile` is what they said of you",
              Theirs("sign_ins", addresses=("email_key",)),
              "email_key profile created_at expires_at posted_at tries used".split(),
              dict.fromkeys(("request", "code", "link"), DIGEST) | {"id": COUNTER}
              | dict.fromkeys(("caller", "guesses"), "keyed digests of where others asked from")),
    Section("tokens", "keys to the API and your feeds, and browsers you are signed in with; not the keys themselves",
              _of_player("tokens"),
              "id player_id kind label created_at last_used_at scopes expires_at".split(), {"digest": DIGEST}),
    Section("passkeys", "keys in your devices that sign you in; we have their public halves", _of_player("passkeys"),
              "id player_id label created_at last_used_at uses".split(),
              {"credential": "what your device knows it by", "public_key": "it only checks what your device signs"}),
    Section("suspension", "whether the operator of this service keeps you out, and until when",
              _of_player("suspensions"), "player_id since until".split(), {"act": COUNTER}),
    Section("operator_reasons", "why the operator of this service did something about you",
              _of_player("operator_reasons"),
              "game_id player_id why".split(), {"number": COUNTER, "salt": "it only hides what a digest is of"}),
    Section("operator_acts", "what the operator of this service did about you by command", _of_player("operator_acts"),
              "at what game_id version seat player_id outcome".split(),
              {"number": COUNTER, "commitment": DIGEST, "operator": "the name of somebody who works for the service"},
              kept="the operator's journal is only ever added to; reasons, which may name somebody, are not in it"),
    Section("erasure", "whether you asked for all this to be erased", _of_player("erasures"),
              "player_id asked_at look_at done_at".split(),
              {"stage": "how far our workers have come", "mails": COUNTER},
              kept="it says of an opaque id that nothing is kept about it"),
    Section(
        "profile", "who you are, and what mail you want", Theirs("players", ids=("id",)),
        "id name email email_key timezone language mail secret_free new_subjects calendar wakes_at digest digest_at "
        "digest_since receipts quiet_turns tell_urgent tell_normal tell_news created_at verified_at".split(),
    ),
)  # fmt: skip
"""In the order in which they are erased: what others may hold while they wait for the person comes first."""
NOBODYS: Final[Mapping[str, str]] = {
    "events": "histories name players by opaque ids and hold no text of anybody's; GET /games/ID/events gives them out",
    "leaves": "bids and seeds, part of histories",
    "checkpoints": "hashes of histories",
    "deadline_leases": LEASE["lease"],
    "log_entries": "hashes of histories",
    "log_heads": "hashes of histories",
    "unlogged": "games that were opened or ended just now",
    "proofs": "audits and bundles of games that are over, as anybody may have them",
    "signing_keys": "this server's own",
    "spent_challenges": "digests of random numbers, for ten minutes",
    "thoughts": "what bots think about, by seat",
    "heartbeats": "this server's own",
    "clock_jumps": "this server's own",
    "outages": "this server's own",
    "measurements": "sums over all requests and mails: how many, and how long they took",
    "processes": "this server's own",
    "schema_releases": "this server's own",
    "destinations": "mail servers and hosts that do not answer; those of webhooks and push services as digests",
}
"""Tables that are about nobody, and why; what a history holds of the player's is linked to in the export."""
