"""Bots that think: who has which thought in hand, and the process of low priority that thinks it."""
