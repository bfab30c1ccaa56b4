"""Learning a game: lessons and worked examples, played against the real rules. Nothing of it is kept on the server."""
