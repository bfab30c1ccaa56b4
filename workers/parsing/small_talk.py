"""What people write around their orders: greetings, thanks, closings, and words that take back what stands above."""

import re
from typing import Final

STOPS: Final = frozenset("end stop signoff".split())
"""Words that end the reading, where the game has no such command. So does a line of dashes."""
THANKS: Final = frozenset(
    {"thanks", "thank you", "thx", "many thanks", "danke", "vielen dank", "merci", "merci beaucoup"}
)
"""Words that end a block of commands, as a signature does."""
CLOSINGS: Final = (
    "best",
    "regards",
    "kind regards",
    "best regards",
    "best wishes",
    "warm regards",
    "all the best",
    "cheers",
    "yours",
    "sincerely",
    "see you",
    "see you soon",
    "good luck",
    "good game",
    "have fun",
    "bye",
    "ciao",
    "bis bald",
    "bis dann",
    "bis morgen",
    "bis später",
    "tschüss",
    "viel spaß",
    "gruß",
    "gruss",
    "grüße",
    "grüsse",
    "liebe grüße",
    "viele grüße",
    "schöne grüße",
    "beste grüße",
    "herzliche grüße",
    "mit freundlichen grüßen",
    "lg",
    "vg",
    "mfg",
    "viel glück",
    "cordialement",
    "bien à vous",
    "bien cordialement",
    "amicalement",
    "bonne chance",
    "à bientôt",
    "à demain",
    "à plus",
    "bises",
    "saludos",
    "un saludo",
    "saluti",
    "cordiali saluti",
    "groeten",
    "groetjes",
    "met vriendelijke groet",
    "hilsen",
    "hälsningar",
)
"""How signatures begin that nothing sets apart."""
GREETINGS: Final = frozenset(
    "hi hello hey hiya dear morning evening hallo hi moin servus guten liebe lieber grüezi bonjour bonsoir salut "
    "coucou cher chère chers chères".split()
)
"""First words of a line that speaks to somebody."""
MOST_OF_A_GREETING: Final = 4
"""Words of such a line: a longer one may be prose that a mail program wrapped."""
TAKING_BACK: Final = frozenset(
    "no sorry wait instead rather meant correction scratch oops actually "
    "nein entschuldigung doch lieber stattdessen sondern halt korrektur quatsch meinte ups "
    "non pardon désolé désolée plutôt attends attendez finalement oups".split()
)
"""Words by which somebody may take back an order that stands above."""
FALSE_FRIENDS: Final = frozenset({"passt"})
"""Words that are said often and are no slips of commands they come near to: "passt" is "fine"."""
HEADING: Final = re.compile(
    r"(?:so |ok |well )?(?:here goes|here we go|here you are|los geht's|c'est parti|"
    r"(?:(?:here|these|this|those)(?:'s| is| are| come| comes)? )?(?:my|the|our) (?:new |final )?"
    r"(?:orders?|moves?|turn|bids?|actions?|commands?|instructions?|reply|answer)"
    r"(?: (?:is|are|now|today|this (?:turn|round|year|time)|for (?:this|the) (?:turn|round|year|game)))*|"
    r"(?:hier (?:ist |sind |kommt |kommen )?|das (?:ist|sind) )?(?:nun )?(?:mein|meine|der|die|unsere?|das) "
    r"(?:neuer? |neues |neuen )?(?:zug|züge|befehle?|gebote?|aktion(?:en)?|anweisung(?:en)?|orders?|antwort)"
    r"(?: (?:ist|sind|lautet|lauten|heute|diesmal|für diese (?:runde|partie)))*|"
    r"(?:voici |voilà |ce sont |c'est )?(?:mon|mes|le|les|nos|notre) (?:coups?|ordres?|actions?|enchères?|mises?|offre|"
    r"tour|commandes?|réponse)(?: (?:est|sont|pour ce tour|pour cette (?:partie|manche)))*) ?(:?)"
)
"""Lines that announce orders and say nothing else: "Here are my orders:"."""
_CLOSED: Final = frozenset(each.casefold() for each in CLOSINGS)
_WORD: Final = re.compile(r"[^\W_]+")


def closes(text: str) -> bool:
    """Whether a normalised line begins a signature: a closing, or one and a name or two."""
    if text in THANKS or text in _CLOSED:
        return True
    named = [closing for closing in (*_CLOSED, *THANKS) if text.startswith((f"{closing} ", f"{closing},"))]
    return bool(named) and len(words_of(text[len(max(named, key=len)) :])) <= 2


def greets(text: str) -> bool:
    """Return whether a normalised line speaks to somebody or announces orders, and says nothing else."""
    words = words_of(text)
    greeting = bool(words) and words[0] in GREETINGS and len(words) <= MOST_OF_A_GREETING
    return greeting or bool(HEADING.fullmatch(text))


def announces(text: str) -> bool:
    """Return whether a normalised line announces orders with a colon: "My orders:" is not the command `orders`."""
    heading = HEADING.fullmatch(text)
    return heading is not None and heading[1] == ":"


def takes_back(text: str) -> bool:
    """Whether a normalised line may take back what stands above it."""
    return any(word in TAKING_BACK for word in words_of(text))


def words_of(text: str) -> list[str]:
    """The words of a text, without the signs between them."""
    return _WORD.findall(text)
