"""What the page of a game in numbers shows, made of the document that the API gives, in the reader's words."""
