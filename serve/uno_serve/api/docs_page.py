"""The API page at `/docs`: the OpenAPI document as plain HTML, without any script."""

import json
from html import escape
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "code,pre{font-family:monospace;background:#8882;border-radius:4px;padding:.1em .3em}"
    "pre{padding:.7em;overflow:auto;white-space:pre-wrap}summary{cursor:pointer}"
    "section{border-top:1px solid #8886;padding:.6em 0}"
)


def add_docs_page(app: FastAPI) -> None:
    """Serve the page, made once."""
    pages: list[str] = []

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        if not pages:
            pages.append(docs_page(app.openapi()))
        return HTMLResponse(pages[0])


def docs_page(document: dict[str, Any]) -> str:
    """An OpenAPI document as HTML."""
    title = f"{document['info']['title']} {document['info']['version']}"
    schemas = document.get("components", {}).get("schemas", {})
    operations = [
        _operation(method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    models = [
        f'<section id="{escape(name)}"><h3>{escape(name)}</h3>{_json(schema)}</section>'
        for name, schema in schemas.items()
    ]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>"
        f"<p>{escape(document['info'].get('description', ''))}</p>"
        '<p>The whole document: <a href="/openapi.json">openapi.json</a></p>'
        f"<h2>Operations</h2>{''.join(operations)}<h2>Models</h2>{''.join(models)}</html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    parts = [f"<section><h3><code>{method.upper()} {escape(path)}</code></h3>"]
    parts.append(f"<p>{escape(operation.get('description', operation.get('summary', '')))}</p>")
    schemes = sorted({name for entry in operation.get("security", ()) for name in entry})
    if schemes:
        parts.append(f"<p>Security: {escape(', '.join(schemes))}</p>")
    for parameter in operation.get("parameters", ()):
        needed = "required" if parameter.get("required") else "optional"
        about = escape(parameter.get("description", ""))
        name = escape(parameter["name"])
        parts.append(f"<p><code>{name}</code> ({parameter['in']}, {needed}) {about}</p>")
    for what in ("requestBody", "responses"):
        if what in operation:
            label = {"requestBody": "Request body", "responses": "Responses"}[what]
            parts.append(f"<details><summary>{label}</summary>{_json(operation[what])}</details>")
    return "".join([*parts, "</section>"])


def _json(value: Any) -> str:
    return f"<pre>{escape(json.dumps(value, indent=1, ensure_ascii=False))}</pre>"
