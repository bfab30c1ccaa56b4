"""Tools of developers; no part of what is installed."""
