"""The embedded mode begins by ending the leases of the dead, where a lock proves that they are dead (G-05)."""

import pytest

from tests.workers.office import Died, Office, dying
from tests.workers.post import SETTINGS, Post
from workers.processes.embedded import void_leases


def killed_with_a_mail_in_hand(office: Office) -> None:
    office.begins("ann", "bob")
    with pytest.raises(Died):
        office.delivers(fault=dying("composed"))


def test_g05_what_the_dead_had_in_hand_goes_out_at_once_when_the_embedded_server_starts(small_office):
    killed_with_a_mail_in_hand(small_office)
    lives = void_leases(small_office.services)
    assert lives is not None
    assert small_office.delivers() == 2
    lives.close()


def test_q11_leases_of_a_process_that_lives_are_not_touched(small_office):
    """While gunicorn replaces a process the old one may still send."""
    lives = void_leases(small_office.services)
    assert lives is not None
    killed_with_a_mail_in_hand(small_office)
    assert void_leases(small_office.services) is None
    assert small_office.delivers() == 1
    lives.close()
    again = void_leases(small_office.services)
    assert again is not None
    assert small_office.delivers() == 1
    again.close()


def test_q11_with_postgresql_others_may_live_elsewhere(migrated_postgres, open_services, hands):
    office = Office(open_services(migrated_postgres, clock=hands), hands)
    killed_with_a_mail_in_hand(office)
    assert void_leases(office.services) is None
    assert office.delivers() == 1


def test_g05_a_mail_that_came_in_and_was_in_a_dead_hand_is_read_at_once(migrated_sqlite, open_services, hands):
    post = Post(open_services(migrated_sqlite, clock=hands, **SETTINGS), hands)
    post.begins("ann", "bob")
    post.round()
    post.answers("ann", "help")
    with pytest.raises(Died):
        post.works(fault=dying("claimed"))
    assert post.works() == 0
    lives = void_leases(post.services)
    assert lives is not None
    assert post.works() == 1
    lives.close()
