"""The arena: bots against one another, how well they do it, and the page that says so."""
