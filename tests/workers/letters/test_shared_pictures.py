"""A picture of a game is drawn once for all who see the same of it: by mail, over the API, in another process."""

from unittest.mock import patch

import pytest

from service import pictures
from service.accounts import people
from service.container import assemble
from service.games.shared_pictures import picture_name, shared_png
from service.privacy import erase
from tests.apps import app_of


@pytest.fixture
def drawn():
    """The SVG of what is drawn, in its order; each stands for its picture."""
    found = []

    def draw(svg, width=600):
        found.append(svg)
        return f"{width}|{svg}".encode()

    with patch.object(pictures, "png", draw):
        yield found


def board_png(tables, game, name=None):
    """The picture over the API, for a player or for anybody."""
    headers = {}
    if name is not None:
        with tables.services.database.write() as tx:
            token = people.token_for(tables.services, tx, f"{name}@people.example", name)
        headers = {"Authorization": f"Bearer {token}"}
    answer = app_of(tables.services).test_client().get(f"/api/v1/games/{game}/board.png", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.data


def your_turn(tables, game):
    (row,) = tables.notices(game_id=game, kind="your-turn")
    return row, {player: name for name, player in tables.ids.items()}[row["recipient"]]


def test_out_30_a_letter_and_the_api_share_the_picture_of_a_seat(sqlite_tables, drawn):
    """The letter is composed twice, as after a crash: it has the same picture, and nobody draws again."""
    game = sqlite_tables.begin(kind="tammany-hall")
    row, name = your_turn(sqlite_tables, game)
    letter = sqlite_tables.compose(row)
    assert len(drawn) == 1
    assert sqlite_tables.compose(row).data == letter.data
    assert board_png(sqlite_tables, game, name).decode().endswith(drawn[0])
    assert len(drawn) == 1


def test_whoever_watches_shares_one_picture(sqlite_tables, drawn):
    game = sqlite_tables.begin()
    sqlite_tables.player("dan")
    assert board_png(sqlite_tables, game) == board_png(sqlite_tables, game) == board_png(sqlite_tables, game, "dan")
    assert len(drawn) == 1


def test_another_process_finds_what_was_drawn(sqlite_tables, drawn):
    game = sqlite_tables.begin()
    found = shared_png(sqlite_tables.services, game, 0, "<svg/>")
    other = assemble(sqlite_tables.services.settings)
    assert shared_png(other, game, 0, "<svg/>") == found
    assert drawn == ["<svg/>"]


def test_s_01_no_seat_has_the_picture_of_another(sqlite_tables, drawn):
    """Pictures that look alike are drawn for each seat: the time of an answer tells nothing of another seat."""
    game = sqlite_tables.begin("ann", "bob", kind="city-hall")
    seen = {board_png(sqlite_tables, game, name) for name in ("ann", "bob")} | {board_png(sqlite_tables, game)}
    assert (len(drawn), len(seen)) == (3, 1)
    assert len({picture_name(seat, "<svg/>", 600) for seat in (None, 0, 1)}) == 3
    assert picture_name(0, "<svg/>", 600) != picture_name(0, "<svg/>", 300)


def test_the_next_version_is_another_picture(sqlite_tables, drawn):
    game = sqlite_tables.begin()
    before = board_png(sqlite_tables, game)
    sqlite_tables.play_on(game)
    assert board_png(sqlite_tables, game) != before
    assert len(drawn) == 2


def test_a_picture_that_is_damaged_is_drawn_again(sqlite_tables, drawn):
    game = sqlite_tables.begin()
    before = board_png(sqlite_tables, game)
    for path in sqlite_tables.services.pictures.folder.iterdir():
        path.write_bytes(b"damaged")
    assert board_png(sqlite_tables, game) == before
    assert len(drawn) == 2


def test_pictures_with_the_name_of_somebody_erased_are_removed(sqlite_tables, drawn):
    game = sqlite_tables.begin()
    board_png(sqlite_tables, game)
    assert list(sqlite_tables.services.pictures.folder.iterdir())
    erase.erase(sqlite_tables.services, sqlite_tables.ids["bob"])
    assert not list(sqlite_tables.services.pictures.folder.iterdir())
