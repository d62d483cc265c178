"""Write the table of limits in docs/serving.md from the fields of `ServeConfig`.

`python docs/make_limits.py` replaces the table; a test fails where it differs.
"""

from pathlib import Path

from uno_serve.config import ServeConfig

PAGE = Path(__file__).with_name("serving.md")
HEAD = "| option | default | meaning |\n| --- | ---: | --- |\n"


def limits_table() -> str:
    """One row for each numeric option but the ports and the seed."""
    rows = [
        f"| `{name}` | {field.default:,} | {field.description} |"
        for name, field in ServeConfig.model_fields.items()
        if type(field.default) in (int, float) and name not in ("port", "relay_port")
    ]
    return HEAD + "\n".join(rows) + "\n"


def main() -> None:
    """Replace the table in the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(HEAD)
    _, _, after = rest.partition("\n\n")
    PAGE.write_text(f"{before}{limits_table()}\n{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
