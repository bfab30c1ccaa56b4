"""The list of codes is that of the source."""

import pytest

from service.api.description import problem_codes
from service.api.http.failures import OF_TALK, STATUS
from tests.service.api.description import codes_in_source


@pytest.mark.slow
def test_every_code_of_the_source_is_listed():
    """If not: `python -m tests.service.api.description.codes_in_source > service/api/description/problem_codes.py`."""
    assert codes_in_source.found() == list(problem_codes.CODES)


@pytest.mark.slow
def test_the_scan_finds_what_tables_of_statuses_name():
    """Calibration: a scan that overlooks a way to refuse would find any list complete."""
    named = {code for codes in STATUS.values() for code in codes} | set(OF_TALK)
    assert named <= set(codes_in_source.found())
