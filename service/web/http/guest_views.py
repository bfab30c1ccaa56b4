"""The pages on which a guest is somebody: one list, and everywhere else a guest is a stranger (decision 0123).

A page that is not listed here treats the session of a guest as none, so a new page is closed to guests.
"""

from typing import Final

GUEST_VIEWS: Final = frozenset(
    {
        "home.page", "play_now.begin", "turns.page", "shell.asked",
        "sign_in.page", "sign_in.ask", "sign_in.code_page", "sign_in.confirm", "sign_in.take_link",
        "sign_in.link_page", "sign_in.follow_link", "sign_in.sign_out",
        "game.page", "game.text", "game.news", "game_moves.rehearse", "game_moves.play_draft",
        "game_table.go_back", "game_table.note", "game_table.resign", "ordering.page", "ordering.write",
        "game_replay.step", "game_statistics.page", "game_statistics.picture", "game_statistics.svg",
    }
)  # fmt: skip
"""Endpoints: to begin and play the one game, to keep it or leave it, and to look at it."""
