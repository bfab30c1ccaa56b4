"""The embedded mode begins by ending the leases of the dead, where a lock proves that they are dead (G-05)."""

import pytest

from tests.manual_clock import Died, dying
from tests.tables import SETTINGS, Tables
from workers.processes.scheduler import void_leases


def killed_with_a_mail_in_hand(tables: Tables) -> None:
    tables.begin("ann", "bob")
    with pytest.raises(Died):
        tables.deliver(fault=dying("composed"))


def test_g05_what_the_dead_had_in_hand_goes_out_at_once_when_the_embedded_server_starts(sqlite_tables):
    killed_with_a_mail_in_hand(sqlite_tables)
    lives = void_leases(sqlite_tables.services)
    assert lives is not None
    assert sqlite_tables.deliver() == 2
    lives.close()


def test_q11_leases_of_a_process_that_lives_are_not_touched(sqlite_tables):
    """While gunicorn replaces a process the old one may still send."""
    lives = void_leases(sqlite_tables.services)
    assert lives is not None
    killed_with_a_mail_in_hand(sqlite_tables)
    assert void_leases(sqlite_tables.services) is None
    assert sqlite_tables.deliver() == 1
    lives.close()
    again = void_leases(sqlite_tables.services)
    assert again is not None
    assert sqlite_tables.deliver() == 1
    again.close()


def test_q11_with_postgresql_others_may_live_elsewhere(migrated_postgres, open_services, manual_clock):
    tables = Tables(open_services(migrated_postgres, clock=manual_clock), manual_clock)
    killed_with_a_mail_in_hand(tables)
    assert void_leases(tables.services) is None
    assert tables.deliver() == 1


def test_g05_a_mail_that_came_in_and_was_in_a_dead_hand_is_read_at_once(migrated_sqlite, open_services, manual_clock):
    mail_tables = Tables(open_services(migrated_sqlite, clock=manual_clock, **SETTINGS), manual_clock)
    mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    mail_tables.reply("ann", "help")
    with pytest.raises(Died):
        mail_tables.read_inbox(fault=dying("claimed"))
    assert mail_tables.read_inbox() == 0
    lives = void_leases(mail_tables.services)
    assert lives is not None
    assert mail_tables.read_inbox() == 1
    lives.close()
