"""City Hall in words: notation, story, guide, scripts, and the board as text."""
