"""Feeds of players: what a notice tells there, and the channel that puts it in."""
