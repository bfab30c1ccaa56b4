"""What every game is made with: a ruleset and its four parts, the words of a game, draws, sentences, canonical JSON."""
