"""People as others see them: profiles, as far as their owners show them, and the games they have played."""
