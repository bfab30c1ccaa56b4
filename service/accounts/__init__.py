"""People: signing up, codes and tokens, names, and requests that are sent twice."""
