"""What Wardroom says and understands in the languages of its players (OUT-37, IN-14).

Texts are written in English, as Sentences; the catalogues beside this file hold the same texts in other languages,
one for each ruleset and "wardroom" for all the rest. `python3 dev.py words` brings them up to date with the code.
"""

from service.languages.catalogues import ENGLISH, LANGUAGES, catalogue, words
from service.languages.commands import UNIVERSAL, canonical, shown, synonyms, words_of_all_languages

__all__ = [
    "ENGLISH", "LANGUAGES", "catalogue", "words",
    "UNIVERSAL", "canonical", "shown", "synonyms", "words_of_all_languages",
]  # fmt: skip
