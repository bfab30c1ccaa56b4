"""Search: how a program finds a good move of any ruleset that has guidance, from what its seat may see."""
