"""What is kept about whoever looks, and what they can do about it; a module a page."""
