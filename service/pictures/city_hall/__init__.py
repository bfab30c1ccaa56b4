"""The picture of City Hall: a drawing of its board, the map beneath it, and captions."""
