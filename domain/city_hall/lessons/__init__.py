"""What lessons and worked examples are made of: positions in words, goals by name, and the lesson itself as data."""
