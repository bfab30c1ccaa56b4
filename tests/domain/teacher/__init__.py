"""Tests of the teacher: what is said of games that are over."""
