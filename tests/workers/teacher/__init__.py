"""Tests of the worker that analyses games which are over."""
