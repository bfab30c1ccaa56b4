"""What every game is made with: the Decider, draws, sentences, canonical JSON."""
