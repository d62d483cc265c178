"""A health check without curl: `python -m uno_serve.health` exits with 0 if the server answers.

It asks the address that the environment configures, or the one it is given.
"""

import sys
import urllib.request
from collections.abc import Sequence

from .environment import environment_options

SECONDS = 4.0


def address() -> str:
    """Where a server with this environment listens."""
    options = environment_options()
    host = options.get("host", "127.0.0.1")
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - not bound here
    return f"http://{host}:{options.get('port', 8000)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask `/healthz`; the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    url = (given[0] if given else address()).rstrip("/") + "/healthz"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:  # noqa: S310 - the operator's
            return 0 if answer.status == 200 else 1
    except (OSError, ValueError) as error:
        print(f"{url}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
