"""Install the system libraries that Qt's window needs on Debian and Ubuntu: `qt_libraries.py [PACKAGE…]`.

Run it with the Python in which PySide6 is installed. The arguments are further packages, such as xvfb; a package that
`SIGNS` does not list counts as installed if a program with its name is on the PATH. Without root privileges or apt-get,
the script prints the command that installs the missing packages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from qe_desktop.ui import preflight

SIGNS = {
    "fonts-dejavu-core": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "xvfb": "xvfb-run",
    "postgresql": "/usr/lib/postgresql",
    "fonts-noto-core": "/usr/share/fonts/truetype/noto",
    "fonts-noto-cjk": "/usr/share/fonts/opentype/noto",
}
"""Program on the PATH, or path, whose existence shows that a package is installed."""
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")


def missing_packages(wanted: list[str]) -> list[str]:
    """Return the packages to install: missing ones of `wanted`; on Linux also those of missing libraries and a font."""
    libraries = preflight.find_packages(preflight.missing_libraries()) if sys.platform.startswith("linux") else []
    if sys.platform.startswith("linux") and not _has_fonts() and "fonts-dejavu-core" not in wanted:
        libraries.append("fonts-dejavu-core")
    return libraries + [package for package in wanted if not _is_there(SIGNS.get(package, package))]


def _has_fonts(folders: Sequence[str] = FOLDERS) -> bool:
    """Return whether a proportional font is installed; the libraries may have installed only monospaced ones."""
    names = (name.lower() for folder in folders for _, _, files in os.walk(folder) for name in files)
    return any(name.endswith((".ttf", ".otf", ".ttc")) and "mono" not in name for name in names)


def _is_there(sign: str) -> bool:
    return Path(sign).exists() if sign.startswith("/") else shutil.which(sign) is not None


def _printed_by(line: str) -> str:
    """Run a command and return its output, including stderr, or the error if it cannot be started."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            line.split(), env=quiet, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    except OSError as error:
        return f"{line}: {error}\n"
    return done.stdout.decode("utf-8", "replace")


def main(wanted: list[str]) -> int:
    """Install the missing packages, or print how to do so; return 0 if none is missing any more, else 1."""
    missing = missing_packages(wanted)
    if not missing:
        return 0
    line = f"apt-get install -y --no-install-recommends {' '.join(missing)}"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        print(f"System packages are missing. Run: sudo {line}", file=sys.stderr)
        return 1
    print(f"Installing system packages: {', '.join(missing)} …", flush=True)
    # the package lists may be outdated or missing; they are updated only if the first attempt fails
    printed = _printed_by(line)
    if missing_packages(wanted):
        printed += _printed_by("apt-get update") + _printed_by(line)
    left = missing_packages(wanted)
    if left:
        print(f"These system packages are still missing: {' '.join(left)}. Last lines of apt-get:", file=sys.stderr)
        print(*printed.splitlines()[-20:], sep="\n", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
