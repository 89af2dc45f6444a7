"""Lazy attributes of packages: a name is imported when it is first used, so that start-up does not wait for it.

A package lists its names and the modules that have them, and calls `lazy_attribute` in its `__getattr__`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module


def lazy_attribute(package: str, used: Mapping[str, str], name: str) -> object:
    """A name of a package, there from then on; its module as `import_module` takes it: “.tags” is one of the package's.

    AttributeError for a name that is not listed, as of any module.
    """
    if name not in used:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    found: object = getattr(import_module(used[name], package), name)
    setattr(sys.modules[package], name, found)
    return found
