"""A Redis that answers and refuses writes is as one that is away, and doctor, /readyz and /metrics name the cause."""

import ssl
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from celery import Celery

from config.celery import celery_config
from config.settings import BadSetting
from service.commands.health import diagnosis
from service.telemetry import neighbours
from service.telemetry.neighbours import redis_trouble
from service.web.metrics import gauges
from service.web.readiness import checks
from tests.apps import app_of
from tests.ports import free_port
from tests.servers import RedisServer


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


def set_up(client: "redis.Redis[Any]", *commands: str) -> None:
    for command in commands:
        client.execute_command(*command.split())


REFUSALS = [
    (("REPLICAOF 127.0.0.1 1",), "", ("REPLICAOF NO ONE",), "read-only replica", "read only replica"),
    (("CONFIG SET maxmemory 1",), "", ("CONFIG SET maxmemory 0",), "out of memory", "maxmemory"),
    (
        ("CONFIG SET min-replicas-to-write 1",), "", ("CONFIG SET min-replicas-to-write 0",),
        "replicas or its primary are away", "Not enough good replicas",
    ),
    (("ACL SETUSER reader on >p ~* &* +@read +@connection",), "reader:p@", (), "access list forbids", "permissions"),
    (("ACL SETUSER mute on >p ~* resetchannels +@all",), "mute:p@", (), "access list forbids", "permissions"),
    ((), "nobody:wrong@", (), "the user or the password", "invalid username-password"),
    (("CONFIG SET requirepass secret",), "", ("CONFIG SET requirepass secret",), "the user or the password", "HELLO"),
]  # fmt: skip


def test_s34_every_refusal_of_redis_is_named_by_doctor_readyz_and_metrics(settings_with, open_services, own_redis):
    """F-16, T-06: a refusal counts as a Redis that is away; readyz tells it and stays in service, as people play on."""
    client = redis.Redis.from_url(own_redis.url)
    for before, user, after, cause, said in REFUSALS:
        set_up(client, *before)
        settings = settings_with(REDIS_URL=own_redis.url.replace("://", f"://{user}"))
        trouble = redis_trouble(settings)
        assert trouble is not None, before
        assert cause in trouble.sentence, (before, user)
        assert said in trouble.said, (before, user)
        set_up(client, *after)
    assert redis_trouble(settings_with(REDIS_URL=own_redis.url.replace("://", "://:secret@"))) is None


def test_redis_that_cannot_write_or_save_or_answer_has_its_cause(settings_with, monkeypatch):
    """Words of Redis that a test cannot provoke, with the sentence for each."""
    for error, cause in [
        (redis.ResponseError("MISCONF Redis is configured to save RDB snapshots"), "cannot save to its disk"),
        (redis.exceptions.BusyLoadingError("Redis is loading the dataset in memory"), "loading its data"),
        (redis.exceptions.ClusterDownError("CLUSTERDOWN Hash slot not served"), "a cluster"),
        (redis.ConnectionError("max number of clients reached"), "no more connections"),
        (redis.ResponseError("DENIED Redis is running in protected mode"), "protected mode"),
        (redis.ConnectionError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed"), "TLS certificate"),
        (redis.TimeoutError("Timeout reading from socket"), "does not answer"),
        (redis.ResponseError("ERR something new"), "answers and refuses writes"),
    ]:
        monkeypatch.setattr(redis.Redis, "set", lambda *_, raised=error, **__: (_ for _ in ()).throw(raised))
        trouble = redis_trouble(settings_with(REDIS_URL="redis://127.0.0.1:1/0"))
        assert trouble is not None, error
        assert cause in trouble.sentence, error


def test_doctor_and_readyz_and_metrics_say_why_redis_is_of_no_use(migrated_sqlite, open_services, monkeypatch):
    url = f"redis://:a-password@127.0.0.1:{free_port()}/0"
    services = open_services(migrated_sqlite, REDIS_URL=url)
    (found,) = [finding for finding in diagnosis.examine(services) if finding.what == "Redis"]
    assert (found.mark, found.sentence[:19]) == ("broken", "It does not answer.")
    assert "refused" in found.sentence, "the words of the driver"
    assert "a-password" not in found.sentence
    (check,) = [check for check in checks(services) if check["what"] == "redis"]
    assert check == {"what": "redis", "ok": False, "detail": "It does not answer."}, "anybody may read it"
    assert gauges.Point("wardroom_redis_up", 0.0) in list(gauges.of_this_process(services))
    monkeypatch.setattr(neighbours, "PATIENCE", 0.1)
    told = app_of(services).test_client().get("/readyz").json["checks"]
    assert check in told, told


def test_s34_celery_verifies_the_certificate_of_broker_and_results(settings_with, tmp_path):
    """S-34, ASVS 12.3.1: kombu's own default for rediss:// is to verify nothing."""
    authority = tmp_path / "authority.pem"
    authority.touch()
    for query, named in (("", None), (f"?ssl_ca_certs={authority}", str(authority))):
        config = celery_config(settings_with(REDIS_URL=f"rediss://ann:pw@redis.example:6380/1{query}"))
        app = Celery("test", backend=config["broker_url"], config_source=config)
        broker = app.connection_for_write()
        for parameters in (broker.ssl, app.backend.connparams):
            assert parameters["ssl_cert_reqs"] is ssl.CERT_REQUIRED, query
            assert parameters["ssl_check_hostname"] is True, query
            assert parameters.get("ssl_ca_certs") == named, query
        assert (broker.hostname, broker.port, broker.userid, broker.virtual_host) == ("redis.example", 6380, "ann", "1")
    assert celery_config(settings_with(REDIS_URL="redis://redis.example/0"))["broker_use_ssl"] == {}


def test_s34_no_address_of_redis_turns_the_check_off(settings_with, tmp_path):
    for url in (
        "rediss://redis.example/0?ssl_cert_reqs=none",
        "rediss://redis.example/0?ssl_cert_reqs=optional",
        "rediss://redis.example/0?ssl_check_hostname=false",
        f"rediss://redis.example/0?ssl_ca_certs={tmp_path}/none.pem",
        "redis://redis.example/0?ssl_ca_certs=/dev/null",
        "redis://redis.example/0?socket_timeout=0",
    ):
        with pytest.raises(BadSetting, match="WARDROOM_REDIS_URL"):
            settings_with(REDIS_URL=url)
