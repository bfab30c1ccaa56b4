"""Personal data: where they lie, their export, their erasure."""
