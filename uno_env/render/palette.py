"""Colours of the pictures, and the symbol that goes with each card colour.

Nothing is said by colour alone: red is a triangle, yellow a disc, green a square, blue a diamond.
"""

CARD = {"red": "#c4424c", "yellow": "#ecb53c", "green": "#2f9269", "blue": "#3a70b8"}
SHADE = {"red": "#a83640", "yellow": "#d99f24", "green": "#26795a", "blue": "#2f5d9c"}
INK = {"red": "#ffffff", "yellow": "#33270a", "green": "#ffffff", "blue": "#ffffff"}
SYMBOL = {"red": "▲", "yellow": "●", "green": "■", "blue": "◆"}
WILD_SYMBOL = "★"
TERMINAL = {"red": (196, 66, 76), "yellow": (236, 181, 60), "green": (47, 146, 105),
            "blue": (58, 112, 184)}  # fmt: skip

WILD = "#2c313c"
WILD_SHADE = "#3b424f"
PAPER = "#ffffff"
BACK = "#4a5568"
BACK_LINE = "#64718a"
EDGE = "#171c24"

ROOM = "#1d232c"
TABLE = "#28313d"
PANEL = "#323d4b"
LINE = "#455264"
TEXT = "#eef1f5"
MUTED = "#a3afbd"
ACCENT = "#f2c14e"
ALERT = "#f08a7c"
