"""Tests of City Hall. Positions and play are written in the words of `scenario` and `words`."""

import pytest

pytest.register_assert_rewrite("tests.domain.city_hall.scenario")
