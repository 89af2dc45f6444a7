"""QE Desktop: a desktop workbench for judging machine translation.

From Python: `score` and `compare` (see `qe_desktop.api`), and `QeError`, which bad input brings.
"""

import os

__version__ = "0.1.0"

# work is shared out over our own threads; BLAS threads within each of them would only wait for one another, so they are
# turned off before numpy loads its library, unless somebody decided otherwise
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# what a program may use is brought in when it is used, for command line and window pass here too and start at once;
# by name, because what is below the interface asks for the version and knows nothing of what stands above it
_USED = {
    "QeError": "qe_desktop.corpus",
    "TagColumn": "qe_desktop.corpus",
    "compare": "qe_desktop.api",
    "score": "qe_desktop.api",
}


def __getattr__(name: str) -> object:
    """What is there for other programs, brought in when it is first asked for."""
    from qe_desktop.lazy_imports import lazy_attribute

    return lazy_attribute(__name__, _USED, name)


def __dir__() -> list[str]:
    """What is there already, and what will be."""
    return sorted({*globals(), *_USED})
