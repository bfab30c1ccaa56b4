"""A record of seeded games, to compare two trees with: `python -m lab.record --out FOLDER`."""
