"""Why a deadline is what it is, step by step, and what leave would change."""
