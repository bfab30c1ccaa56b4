"""Tests of what stands below everything in the service."""
