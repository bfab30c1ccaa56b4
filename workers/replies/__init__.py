"""What a player's mail does: read, authorised, done or held, and answered."""
