"""What hosts install: the package, its locks, and what runs from them."""
