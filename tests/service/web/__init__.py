"""The pages, as a browser without script gets them."""
