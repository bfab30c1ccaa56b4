"""Trust in what is stored: audits, stopped games, replays, bundles for export."""
