"""Lazy attributes of packages: a name is imported on first use, so that start-up does not wait for it.

A package lists its names and their modules, and calls `lazy_attribute` in its `__getattr__`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module


def lazy_attribute(package: str, modules: Mapping[str, str], name: str) -> object:
    """Import a name of a package, store it in the package, and return its value.

    `modules` maps names to modules, which may be relative to the package, such as “.tags”. Raises AttributeError if
    `modules` does not contain the name.
    """
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    value: object = getattr(import_module(modules[name], package), name)
    setattr(sys.modules[package], name, value)
    return value
