"""One colour for each kind of choice, the same on the page and in the plots."""

CHOICE_COLORS = {
    "number": "#4c78a8",
    "action": "#f2a33a",
    "wild": "#8d5fa8",
    "draw": "#8b949e",
    "keep": "#b9c0c7",
    "pass": "#cfd4d9",
    "take": "#6b747d",
    "accept": "#6fb3ab",
    "challenge": "#d9534f",
    "color": "#5aa469",
    "target": "#c9736b",
    "swap": "#2f8f9d",
    "no-swap": "#c4b8a5",
    "call-uno": "#3f9c57",
    "stay-silent": "#c98f8f",
    "catch": "#e0703c",
    "ignore": "#bfb5a8",
    "jump-in": "#e3c93d",
    "sum": "#d77fb0",
}


def ink_on(color: str) -> str:
    """Black or white, whichever reads better on a colour `#rrggbb`."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return "#14171b" if 0.3 * red + 0.59 * green + 0.11 * blue > 115 else "#ffffff"
