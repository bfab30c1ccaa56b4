"""Mail that came in, and the addresses it came to."""
