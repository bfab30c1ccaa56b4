"""Lines beside orders that withdraw, doubt or condition them, in English, French and German (IN-10a).

Players mix languages, so all lists apply to every mail. The lists hold regular expressions over normalised text. A
match refuses nothing: the orders wait for a plain yes. Asking once too often costs a reply; executing once too often
costs a game.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from workers.parsing.new_text import Line
from workers.parsing.normalise import normal
from workers.parsing.small_talk import words_of

FILLERS: Final = {
    "en": "oh|ah|aah|argh|hm+|um|uh|erm?|well|but|and|so|ok|okay|yes|please|then|damn|whoa|oh no|hey|ps|p\\. ?s|pps|nb",
    "de": "aber|und|ach|äh|ähm|also|ja|bitte|mist|verdammt|nun|dann",
    "fr": "mais|et|euh|bon|oui|zut|mince|alors|donc|hélas",
}
"""What stands before the word that counts: "oh no, wait"."""
HARMLESS: Final = {
    "en": (
        "no (?:rush|hurry|problem|worr|idea|pressure|news|mercy|comment|way|one|matter|need|doubt|kidding|offen|"
        "thank|really|serious|stress|excuse|surprise|more|big|luck|fun|pain|hard|risk|limit|regret)|(?:sorry|"
        "apologies),? (?:for|about|that|it|i|i'm|to|if)\\b.*(?:delay|late|slow|wait|long|silence|time|trouble|"
        "noise|absence|away|hear|busy|ill|sick|holiday|held up|typo|brevity|brief|short)|stop (?:it|me|laughing|"
        "winning|by)|wait (?:for it|and see|till you|until you)|better (?:luck|late)|not (?:bad|much|at all|long|"
        "too bad|so bad|only|to worry|surpris|my (?:day|best|favou?rite))|don't (?:hurry|worry|rush|be)|(?:sorry|"
        "apologies),? i (?:was|am|have been|had been) (?:\\w+ )?(?:travel|abroad|on |at |out |busy|ill|sick|away|"
        "asleep|offline)|let me know\\b|if (?:you|anyone|anybody|somebody|someone) (?:want|like|need|ever|are|is|"
        "have|has|know|wish)"
    ),
    "de": (
        "nein,? (?:im ernst|danke|wirklich|ehrlich)|halt(?:et)? (?:durch|die ohren)|moment der|(?:entschuldig\\w*|"
        "sorry|tut mir leid),? .*(?:verspätung|spät|warte|dauer|lange)|wenn (?:du|ihr) (?:mal|magst|wollt|mögt|lust|"
        "zeit)|lieber? \\w+$|(?:diesmal )?nicht (?:so schnell wie|(?:so |ganz )?(?:leicht|einfach|schlecht|übel))"
    ),
    "fr": (
        "non,? (?:merci|vraiment|sérieux|rien)|(?:pardon|désolée?s?),? .*(?:retard|attente|tard|délai)|si (?:tu|"
        "vous) (?:veux|voulez|passe|avez|as|êtes|es)"
    ),
}
"""Sentences that begin like a take-back and say nothing about orders: "no rush", "sorry for the delay"."""
SORRY: Final = "sorry|apologies|entschuldige|entschuldigung|tut mir leid|pardon|désolée?"
"""What is chatter with a player's name behind it: "Sorry Bob!"."""
STARTS: Final = {
    "en": (
        "wait|hang on|hold|belay|stop|no(?:pe)?|nah|sorry|apologies|actually|ignore|forget|scratch|strike|scrap|cancel|"
        "disregard|never ?mind|undo|withdraw|retract|revert|delete|discard|don't|do not|not|oops|whoops|edit|"
        "correct\\w*|rather|better|or (?:maybe|perhaps|rather|better|should|shall|would|wards?|bid|place|\\d+)|maybe|"
        "perhaps|unless|if|only (?:if|when|once)|(?:as|so) long as|provid\\w*|assum\\w*|in case|until|except|kidding|"
        "joking|jk|draft|test|testing|tbc|tbd|to be confirmed|hypothe\\w*|suppos\\w*|imagine|what (?:if|happens)|"
        "let me|let's say|on (?:second|reflection|closer)|my (?:mistake|bad|error)|wrong|make (?:it|that)|new orders|"
        "provisional|tentative|pending|error|mistake|i(?:'d| would) (?:rather|prefer|like to)|i (?:prefer|mean|meant|"
        "regret|hesitate|doubt|might)|should be .*\\d+|give me"
    ),
    "de": (
        "moment|augenblick|sekunde|minute|halt|stopp\\w*|warte[nt]?|warte|nein|nee|nö|ne|doch|verg[ie]ss\\w*|"
        "ignorier\\w*|streich\\w*|lösch\\w*|abbr[eu]ch\\w*|storn\\w*|rückgängig|zurück|kommando|korrektur\\w*|"
        "quatsch|blödsinn|unsinn|ups|hoppla|entschuldig\\w*|tut mir leid|verzeihung|eigentlich|oder|lieber|besser|"
        "vielleicht|falls|wenn|sofern|es sei denn|ausser|nur (?:wenn|falls|ein|spass|laut|so)|angenommen|"
        "vorausgesetzt|sobald|entwurf|gemeint|sollte .*\\d+|noch nicht|nicht|unter vorbehalt|vorbehaltlich|vorläufig|"
        "bestätigung|höchstens|erst|gilt|zählt|irrtum|fehler|falsch\\w*|versehentlich|aus versehen|"
        "anders (?:überlegt|herum|entschieden|gemeint)"
    ),
    "fr": (
        "attend\\w*|une? (?:minute|seconde|instant)|minute|halte|arrêt\\w*|non|nan|finalement|en fait|oubli\\w*|"
        "annul\\w*|à voir|laisse|pardon|désolé\\w*|excusez|oups|erreur\\w*|rectif\\w*|plutôt|mieux|ou|peut-être|"
        "si|sauf|seulement|uniquement|à (?:condition|moins|ignorer|confirmer|supprimer|annuler|oublier|jouer)|"
        "pourvu|supposé|et si|dès que|quand|lorsque|brouillon|simple (?:test|essai|brouillon)|ne|n'\\w+|"
        "pas (?:encore|tout|sûre?|cel\\w*|ça|maintenant|défini\\w*|cela|comme)|sous réserve|provisoire|réflexion|"
        "tout (?:compte|bien)|après (?:tout|réflexion)|supprim\\w*|efface\\w*|retir\\w*|surtout|mauvais\\w*"
    ),
}
"""How a sentence begins that takes orders back, or names a condition."""
HOLDS: Final = {
    "en": (
        "chang\\w* (?:my|our) mind|too (?:early|soon)|by (?:mistake|accident)|accidentally|mistakenly|instead|"
        "after all|draft|second thoughts?|(?:take|took|taking) (?:it|that|this|them|everything|"
        "all)(?: all)? back|withdraw|not (?:yet|final|sure|certain|definite|real|decided|for now|right|mine|that|"
        "my (?:real|final|actual)|a good|execute|play)|isn't (?:final|right|it)|unsure|undecided|"
        "\\w+n't (?:decided|play|execute|count|send|process|enter|submit|use|take|run|act|treat|want|mean|"
        "do (?:it|that|this|any))|do not (?:play|execute|count|send|process|enter|submit|use|take|run|treat|want|"
        "do)|did not mean|please (?:ignore|disregard|delete|undo|hold|wait|forget|cancel|discard)|(?:ignore|"
        "disregard|forget|cancel|delete|undo|scrap|scratch|discard|revoke|retract) (?:this|that|it|these|those|"
        "them|the|my|all|what)|to be confirmed|thinking (?:aloud|out loud|about|of)|(?:just|only) (?:thinking|"
        "kidding|joking|testing|a (?:draft|test|joke|thought)|if|when|once)|(?:was|is|that's|it's) (?:a joke|"
        "a mistake|wrong|an error|a typo|nonsense|for another)|wrong (?:ward|game|one|table|button|move|order|"
        "mail|colou?r|line|number|person|address|place|option|office|player)|reconsider|rethink|more time|"
        "to think|think (?:about it|it over|again|this over|that over|it through)|sleep on|hold (?:that|this|it|"
        "the|these|my|off|on|your)|wait (?:a|with|until|till|and see|before|for my|to)|(?:i'd|would|"
        "to) (?:rather|prefer)|(?:might|may|can|could|will|still) (?:still |yet )?change|(?:will|i'll|to|until i|"
        "till i|before i) confirm|confirm(?:ation)? (?:later|tomorrow|tonight|follows)|really want|i mean(?:t)?|"
        "should (?:be|read|have been|say|not)\\b.*(?:\\d|there|wards?)|make (?:it|that)\\b.*\\d|new (?:orders|"
        "ones)|real (?:orders|move|one|thing)|(?:almost|nearly|have|wanted to|going to|about to) play(?:ed)?|"
        "was (?:going|thinking|about|planning)|(?:i|we) (?:would|might|could)\\b.* if|for later|provisional|"
        "tentative|preliminary|doubts?|hit send|pressed|sent (?:too|by|in error|this|that)|another (?:game|"
        "table)|something else|unless|bad (?:move|idea)|no good|week's orders|old orders|no longer|on hold|"
        "never ?mind|convinced me|as long as|in case|provided|too much|much better|is better|is enough|kidding|"
        "joking|cancel\\w*|void|invalid|wrong|mistake|error|undo|undone|rewind|revert|withdrawn?|disregard|"
        "ignore\\w*|pretend|accident|delete\\w*|discard\\w*|(?:doesn't|don't|not|none of (?:this|it)|"
        "never) counts?|counts? for nothing|regret|clicked|copied|pasted|let's wait|(?:i'll|i will|we|to|should|"
        "better) wait|ask me|remind me|before you (?:play|do|execute|act)|if nobody|nobody minds|"
        "still (?:thinking|considering|deciding|open)|not what i|meant to|meant for|didn't see|never happened|"
        "hold up|on second|postpone|later (?:today|tonight|this)|so i don't forget|for my notes|note to self|"
        "when i'm back|previous (?:term|turn|round|year)|last (?:term|turn|round)|(?:like|have|want|get|"
        "give) (?:it|that|this|that one|this one|my \\w+|me that) back|please (?:keep|leave|park|store|save)|"
        "on ice|new plan|(?:i'd|i would|you'd) (?:play|do|have)|(?:give|need|want) (?:me )?(?:a|another|one more|"
        "some|five|ten) (?:minute|hour|day|moment|second|time)s?|(?:i'll|i will|we'll|to|let me|must|"
        "have to) decide|as soon as|only .*\\b(?:if|when|once|after|unless)|(?:just|only|merely|but) (?:an?|my|"
        "the|one) (?:first |rough )?(?:idea|plan|proposal|suggestion|sketch|example|possibility)|(?:typed|wrote|"
        "sent|entered) (?:this|that|it|these)|final (?:answer|version|orders?|move)|outline|discussion|my finger|"
        "keyboard|(?:have|need|want) to check|none of|something different|until i|can't be|so no$|(?:wasn't|"
        "isn't|not) me"
    ),
    "de": (
        "anders überlegt|überleg(?:e|en)|versehen|versehentlich|zu früh|entwurf|(?:nur|bloss|"
        "kleiner?) (?:ein )?(?:spass|scherz|test|witz)|laut gedacht|nicht sicher|unsicher|noch nicht|"
        "nicht (?:ausführen|spielen|beachten|werten|zählen|endgültig|abschicken|senden|so|das|mehr)|"
        "doch (?:nicht|lieber|zu|noch|\\d)|lieber (?:nur|doch|nicht|bezirk|nach|in|erst|\\d+)|falsch\\w*|irrtum|"
        "zurück(?:nehm|zieh|genommen|gezogen)\\w*|(?:nehme?|nimm|ziehe?) .*zurück|rückgängig|ignorier\\w*|"
        "vergesst|vergiss|bitte vergessen|löschen|streichen|stornier\\w*|verwerfen|warte[nt]? (?:noch|bitte|"
        "lieber|mit|damit|ich)|(?:noch|bitte|lieber|erst) (?:ab)?warte\\w*|abwarten|bestätig\\w*|vorbehalt|"
        "vorläufig|drüber schlafen|zweifel\\w*|(?:keine gute|schlechte) idee|nur (?:wenn|falls)|es sei denn|"
        "sofern|falls|gar nicht|ich meinte|stattdessen|sondern|eigentlich (?:will|wollte)|(?:richtige|neue|"
        "echte)\\w* (?:befehle?|zug|züge)|andere[sn]? (?:partie|spiel)|(?:et)?was anderes|besser wäre|nachdenken|"
        "mehr zeit|nachsehen|zu viel|sonst pass\\w*|ungültig|zählt nicht|zählen nicht|gilt (?:so )?nicht|"
        "gelten nicht|nichtig|hinfällig|(?:erst|noch|auf \\w+) warten|darüber schlafen|schlafe .*(?:drüber|"
        "darüber)|tut so|tu so|(?:noch )?(?:ändern|abändern)|zurückspulen|geklickt|verklickt|vertippt|vertan|"
        "verrutscht|verguckt|kopiert|war für|nicht gesehen|bereue|frag mich|erinnerung|merkzettel|"
        "wenn ich zurück bin|lösch\\w*|fehler|widerruf\\w*|widerrufe|annullier\\w*|abgesagt|aufheben|verschieben|"
        "letzte (?:runde|partie)|hätte ich gern\\w* (?:wieder|zurück)|bitte .*(?:lassen|bis|erst|zurück)|"
        "neuer plan|würde ich|(?:gebt|gib) mir (?:noch )?|brauche noch|(?:nur|bloss|lediglich) (?:so )?(?:eine?|"
        "meine?|als) (?:erste )?(?:idee|gedanke|plan|vorschlag|skizze|beispiel|überlegung)|"
        "entscheide? (?:ich )?(?:mich )?(?:erst|morgen|später|noch|heute)|(?:getippt|geschrieben|"
        "abgeschickt) hat|hat .*(?:getippt|geschrieben|abgeschickt)|war(?:en)? (?:das )?nicht ich|(?:endgültige|"
        "letzte) fassung|diskussion|tastatur|war ich zu|muss noch|noch (?:mal|einmal) (?:prüfen|schauen|"
        "nachdenken|ansehen)"
    ),
    "fr": (
        "chang\\w* d'avis|erreur|trop (?:tôt|vite)|brouillon|plutôt|finalement|tromp\\w+|mauvaise? (?:quartier|"
        "partie|jeu|bouton|coup|table|ordre|couleur|numéro)|ne (?:pas|le|la|les) \\w+|ne (?:jou|ten|tien|fait|"
        "compt)\\w*|ignor\\w*|oubli\\w* (?:ça|cela|ce|mon)|annul\\w*|supprim\\w*|pour (?:rire|plaisanter)|"
        "une autre partie|plaisant(?:e|ais|erie)|tout haut|réfléchir|réflexion|pas (?:encore|sûre?|certaine?|"
        "définitif|décidé|celui|celle|possible)|confirm\\w*|réserve|attend(?:s|ez|re)|seulement|sauf si|"
        "à (?:condition|moins)|hésit\\w*|laisse\\w* tomber|autre (?:chose|coup)|je (?:reprends|retire)|"
        "voulais (?:dire|pas)|encore un jour|mieux vaut|semble mieux|nouveaux ordres|vrai coup|au lieu|"
        "provisoire|sinon je|tenir compte|d'abord|nul et|non avenu|nulle?s?|compte (?:pas|plus)|comptez pas|"
        "attendons|comme si|rien vu|(?:encore|peux|puis) changer|changer encore|effac\\w*|cliqué|copié|"
        "faute de frappe|pour mémoire|rappel|à mon retour|invalide|regrett?e\\w*|retirez|retire|reviens (?:sur|"
        "là)|revenir en arrière|reporter|remettre|dernier tour|tour précédent|ren(?:dez|ds)-moi|laisse\\w* (?:ça|"
        "cela) (?:de côté|en attente)|jusqu'à|nouveau plan|réfléchi\\w*|(?:juste|seulement|simplement|"
        "qu') ?une? (?:première )?(?:idée|proposition|projet|exemple|suggestion|esquisse)|décide\\w* (?:demain|"
        "plus tard|ce soir)|déciderai|ce n'est pas moi|version définitive|discussion|clavier|trop rapide|"
        "dois encore|pas si vite|donne\\w*-moi|je jouerais|besoin (?:de|d'une?) (?:temps|minute|heure|jour)"
    ),
}
"""What takes back, postpones or doubts orders wherever it stands."""
ABOUT_ORDERS: Final = {
    "en": (
        "legal|allowed|possible|permitted|valid|ok|okay|right|correct|works?|better|think|opinion|should|shall|can i|"
        "could i|may i|do i|would|is (?:that|this|it)|instead|or|wards?|change|undo|sure|does (?:that|this)|locked|"
        "\\d+"
    ),
    "de": "erlaubt|möglich|meint|geht|ginge|gültig|richtig|soll|kann ich|darf ich|oder|bezirk|sicher|besser|wäre",
    "fr": "permis|légal|pensez|penses|puis-je|peux|dois|ou|quartier|valable",
}
"""Words of a question that is about the orders, not about the others' holidays."""
THE_ORDERS: Final = {
    "en": (
        "this(?! (?:time|year|week|month|morning|evening|game|weekend|round|summer|winter|one))|these|above|"
        "below|mail|email|message|move|moves|orders?|map|what i|i (?:\\w+ )?(?:typed|wrote|sent|read|misread|"
        "meant|wanted)|(?:my|the) (?:vote|plan|bid)|the turn|commit\\w*"
    ),
    "de": "dies\\w*|das hier|mail|nachricht|zug|befehle?|karte|plan|ich (?:habe|hab) (?:mich|das)|gedanken",
    "fr": "ceci|cela|ce (?:message|courriel|coup)|mes ordres|mon coup|carte|plan|j'ai",
}
"""What means the orders, or the reading and writing of them."""
UNSETTLED: Final = {
    "en": (
        "not|\\w+n't|never|mis\\w{3,}|wrong\\w*|later|tomorrow|tonight|again|first|change|but|need to|have to|must|"
        "treat|another look|void"
    ),
    "de": "nicht|keine?\\w*|noch|ver(?:lesen|tan|sehen|schrieben|rechnet)|offen|morgen|später|erst|muss|spiele mit",
    "fr": "pas|ne|mal|demain|encore|plus tard|dois|faut|trompé\\w*|pense|dites",
}
"""Words that leave what is named beside them open: such a sentence about the orders doubts them."""
DOUBTFUL_SIGNS: Final = frozenset("👎🤔❌🚫❓⛔✋🛑")
"""Pictures that say the same."""
HEDGES: Final = {
    "en": (
        "would|could|might|may|maybe|perhaps|probably|thinking|think|plan|later|not|\\w+n't|never|was|were|wanted|"
        "almost|nearly|option|test|testing|suppose|imagine|let's say|next (?:turn|round|year|time|move|week)|when|"
        "once|after|as soon as|until|till|unless|soon|wonder|idea|alternative|considering|tempted|if|in case|decided|"
        "yesterday|tomorrow"
    ),
    "de": (
        "würde|könnte|wäre|vielleicht|wohl|überlege|wollte|plan|später|nächste[rsn]?|falls|wenn|angenommen|hätte|"
        "wahrscheinlich|vermutlich|beinahe|fast|gestern|morgen|nicht|sobald|nachdem|idee|noch|hypothetisch"
    ),
    "fr": (
        "serait|ferais|jouerais|pourrait|peut-être|pensais|allais|voulais|prochain|si|supposons|probablement|"
        "sans doute|songe|aurais|envisage|plus tard|exécuter|pas|dès|quand|lorsque|hypothèse|hypothétiquement|demain"
    ),
}
"""Words that make the orders right below a line a thought, a plan or a condition: "I was thinking of"."""


