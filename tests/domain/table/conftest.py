"""The game these tests are played with."""

from tests.domain.table.gamebook import pennies

__all__ = ["pennies"]
