"""QE Desktop: a desktop workbench for judging machine translation.

The Python API consists of the functions `score` and `compare` (see `qe_desktop.api`), the class `TagColumn`, and the
exception `QeError`, which is raised for invalid input.
"""

import os

__version__ = "0.1.0"

# the program divides work among its own threads; BLAS threads would compete with them for the cores, so BLAS is limited
# to one thread before numpy loads it, unless the environment already sets the number of BLAS threads
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# public names are imported on first use, so that the command line and the window start quickly; modules are specified
# by name, because lower layers import the version from here and must not depend on the layers above
_LAZY_MODULES = {
    "QeError": "qe_desktop.corpus",
    "TagColumn": "qe_desktop.corpus",
    "compare": "qe_desktop.api",
    "score": "qe_desktop.api",
}


def __getattr__(name: str) -> object:
    """Return a public object of the package by name; it is imported on first use."""
    from qe_desktop.lazy_imports import lazy_attribute

    return lazy_attribute(__name__, _LAZY_MODULES, name)


def __dir__() -> list[str]:
    """Return the names of the package, including those that are not imported yet."""
    return sorted({*globals(), *_LAZY_MODULES})
