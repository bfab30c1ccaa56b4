"""Questions that are asked across all rooms."""
