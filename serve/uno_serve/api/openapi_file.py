"""The OpenAPI document as a file, from which the TypeScript client is typed.

`python -m uno_serve.api.openapi_file serve/client-ts/openapi.json`, then `npm run generate` there.
"""

import json
import sys
from pathlib import Path

from ..config import ServeConfig
from .app import create_api


def openapi_text() -> str:
    """The document of a server that asks for API keys."""
    api, _ = create_api(ServeConfig(db="sqlite://", api_keys=("0123456789abcdef",)))
    document = api.openapi()
    # A new version of the package alone changes no type.
    document["info"]["version"] = "0"
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(openapi_text(), encoding="utf-8")
