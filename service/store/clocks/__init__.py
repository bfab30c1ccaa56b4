"""Who owes an answer and until when; what passed, and what stands still."""
