"""Mail from players: from raw bytes to what was ordered, without a database and without a game."""
