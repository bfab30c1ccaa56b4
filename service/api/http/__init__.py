"""The form of requests and answers: reading, writing, problems, limits, authentication."""
