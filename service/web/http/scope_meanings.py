"""What each scope of a token lets a program do, for people who decide about it."""

from collections.abc import Mapping
from typing import Final

from domain.engine.sentences import Sentence, say
from service.accounts.scopes import ACCOUNT, PLAY, READ, TALK

MEANINGS: Final[Mapping[str, Sentence]] = {
    READ: say("see what you see: your games, hand and bids, and the talk"),
    PLAY: say("play, bid and vote for you, open tables and take seats"),
    TALK: say("speak at tables in your name"),
    ACCOUNT: say("change your profile, tokens and webhooks, and take or erase your data"),
}
"""In the order in which they are offered."""
