"""The teacher: what else could have been done in a game that is over, decision by decision."""
