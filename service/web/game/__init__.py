"""The page of one game, part by part: each module gathers what its part of the page shows, from the reader's view."""
