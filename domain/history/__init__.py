"""Histories: events in their stored form, the hash chain, and forms they had before."""
