"""Lazy attributes of packages: a name is imported on first use, which makes start-up faster.

A package lists names and the modules that define them, and calls `lazy_attribute` in its `__getattr__`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module


def lazy_attribute(package: str, modules: Mapping[str, str], name: str) -> object:
    """Import an attribute of a package, store it in the package, and return it.

    `modules` maps attribute names to module names, which may be relative to the package, such as “.tags”. Raises
    AttributeError if `modules` does not contain the name.
    """
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    value: object = getattr(import_module(modules[name], package), name)
    setattr(sys.modules[package], name, value)
    return value
