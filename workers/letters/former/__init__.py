"""The letters before kinds of notices had files of their own."""
