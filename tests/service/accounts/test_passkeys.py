"""Passkeys on both databases: kept, used once a challenge, ended."""

import json

import pytest

from service.accounts import passkeys, people
from service.accounts.passkeys import BadPasskey
from tests.service.store.service_tables import services, sqlite_room
from tests.service.web.authenticator import Authenticator

__all__ = ["services", "sqlite_room"]
BROWSER = "the secret of a browser"


@pytest.mark.slow
def test_s20_a_passkey_is_made_and_each_challenge_answered_once_on_both_databases(services):
    base = services.settings.base_url
    device = Authenticator(base, base.partition("://")[2].partition(":")[0])
    with services.database.write() as tx:
        anna = people.welcome(services, tx, "anna@people.example", "Anna")
        making = json.loads(passkeys.ask_to_register(services, tx, people.profile(tx, anna), BROWSER))
        passkeys.register(services, tx, anna, BROWSER, device.create(making), "Firefox on Android")
        entering = json.loads(passkeys.ask_to_sign_in(services, tx, BROWSER))
    with services.database.write() as tx:
        assert passkeys.sign_in(services, tx, BROWSER, device.get(entering)) == anna
    with pytest.raises(BadPasskey), services.database.write() as tx:
        passkeys.sign_in(services, tx, BROWSER, device.get(entering))
    with services.database.write() as tx:
        again = json.loads(passkeys.ask_to_register(services, tx, people.profile(tx, anna), BROWSER))
    with pytest.raises(BadPasskey), services.database.write() as tx:
        passkeys.register(services, tx, anna, BROWSER, device.create(again), "")
    with services.database.write() as tx:
        (kept,) = passkeys.of_player(tx, anna)
        assert (kept.label, kept.uses) == ("Firefox on Android", 1)
        assert passkeys.end(tx, anna, kept.id)
        assert not passkeys.end(tx, anna, kept.id)
