"""A house that lost everything since its last backup, and what everybody is told of it then: nothing but the truth."""

from email.parser import BytesHeaderParser
from email.policy import compat32

import pytest

from domain.audit.bundle.verify import check as check_bundle
from domain.audit.checkpoints import HEADER, read_header
from domain.audit.house_log import HEADER as LOG_HEADER
from domain.audit.house_log import check_growth, read_log_head, read_log_header
from domain.audit.receipts import Witness
from service.backup.read import look_through
from service.backup.restore import restore
from service.backup.write import write
from service.integrity import audit, export_bundle, house_log
from service.kernel.signing import genuine
from service.operator.journal import Operator
from service.store.event_store import checkpoints
from service.store.running import heartbeats
from tests.databases import BOTH
from tests.letters import parsed, text_of
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock
from workers.sweep import sweep_deadlines, write_log

__all__ = ["manual_clock"]


@pytest.fixture(params=BOTH)
def kind(request):
    return request.param


@pytest.fixture
def tables(kind, request, open_services, manual_clock):
    return Tables(open_services(request.getfixturevalue(f"migrated_{kind}"), clock=manual_clock), manual_clock)


@pytest.fixture
def new_services(kind, request, open_services, manual_clock, tmp_path):
    """The same house on a new disk."""
    url = f"sqlite:///{tmp_path}/new.sqlite" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    return open_services(url, clock=manual_clock, DATA_DIR=str(tmp_path / "new"))


def witness(letter):
    """What a mail that somebody kept testifies to."""
    message = BytesHeaderParser(policy=compat32).parsebytes(letter.data)
    return Witness.of_mail("the mail", read_header(message[HEADER]))


def log_head(letter):
    """The head of the house log in a mail."""
    return read_log_header(parsed(letter)[LOG_HEADER])


def places(letters):
    """What letters are about: kind, game and number, with which their Message-IDs begin."""
    return {tuple(letter.message_id.split(".")[:3]) for letter in letters}


def verdicts(tables, game, letter):
    """What a bundle of the game as it is now is found to be, held against a mail: of the receipt, of all."""
    with tables.services.database.read() as connection:
        made = export_bundle.make(tables.services, connection, tables.services.streams.head(connection, game), None)
        keys = checkpoints.keys(connection)
    report = check_bundle(made, genuine, witnesses=[witness(letter)], noted=keys)
    (receipt,) = [(verdict, sentence) for what, verdict, sentence in report.checks if what == "receipts"]
    return receipt, report.ok


def plays_and_mails(tables, game, moves, seed):
    """Some moves, and the mails on them. Those."""
    tables.carrier.letters.clear()
    for _ in range(moves):
        if tables.awaited(game):
            tables.advance(minutes=1)
            tables.play_on(game, seed)
            tables.deliver()
    return [letter for letter in tables.carrier.letters if game in letter.message_id]


def holds(tables):
    """`doctor --audit` finds nothing."""
    with tables.services.database.read() as connection:
        found = list(audit.audit_house(connection, tables.services))
        games = audit.game_ids(connection)
    assert [
        *found,
        *(one for game in games for one in audit.audit_game(tables.services, game, thorough=True).findings),
    ] == []


def test_s53_f63_who_lost_everything_plays_on_and_every_mail_tells_the_truth(
    tables, new_services, manual_clock, tmp_path
):
    game = tables.begin(options={"rounds": "3"})
    sweep_deadlines(tables.services)
    write_log(tables.services)
    tables.deliver()
    early = plays_and_mails(tables, game, 3, seed=1)
    tables.play_on(game, 1)  # the mails on it wait
    with (tmp_path / "a.tar.gz").open("wb") as file:
        write(tables.services, file, with_key=False, folder=tmp_path)
    kept, due = tables.head(game), deadlines(tables, game)
    waiting = {row["decision"] for row in tables.notices(game_id=game, state="queued")}

    tables.open("bob")
    write_log(tables.services)
    tables.carrier.letters.clear()
    tables.deliver()
    went = {letter.message_id for letter in tables.carrier.letters}
    tables.clock.meanwhile = lambda: None
    tables.advance(hours=1)
    sweep_deadlines(tables.services)  # an outage is made good here as after the restore: by one event
    tables.clock.meanwhile = tables.record_sweep
    lost = plays_and_mails(tables, game, 5, seed=2)
    assert lost[-1].message_id not in {letter.message_id for letter in early}
    tables.advance(hours=5)

    done = restore(new_services, look_through(tmp_path / "a.tar.gz"), operator=Operator("anna", "The disk broke."))
    anew = Tables(new_services, manual_clock)
    anew.ids = tables.ids
    assert [(told.id, told.version, told.hash) for told in done.games] == [(game, kept.version, kept.hash)]
    holds(anew)
    (verdict, sentence), well = verdicts(anew, game, lost[-1])
    assert (verdict, well) == ("broken", False)
    assert f"this history ends with event {kept.version}: it was cut, or made before that mail" in sentence
    assert verdicts(anew, game, early[-1]) == (("verified", verdicts(anew, game, early[-1])[0][1]), True)

    assert sweep_deadlines(anew.services) == 0
    anew.deliver()
    told = [letter for letter in anew.carrier.letters if "operator-act" in letter.message_id]
    again = {letter.message_id for letter in anew.carrier.letters} - {letter.message_id for letter in told}
    assert len(told) == 3, "everybody at the table is told what happened"
    assert "restored it from a backup, and this game is as it was on 2031-03-04 " in text_of(told[0]).replace("\n", " ")
    text = text_of(told[0]).replace("\n", " ")
    assert f"up to event {kept.version}." in text
    assert "The reason given: “The disk broke.”" in text
    assert waiting
    assert again == went, "mail that waited goes out as the mail that it was"
    with anew.services.database.read() as connection:
        signs = heartbeats.last_beats(connection)
    since = signs["restored"] - due["swept"]
    assert since >= 5 * 3600 * 1_000_000
    assert deadlines(anew, game)["due"] == {seat: at + since for seat, at in due["due"].items()}

    new = plays_and_mails(anew, game, 9, seed=2)
    assert places(new) & places(lost), "the same kinds of mails, on events of the same numbers"
    assert not {letter.message_id for letter in new} & {letter.message_id for letter in (*early, *lost)}
    (verdict, sentence), well = verdicts(anew, game, lost[-1])
    assert (verdict, well) == ("broken", False)
    assert "was rewritten" in sentence
    assert verdicts(anew, game, early[-1])[1]
    assert verdicts(anew, game, new[-1])[1]

    anew.open("ann")
    write_log(anew.services)
    with anew.services.database.read() as connection:
        told = house_log.document(connection, log_head(lost[-1]).size)
    assert check_growth(log_head(lost[-1]), read_log_head(told), told["consistency"])[0] == "broken"

    anew.play_out(game, 4)
    assert anew.head(game).table.status == "finished"
    anew.deliver()
    holds(anew)


def deadlines(tables, game):
    """When each seat's answer is due, and when somebody swept last."""
    with tables.services.database.read() as connection:
        swept = heartbeats.last_beat(connection, "sweep")
    with tables.services.database.read() as connection:
        query = "SELECT seat, due_at FROM decisions WHERE game_id = '" + game + "'"
        return {"swept": swept, "due": dict(map(tuple, connection.exec_driver_sql(query)))}
