"""Bots: against one another, against whoever tries the game, and as judges of a game that is over."""
