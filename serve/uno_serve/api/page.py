"""The web page: files of `serve/uno_serve/web`, beside the API."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from ..errors import ApiError

WEB = Path(__file__).parents[1] / "web"
_API = ("/v1/", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics")


class Page:
    """Serves static files at every path that is not the API's.

    Args:
        app: the API.
        folder: where the files are; `index.html` is the page.
    """

    def __init__(self, app: ASGIApp, folder: Path = WEB) -> None:
        self._app = app
        self._files = StaticFiles(directory=folder, html=True, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(_API):
            await self._app(scope, receive, send)
            return
        scope["uno.route"] = "page"
        try:
            await self._files(scope, receive, send)
        except HTTPException as error:
            code = "method_not_allowed" if error.status_code == 405 else "not_found"
            raise ApiError(code, "there is nothing here") from None
