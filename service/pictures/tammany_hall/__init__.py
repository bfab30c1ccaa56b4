"""The picture of Tammany Hall: a drawing of its board, the map beneath it, and captions."""
