"""Games beside their streams: who sits there, what is said and thought."""
