"""The OpenAPI document: true, complete, and of use to generators."""
