"""The variants of City Hall (CH-19.3): their names and values, the default first."""

from typing import Final

from domain.engine.variants import Variants

OPTIONS: Final = Variants(
    {
        "zero-bid": ("allowed", "refused"),
        "health-ties": ("shared-rank", "next-only"),
        "health-bonus": ("optional", "mandatory"),
        "zero-stars": ("counted", "ignored"),
        "campaign": ("mandatory", "optional"),
        "zoning-build": ("exactly-two", "one-or-two"),
        "holdings": ("secret", "open"),
        "park-approval": ("one-space", "next-rating"),
    }
)
option: Final = OPTIONS.option
