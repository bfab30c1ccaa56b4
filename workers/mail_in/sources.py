"""Names of the ways in which mail comes in, where more than one module must know them."""

from typing import Final

HEADERS_ONLY: Final = "imap, headers only"
"""The source of a mail whose headers alone were stored, as it is larger than we take."""
