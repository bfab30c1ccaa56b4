"""The variants of Tammany Hall (TH-17.3): their names and values, the default first."""

from typing import Final

from domain.engine.variants import Variants

OPTIONS: Final = Variants(
    {
        "chip-supply": ("35", "25"),
        "lock-scope": ("sealed", "placement-only"),
        "leader-zero": ("none", "all"),
        "end-zero": ("none", "all"),
        "ward-bonus": ("optional", "mandatory"),
        "holdover-vp": ("3", "0"),
        "second-slander-presence": ("required", "not-required"),
        "sealed-bid": ("replaceable", "final"),
        "final-tie": ("shared", "mayor-wins"),
    }
)
option: Final = OPTIONS.option
