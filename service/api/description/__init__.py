"""The OpenAPI document: what flask-smorest knows of the views, completed from the types of the rulesets."""
