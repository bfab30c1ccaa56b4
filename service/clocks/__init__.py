"""The clocks of seats: policy, charged hours, leave, outages. Says when an answer is due and what moved that."""
