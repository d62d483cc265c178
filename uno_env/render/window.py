"""The window of the `human` mode: shows pictures as they come, with pygame."""

import os
from typing import Any

from ..array_types import Bytes


class Window:
    """A window that opens with the first picture and stays away once the user has closed it."""

    def __init__(self, title: str = "uno_env") -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame
        except ImportError as error:
            raise ImportError(
                "the window needs pygame; install it with: pip install 'uno-env[render]'"
            ) from error
        self._pygame = pygame
        self._title = title
        self._clock = pygame.time.Clock()
        self._screen: Any = None
        self.closed_by_user = False

    def show(self, picture: Bytes, fps: float = 0) -> None:
        """Show a picture (height, width, 3), at most `fps` of them a second (0: no limit)."""
        if self.closed_by_user:
            return
        pygame = self._pygame
        size = (picture.shape[1], picture.shape[0])
        if self._screen is None or self._screen.get_size() != size:
            pygame.display.init()
            self._screen = pygame.display.set_mode(size)
            pygame.display.set_caption(self._title)
        pygame.surfarray.blit_array(self._screen, picture.swapaxes(0, 1))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self.closed_by_user = True
        elif fps and pygame.display.get_driver() != "dummy":  # nobody watches a dummy
            self._clock.tick(fps)

    def close(self) -> None:
        """Close the window; the next picture opens it again."""
        self.closed_by_user = False
        if self._screen is not None:
            self._screen = None
            self._pygame.display.quit()


_WINDOWS: list[Window] = []


def show(picture: Bytes, fps: float) -> None:
    """Show a picture in the one window of this process."""
    if not _WINDOWS:
        _WINDOWS.append(Window())
    _WINDOWS[0].show(picture, fps)


def close() -> None:
    """Close the window, if there is one."""
    for window in _WINDOWS:
        window.close()
    _WINDOWS.clear()
