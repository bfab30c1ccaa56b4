"""The teacher: who has which analysis in hand, and the process of low priority that makes it."""
