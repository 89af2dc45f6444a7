"""QE Desktop: a desktop workbench for judging machine translation."""

import os

__version__ = "0.1.0"

# work is shared out over our own threads; BLAS threads within each of them would only wait for one another, so they are
# turned off before numpy loads its library, unless somebody decided otherwise
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
