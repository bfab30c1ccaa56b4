"""How Tammany Hall is played well: what a search must know of it beyond its rules."""
