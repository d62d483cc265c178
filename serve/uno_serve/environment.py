"""Configuration by environment variables: `UNO_SERVE_PORT=8000` is the option `port`.

A value is read as YAML, so numbers, `true`, `null`, lists and mappings are written as in a file;
a list of texts may also be separated by commas. Precedence: default, file, environment, flags.
"""

import os
from collections.abc import Mapping
from typing import Any

import yaml

from .config import ConfigError, ServeConfig

PREFIX = "UNO_SERVE_"
COMMAND_OPTIONS = ("config", "log_level", "log_format")
"""Flags of the command that are no options of the configuration."""
SECRETS_SUFFIX = "_FILE"
"""`UNO_SERVE_DB_FILE` names a file with the value, as containers are given secrets."""


def environment_options(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Options of the configuration that the environment sets; unknown ones are errors."""
    found: dict[str, Any] = {}
    for variable, text in _ours(environ):
        name = variable.removeprefix(PREFIX).lower()
        if name in COMMAND_OPTIONS:
            continue
        if name not in ServeConfig.model_fields:
            name, text = _from_file(variable, name, text)
        found[name] = _value(variable, name, text)
    return found


def command_option(name: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """The value of a flag such as `--log-level` in the environment."""
    return environ.get(PREFIX + name.upper()) or None


def _ours(environ: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted((key, text) for key, text in environ.items() if key.startswith(PREFIX))


def _from_file(variable: str, name: str, path: str) -> tuple[str, str]:
    """The option and the value of a variable that names a file."""
    option = name.removesuffix(SECRETS_SUFFIX.lower())
    if option == name or option not in ServeConfig.model_fields:
        raise ConfigError(f"{variable}: there is no option {name!r}; see docs/serving.md")
    try:
        with open(path, encoding="utf-8") as file:
            return option, file.read().strip()
    except OSError as error:
        raise ConfigError(f"{variable}: {path}: {error.strerror}") from None


def _value(variable: str, name: str, text: str) -> Any:
    annotation = ServeConfig.model_fields[name].annotation
    if annotation is str:
        return text
    if annotation == tuple[str, ...] and not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"{variable}: {text!r} is no value in YAML") from None
