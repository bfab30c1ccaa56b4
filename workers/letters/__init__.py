"""The parts of a letter: what its reader is told, gathered from their own view."""
