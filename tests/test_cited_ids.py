"""The requirements that the suite proves are kept in a file: a test of one that is lost, or new, shows there."""

from tests.cited_ids import KEPT, cited_ids, ids_of_module

MODULE = '''
"""What IN-04 and TH-9.10 say."""

def test_th_8_3_and_out30_s02_are_named(): ...

@pytest.mark.long
def test_rate_09_by_a_drill(): "CH-14.7"

@pytest.mark.slow
def test_t6a_is_named_and_in_3_days_it_is_not_a_rule_of_chapters(): "TH-E17, and UTF-8"
'''


def test_each_requirement_keeps_its_test() -> None:
    """Where this fails on purpose: `python -m tests.cited_ids > tests/cited_ids.txt`, and say why in the commit."""
    kept, cited = set(KEPT.read_text(encoding="utf-8").split()), cited_ids()
    assert {"lost": sorted(kept - cited), "new": sorted(cited - kept)} == {"lost": [], "new": []}


def test_ids_are_read_from_names_and_texts_but_not_from_long_drills() -> None:
    assert ids_of_module(MODULE) == {"IN-4", "TH-9.10", "TH-8.3", "OUT-30", "S-2", "T-6a", "IN-3", "TH-E17"}
    assert ids_of_module(MODULE + "\npytestmark = [pytest.mark.slow, pytest.mark.long]") == set()
