"""A client for the REST API of a Wardroom: games, drafts, moves, turns as they come, bots, webhooks."""
