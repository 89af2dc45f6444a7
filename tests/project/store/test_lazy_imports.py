"""SQLAlchemy, whose import takes a third of a second, is imported only when a project is opened."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module", ["qe_desktop.project.store", "qe_desktop.project", "qe_desktop.cli.main", "qe_desktop.cli.project"]
)
def test_importing_modules_does_not_import_sqlalchemy(module):
    program = f"import sys, {module}; print([name for name in ('sqlalchemy', 'psycopg') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_building_the_parser_does_not_import_sqlalchemy():
    program = (
        "import sys; from qe_desktop.cli.main import build_parser; build_parser(); print('sqlalchemy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
