"""Tests of Tammany Hall. Positions and play are written in the words of `scenario` and `words`."""

import pytest

pytest.register_assert_rewrite("tests.domain.tammany_hall.scenario")