def _compiled(form: str, lists: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile(form.format("|".join(lists.values())))


_FILLERS: Final = _compiled(r"^(?:(?:{})(?:[,.:!;-]+ *| +|$))+", FILLERS)
_HARMLESS: Final = _compiled(r"^(?:{})", HARMLESS)
_SORRY: Final = re.compile(rf"^(?:{SORRY})\b")
_STARTS: Final = _compiled(r"^(?:{})(?!\w)", STARTS)
_HOLDS: Final = _compiled(r"\b(?:{})\b", HOLDS)
_ABOUT_ORDERS: Final = _compiled(r"\b(?:{})\b", ABOUT_ORDERS)
_HEDGES: Final = _compiled(r"\b(?:{})\b", HEDGES)
_THE_ORDERS: Final = _compiled(r"\b(?:{})\b", THE_ORDERS)
_UNSETTLED: Final = _compiled(r"\b(?:{})\b", UNSETTLED)
_SENTENCES: Final = re.compile(r"(?<=[.!?;:…)])\s+|\s+-+\s+|\s*\(")


def find_doubt(above: Sequence[Line], below: Sequence[Line], people: Collection[str]) -> Line | None:
    """Return the first line that takes back, doubts or conditions the orders, or None.

    `above` and `below` are the lines around the orders without blank ones, `people` the words of players' names.
    """
    last = len(above) - 1
    for place, line in enumerate(above):
        if _doubts(line.text, people) or (place == last and _leads_to_thought(line.text)):
            return line
    return next((line for line in below if _doubts(line.text, people) or _asks_about_orders(line.text)), None)


def _doubts(text: str, people: Collection[str]) -> bool:
    words = words_of(normal(text))
    if words and set(words) <= set(people):
        return False
    return bool(set(text) & DOUBTFUL_SIGNS) or any(_is_doubt(sentence, people) for sentence in _sentences(text))


def _is_doubt(sentence: str, people: Collection[str]) -> bool:
    start = _FILLERS.sub("", sentence)
    if any(_HOLDS.search(_HARMLESS.sub("", clause)) for clause in (sentence, start)):
        return True
    if _THE_ORDERS.search(start) and _UNSETTLED.search(start) and not _HARMLESS.match(start):
        return True
    named = _SORRY.sub("", start)
    spoken_to = named != start and set(words_of(named)) <= set(people) and bool(words_of(named))
    return bool(_STARTS.match(start)) and not (spoken_to or _HARMLESS.match(start) or _HARMLESS.match(sentence))


def _asks_about_orders(text: str) -> bool:
    """Return whether a line below the orders asks about them: "Would that be legal?"."""
    return any("?" in sentence and _ABOUT_ORDERS.search(sentence) for sentence in _sentences(text))


def _leads_to_thought(text: str) -> bool:
    """Return whether the line right above the orders is a question, or makes them a thought, plan or condition."""
    shown = text.strip()
    if shown.endswith("?"):
        return True
    return not shown.endswith((".", "!")) and bool(_HEDGES.search(_sentences(text)[-1]))


def _sentences(text: str) -> list[str]:
    return [sentence for part in _SENTENCES.split(text) if (sentence := normal(part))] or [""]
