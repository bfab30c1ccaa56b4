"""A move made by the API is heard on a stream within a second, by Redis and by PostgreSQL; one undone is not."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from config.settings import Settings
from service.news import sources
from service.news.app import News
from service.news.sources import feed
from service.news.streams import Streams
from tests.loops import run
from tests.ports import free_port
from tests.servers import RedisServer
from tests.service.api.table import Api, ApiTable, served
from tests.service.news.readers import KEY, SOON, reader

NEWS = "127.0.0.1:8001"


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A Redis that the test may stop."""
    with RedisServer() as server:
        yield server


@pytest.fixture(params=["redis", pytest.param("notify", marks=pytest.mark.postgres)])
def settings(request: pytest.FixtureRequest, settings_with: Callable[..., Settings], migrated_sqlite: str) -> Settings:
    """Of a service whose moves are heard by Redis, or by PostgreSQL alone."""
    if request.param == "redis":
        return settings_with(DATABASE_URL=migrated_sqlite, REDIS_URL=request.getfixturevalue("redis_url"), NEWS=NEWS)
    return settings_with(DATABASE_URL=request.getfixturevalue("migrated_postgres"), NEWS=NEWS)


@contextlib.asynccontextmanager
async def hearing(settings: Settings) -> AsyncIterator[News]:
    """The application, fed from a source."""
    app = News(Streams(), KEY)
    task = asyncio.create_task(feed(app.streams, settings))
    try:
        await until(lambda: app.streams.is_fed)
        yield app
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


def begun(api: Api) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"))


def act(table: ApiTable) -> int:
    table.move(table.awaited, *table.legal(table.awaited)[:1])
    return table.version


@pytest.mark.slow
def test_a_move_is_heard_within_a_second(settings):
    async def story(table: ApiTable) -> None:
        async with hearing(settings) as app:
            ann = await reader(app, table.id)
            await reader(app, "another")
            taken = []
            for _ in range(3):
                began = time.monotonic()
                version = await asyncio.to_thread(act, table)
                assert await ann.hint() == (table.id, version)
                taken.append(time.monotonic() - began)
            assert min(taken) < 1, "the move itself in it; on a machine that does other things, too"
            assert ann.parts.empty(), "once"

    with served(settings) as api:
        run(story(begun(api)))


@pytest.mark.slow
def test_all_who_sit_there_are_hinted_at_a_move_and_of_a_line_only_who_may_read_it(settings):
    async def story(table: ApiTable) -> None:
        async with hearing(settings) as app:
            ids = [player.id for player in table.seated]
            ann, bob, cyd = [await reader(app, id) for id in ids]
            await asyncio.to_thread(act, table)
            assert [await heard.hint() for heard in (ann, bob, cyd)] == [(id, 0) for id in ids]
            game = await reader(app, table.id)
            await asyncio.to_thread(table.post, table.seated[0], "messages", {"text": "psst", "to": 1})
            assert [await heard.hint() for heard in (ann, bob)] == [(id, 0) for id in ids[:2]]
            await asyncio.to_thread(act, table)
            assert (await game.hint())[0] == table.id
            assert cyd.parts.qsize() == 1, "of the move alone"

    with served(settings) as api:
        run(story(begun(api)))


@pytest.mark.slow
def test_a_transaction_that_is_undone_tells_nothing(settings):
    async def story(table: ApiTable) -> None:
        async with hearing(settings) as app:
            ann = await reader(app, table.id)
            mover = table.awaited
            legal = table.legal(mover)[0]
            for text, query in ((legal, "?dry_run=1"), (f"{legal}\nnonsense", "")):
                await asyncio.to_thread(table.post, mover, f"moves{query}", {"text": text})
            version = await asyncio.to_thread(act, table)
            assert await ann.hint() == (table.id, version), "the first that is heard"

    with served(settings) as api:
        run(story(begun(api)))


@pytest.mark.slow
def test_when_redis_goes_streams_end_and_when_it_is_back_they_hear_again(
    own_redis, settings_with, migrated_sqlite, monkeypatch
):
    monkeypatch.setattr(sources, "PAUSE", 0.05)
    settings = settings_with(DATABASE_URL=migrated_sqlite, REDIS_URL=own_redis.url, NEWS=NEWS)

    async def story() -> None:
        async with hearing(settings) as app:
            ann = await reader(app, "g1")
            own_redis.stop()
            await ann.end()
            assert not app.streams.is_fed
            own_redis.start()
            await until(lambda: app.streams.is_fed)
            await reader(app, "g1")

    run(story())


@pytest.mark.slow
def test_a_source_that_never_was_there_feeds_nothing(settings_with, migrated_sqlite, monkeypatch):
    monkeypatch.setattr(sources, "PAUSE", 0.01)
    url = f"redis://127.0.0.1:{free_port()}/0"

    async def story() -> None:
        streams = Streams()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(feed(streams, settings_with(REDIS_URL=url, NEWS=NEWS)), 0.2)
        assert not streams.is_fed

    run(story())


# What a page is told


def test_a_page_is_given_a_ticket_for_the_game_it_may_see_and_for_no_other(settings):
    from service.news.tickets import read, ticket_key

    with served(settings) as api:
        table = begun(api)
        told = api.get(f"//g/{table.id}/news?stream=1").ok()
        assert told.headers["Cache-Control"] == "private, no-store"
        assert told.json["version"] == table.version
        ticket = told.json["stream"].removeprefix("/news/?ticket=")
        assert read(ticket_key(settings.secret_key), ticket).games == {table.id}
        ann, *_ = table.seated
        private = api.open(ann, public=False)
        assert api.get(f"//g/{private.id}/news?stream=1").status == 303


def test_where_there_is_no_process_of_news_a_page_is_told_of_none(sqlite_copy_settings):
    with served(sqlite_copy_settings) as api:
        table = begun(api)
        assert api.get(f"//g/{table.id}/news?stream=1").ok().json == {"version": table.version}


@pytest.fixture
def sqlite_copy_settings(settings_with: Callable[..., Settings], migrated_sqlite: str) -> Settings:
    """Without Redis, on SQLite: NEWS is set in vain."""
    return settings_with(DATABASE_URL=migrated_sqlite, NEWS=NEWS)
