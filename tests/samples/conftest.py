"""Language pairs of the samples, and the script that generates them."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

from tests.samples.sample_files import PAIRS, ROOT


@pytest.fixture(scope="session")
def make_samples() -> ModuleType:
    # the script imports modules of its own folder
    """The script that generates the samples, as a module."""
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("make_samples", ROOT / "tools" / "make_samples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_samples"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=PAIRS)
def pair(request: pytest.FixtureRequest) -> str:
    return str(request.param)
