"""The replay of a game: its steps, what each changed, and the position after it, through the eyes of whoever looks."""
