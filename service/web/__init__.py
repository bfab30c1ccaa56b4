"""Pages for people, and signs of life for machines."""
