"""A game that is over in numbers: one set of them for the API, for tables and for the page."""
