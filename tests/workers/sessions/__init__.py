"""Golden sessions of play by mail: what came in, what became of it, and every letter that left, byte for byte."""
