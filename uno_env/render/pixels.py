"""Scenes as pixels, with Pillow: drawn three times as large, then averaged down.

The only font is the one inside Pillow, so the same Pillow gives the same picture everywhere.
"""

from functools import cache
from itertools import pairwise
from math import hypot
from typing import Any

import numpy as np

from .cards import HEIGHT, WIDTH, card_items
from .scene import Box, Card, Disc, Item, Scene, Shape, Stroke, Words

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    raise ImportError(
        "pictures need Pillow; install it with: pip install 'uno-env[render]'"
    ) from error

FINE = 3
"""Pixels drawn for each pixel of the picture, each way."""


def picture(scene: Scene, width: int | None = None) -> Image.Image:
    """The scene as an RGB image, in its own size or a given width."""
    width = width or scene.width
    scale = FINE * width / scene.width
    image = Image.new("RGB", (width * FINE, round(scene.height * width / scene.width) * FINE))
    draw = ImageDraw.Draw(image)
    for item in scene.items:
        if isinstance(item, Card):
            card = _card(item.name, round(item.w * scale))
            image.paste(card, (round(item.x * scale), round(item.y * scale)), card)
        else:
            _draw(draw, item, scale)
    return image.reduce(FINE)


def pixels(scene: Scene, width: int | None = None) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The scene as an array (height, width, 3)."""
    return np.asarray(picture(scene, width), dtype=np.uint8).copy()


@cache
def _card(name: str, width: int) -> Image.Image:
    """A card as large as it is drawn, with clear corners."""
    scale = width / WIDTH
    image = Image.new("RGBA", (width, round(HEIGHT * scale)))
    draw = ImageDraw.Draw(image)
    for item in card_items(name):
        _draw(draw, item, scale)
    return image


@cache
def _font(size: int) -> Any:
    return ImageFont.load_default(size)


def _draw(draw: ImageDraw.ImageDraw, item: Item, scale: float) -> None:
    match item:
        case Box():
            _box(draw, item, scale)
        case Disc(x, y, r, fill):
            _disc(draw, x * scale, y * scale, r * scale, fill)
        case Shape(points, fill):
            draw.polygon([(px * scale, py * scale) for px, py in points], fill=fill)
        case Stroke():
            _stroke(draw, item, scale)
        case Words(x, y, text, size, color, anchor, bold):
            place = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
            weight = size * scale / 45 if bold else 0
            font = _font(round(size * scale))
            draw.text((x * scale, y * scale), text, fill=color, font=font, anchor=place,
                      stroke_width=weight)  # fmt: skip


def _box(draw: ImageDraw.ImageDraw, box: Box, scale: float) -> None:
    """An edge lies half outside the box, as in SVG."""
    grown = box.width * scale / 2
    left, top = box.x * scale - grown, box.y * scale - grown
    right, bottom = (box.x + box.w) * scale + grown - 1, (box.y + box.h) * scale + grown - 1
    draw.rounded_rectangle((left, top, right, bottom), box.r * scale + grown, fill=box.fill,
                           outline=box.edge, width=round(box.width * scale))  # fmt: skip


def _disc(draw: ImageDraw.ImageDraw, x: float, y: float, r: float, fill: str) -> None:
    draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)


def _stroke(draw: ImageDraw.ImageDraw, item: Stroke, scale: float) -> None:
    """Quads and discs rather than Pillow's own wide lines, which round to whole pixels."""
    points = [(x * scale, y * scale) for x, y in item.points]
    half = item.width * scale / 2
    for (ax, ay), (bx, by) in pairwise(points):
        length = hypot(bx - ax, by - ay)
        if length:
            nx, ny = (ay - by) / length * half, (bx - ax) / length * half
            quad = [(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)]
            draw.polygon(quad, fill=item.color)
    for x, y in points:
        _disc(draw, x, y, half, item.color)
