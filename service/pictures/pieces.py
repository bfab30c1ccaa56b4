"""The pieces of both games as symbols, drawn once for a page and used wherever a piece lies.

A symbol takes its colours from the element that uses it: `--p` and `--on` of a player, `--l`, `--f` and `--d` (the
three sides) of an immigrant. `board.css` gives these to the classes `p-red` and `c-irish`. Looks: docs/architecture.md.
A people has a mark besides its colour, for those who see no colours: `--belt`, `--posts` or `--spot` shows it.
"""

from typing import Final

from service.pictures.svg import Point, box

HAT: Final = (
    "M4.6 11.4c4 1.4 14.8 1.4 18.8 0 .3-1.5-1.2-2-3.1-2.3C20.3 3.6 18.3.9 14 .9S7.7 3.6 7.7 9.1c-1.9.3-3.4.8-3.1 2.3z"
)
BUST: Final = "M1.6 34.4C1 24 5.4 18.6 14 18.6S27 24 26.4 34.4z"
LINES: Final = 'stroke="var(--piece)" stroke-width="1.3" stroke-linejoin="round"'
OPEN: Final = 'fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round"'
CUBE_MARKS: Final = (
    '<path d="M.8 11.6 10 16.7 19.2 11.6" fill="none" stroke="var(--belt,none)" stroke-width="2"/>'
    '<path d="M5 9.5v8.5M15 9.5v8.5" fill="none" stroke="var(--posts,none)" stroke-width="2"/>'
    '<ellipse cx="10" cy="5.5" rx="4" ry="2.2" fill="var(--spot,none)"/>'
)
CHIP_MARKS: Final = (
    '<path d="M5.5 10h9" fill="none" stroke="var(--belt,none)" stroke-width="2"/>'
    '<path d="M10 5.5v9" fill="none" stroke="var(--posts,none)" stroke-width="2"/>'
    '<circle cx="10" cy="10" r="2.4" fill="var(--spot,none)"/>'
)

