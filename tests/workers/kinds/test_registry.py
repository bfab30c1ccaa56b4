"""Every declared kind has a module of its own, and every module a line in the table of kinds."""

from domain.engine.sentences import Sentence
from service.notify.kind import KINDS as DECLARED
from service.notify.kind import MAIL
from workers.kinds import registry
from workers.kinds.kind import GameKind
from workers.letters import sections
from workers.mail_out.compose import _ENVIRONMENT


def test_every_kind_that_is_mailed_has_one_module_and_no_other_has_one():
    mailed = {kind.name for kind in DECLARED.values() if MAIL in kind.channels}
    assert registry.KINDS.keys() == mailed
    assert all(kind.name == name for name, kind in registry.KINDS.items())


def test_a_module_has_the_name_of_its_kind():
    places = {name: module.__name__.rpartition(".")[2] for name, module in registry.modules().items()}
    assert places == {name: name.replace("-", "_") for name in registry.KINDS}


def test_out10_every_kind_about_a_game_says_in_the_senders_name_why_it_writes():
    senders = [kind.sender for kind in registry.KINDS.values() if isinstance(kind, GameKind)]
    assert all(isinstance(sender, Sentence) and sender for sender in senders)
    assert len(set(senders)) == len(senders)


def test_every_section_has_a_macro_in_text_and_in_html_and_no_macro_is_left_over():
    named = {
        name
        for name, section in vars(sections).items()
        if isinstance(section, type) and issubclass(section, sections._Named) and section is not sections._Named
    }
    for form in ("txt", "html"):
        macros = {name for name in vars(_ENVIRONMENT.get_template(f"sections.{form}").module) if name[0].isupper()}
        assert macros == named
