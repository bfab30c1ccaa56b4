"""The pages on which a game is learned: the page of a game over a table for practice."""