SYMBOLS: Final[dict[str, tuple[str, str]]] = {
    "cube": (
        "-.6 -.6 21.2 23.2",
        '<g stroke="var(--piece)" stroke-width="1.1" stroke-linejoin="round">'
        '<path d="M0 5.5 10 0l10 5.5L10 11z" fill="var(--l)"/><path d="M0 5.5 10 11v11L0 16.5z" fill="var(--f)"/>'
        f'<path d="M20 5.5 10 11v11l10-5.5z" fill="var(--d)"/></g>{CUBE_MARKS}',
    ),
    "cube-ghost": (
        "-.6 -.6 21.2 23.2",
        '<path d="M0 5.5 10 0l10 5.5v11L10 22 0 16.5z" fill="var(--l)" fill-opacity=".55" stroke="var(--rim)" '
        f'stroke-width="1.4" stroke-dasharray="3 2" stroke-linejoin="round"/>{CUBE_MARKS}',
    ),
    "boss": (
        "0 0 28 37",
        '<ellipse cx="14" cy="34.6" rx="12.5" ry="2.3" fill="#0004"/>'
        '<g stroke="var(--outline)" stroke-width="1.2" stroke-linejoin="round">'
        f'<path d="{BUST}" fill="var(--p)"/><path d="M8.6 13.5a5.4 5.4 0 0 0 10.8 0v-2.2H8.6z" fill="#efd3b5"/>'
        f'<path d="{HAT}" fill="var(--p)"/></g><path d="M11.2 15.3q1.4-1 2.8 0 1.4-1 2.8 0" fill="none" '
        'stroke="#4a3524" stroke-width="1.3" stroke-linecap="round"/>',
    ),
    "ghost": (
        "0 0 28 37",
        '<g stroke="var(--rim)" stroke-width="1.4" stroke-dasharray="3 2" stroke-linejoin="round">'
        f'<path d="{BUST}" fill="var(--pale)"/><circle cx="14" cy="13" r="5.4" fill="#fff6ea"/>'
        f'<path d="{HAT}" fill="var(--pale)"/></g>',
    ),
    "chip": (
        "0 0 20 20",
        '<circle cx="10" cy="10" r="9" fill="var(--d)" stroke="var(--piece)"/><circle cx="10" cy="10" r="6.4" '
        f'fill="var(--f)" stroke="#fff" stroke-width="1.3" stroke-dasharray="2.5 2"/>{CHIP_MARKS}',
    ),
    "slander": ("0 0 20 20", f'<path d="M2 4.5h16v11H2zM2 5l8 6.5L18 5" {OPEN}/>'),
    "hat": (
        "0 0 20 20",
        '<path d="M1.5 14c5 2.2 12 2.2 17 0 .3-1.3-1-1.9-2.7-2.1C15.8 7 14 4.5 10 4.5S4.2 7 4.2 11.9c-1.7.2-3 .8-2.7 '
        '2.1z" fill="currentColor"/>',
    ),
    "lock": (
        "0 0 20 22",
        '<path d="M5.5 10V7a4.5 4.5 0 0 1 9 0v3" fill="none" stroke="currentColor" stroke-width="2.4"/>'
        '<rect x="3" y="10" width="14" height="11" rx="2" fill="currentColor"/>',
    ),
    "bot": (
        "0 0 20 20",
        f'<g {OPEN}><rect x="3.5" y="7" width="13" height="9.5" rx="2"/><path d="M10 7V3.5M1.5 10.5v3M18.5 10.5v3"/>'
        '</g><circle cx="7.5" cy="11.5" r="1.3" fill="currentColor"/><circle cx="12.5" cy="11.5" r="1.3" '
        'fill="currentColor"/>',
    ),
    "star": (
        "0 0 20 20",
        '<path d="M10 1l2.7 6 6.3.6-4.8 4.2 1.5 6.2L10 14.7 4.3 18l1.5-6.2L1 7.6 7.3 7z" fill="#e0a21a" '
        'stroke="#6b4c00" stroke-width="1.1" stroke-linejoin="round"/>',
    ),
    "undo": (
        "0 0 20 20",
        f'<path d="M7 4 3 8l4 4M3.5 8H12a4.5 4.5 0 0 1 0 9H8" {OPEN} stroke-linecap="round"/>',
    ),
    "influence": (
        "0 0 20 20",
        '<rect x="4" y="2" width="12" height="16" rx="2" fill="#5b3a86" stroke="var(--piece)"/>'
        '<path d="M10 5.5v9M7.5 8h5M7.5 12h5" stroke="#fff" stroke-width="1.4"/>',
    ),
    "housing": (
        "0 0 40 40",
        f'<g {LINES}><path d="M6 20v17h28V20z" fill="#d98350"/><path d="M1.5 21 20 4l18.5 17z" fill="#a9492f"/>'
        '<path d="M27 6h5v9l-5-4.5z" fill="#8c3a25"/><path d="M16.5 26h7v11h-7z" fill="#5a3a22"/>'
        '<path d="M8.5 24.5h5v5h-5zM26.5 24.5h5v5h-5z" fill="#fff3d2"/></g>',
    ),
    "tower": (
        "0 0 40 40",
        f'<g {LINES}><path d="M8 37.5V15h6V9h4V2.5h4V9h4v6h6v22.5z" fill="#7f97b5"/>'
        '<path d="M22 2.5V9h4v6h6v22.5H20v-35z" fill="#5d7595" stroke="none"/></g>'
        '<path d="M11.5 19h3v3h-3zM18 13h3v3h-3zM18 19h3v3h-3zM25 19h3v3h-3zM11.5 25h3v3h-3zM18 25h3v3h-3z'
        'M25 25h3v3h-3zM11.5 31h3v3h-3zM18 31h3v3h-3zM25 31h3v3h-3z" fill="#fff3d2"/>',
    ),
    "factory": (
        "0 0 40 40",
        f'<g {LINES}><path d="M28 37.5 29.5 8h5L36 37.5z" fill="#7c6f63"/>'
        '<path d="M2 37.5V20l9 6.5V20l9 6.5V20l9 6.5v11z" fill="#a5907c"/></g>'
        '<path d="M32 6q-2-5-7-3.5" fill="none" stroke="#8d8372" stroke-width="2" stroke-linecap="round"/>'
        '<path d="M6 30h4v3H6zM14 30h4v3h-4zM22 30h4v3h-4z" fill="#fff3d2"/>',
    ),
    "park": (
        "0 0 40 40",
        f'<g {LINES}><path d="M17.5 26h5v11.5h-5z" fill="#7a5230"/><path d="M20 3c7 0 9 5 8.5 8 4 1 5.5 5 4 9-1.5 5-7 '
        '7-12.5 7S9 25 7.5 20c-1.5-4 0-8 4-9C11 8 13 3 20 3z" fill="#4f9b58"/></g>'
        '<path d="M4 37.5h32" stroke="var(--piece)" stroke-width="1.5"/>'
        '<path d="M13 15q2-3 5-3" fill="none" stroke="#fff8" stroke-width="1.6" stroke-linecap="round"/>',
    ),
    "people": (
        "0 0 24 24",
        f'<g {OPEN}><circle cx="8" cy="7.5" r="3.2"/><path d="M2.5 20c0-5 2-7 5.5-7s5.5 2 5.5 7M15 4.7a3.2 3.2 0 0 1 0 '
        '5.7M16.5 13c3 .5 5 2.5 5 7"/></g>',
    ),
    "tax": (
        "0 0 24 24",
        f'<g {OPEN}><circle cx="12" cy="12" r="9"/><path d="M15 8.5c-1-1-5.5-1.5-5.5 1s5.5 1.5 5.5 4-4.5 '
        '2.5-6 1M12 5.500v13"/></g>',
    ),
    "surveyor": (
        "0 0 24 24",
        f'<path d="M3 6l6-2.5 6 2.5 6-2.5v14.5l-6 2.5-6-2.5-6 2.500zM9 3.500V18M15 6v14.5" {OPEN}/>',
    ),
    "campaign": ("0 0 24 24", f'<path d="M4 10v5h4l9 4.5v-14L8 10zM8 10v5M20 10v5M9 15l1.5 5" {OPEN}/>'),
    "lobbyist": (
        "0 0 24 24",
        '<rect x="5" y="3" width="11" height="15" rx="2" fill="#5b3a86" stroke="currentColor"/>'
        f'<path d="M8.5 21h10.500V7.5" {OPEN}/><path d="M10.5 6.5v8M8 9h5M8 12h5" stroke="#fff" '
        'stroke-width="1.3"/>',
    ),
    "zoning": ("0 0 24 24", f'<path d="M3 20.5h18M5 20.5V11l5-4 5 4v9.5M15 20.5V4h5v16.5M9 20.5v-5h2.5v5" {OPEN}/>'),
    "health": ("0 0 24 24", f'<path d="M12 20S4 14.5 4 9a4 4 0 0 1 8-1 4 4 0 0 1 8 1c0 5.5-8 11-8 11z" {OPEN}/>'),
    "deputy": (
        "0 0 24 24",
        f'<path d="M4 14.5c5.5 2.5 11 2.5 16 0 .3-1.5-1-2-2.5-2.300C17 6.5 15.5 4 12 4s-5 2.5-5.5 8.200c'
        f'-1.5.3-2.8.8-2.5 2.300zM6 20h12" {OPEN}/>',
    ),
}
PATTERNS: Final = (
    '<pattern id="s-wave" width="26" height="9" patternUnits="userSpaceOnUse"><path d="M0 5q6.5-5 13 0t13 0" '
    'fill="none" stroke="var(--wave)"/></pattern>'
    '<pattern id="s-street" width="17" height="17" patternUnits="userSpaceOnUse" patternTransform="rotate(28)">'
    '<path d="M0 .5h17M.5 0v17" fill="none" stroke="var(--street)"/></pattern>'
    '<pattern id="s-fog" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0h3v8H0z" fill="var(--street)"/></pattern>'
)
OF_GAME: Final = {
    "tammany-hall": "cube cube-ghost boss ghost chip slander hat lock bot undo".split(),
    "city-hall": (
        "star influence bot undo lock housing tower factory park people tax surveyor campaign lobbyist zoning health "
        "deputy"
    ).split(),
}
"""The symbols that each game is drawn with."""


def definitions(kind: str) -> str:
    """Return the symbols and patterns of a game as SVG. A document needs them once."""
    symbols = ((name, *SYMBOLS[name]) for name in OF_GAME[kind])
    drawn = "".join(f'<symbol id="s-{name}" viewBox="{box}">{shapes}</symbol>' for name, box, shapes in symbols)
    return f"<defs>{drawn}{PATTERNS}</defs>"


def use(name: str, at: Point, size: Point, kind: str = "") -> str:
    """Draw a piece of this size with its upper left corner at a point."""
    (x, y), (wide, high) = at, size
    named = f' class="{kind}"' if kind else ""
    return f'<use href="#s-{name}"{named} {box(x, y, wide, high)}/>'
