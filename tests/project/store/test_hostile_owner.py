"""A rater's window reads what an owner's server holds, who may be anybody: nonsense is told in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import text

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.append_only import allow_changes
from tests.project.store.made import a_campaign

NONSENSE = [
    ("campaigns", "public = '[]'"), ("campaigns", "public = 'null'"), ("campaigns", "public = '{'"),
    ("campaigns", "public = '{\"basis\": \"nowhere\"}'"), ("campaigns", "public = replace(public, 'adequacy-f', 'x')"),
    ("campaigns", "public = replace(public, '\"context\":0', '\"context\":\"all\"')"),
    ("campaigns", "public = replace(public, '\"raters\":[', '\"raters\":[1,')"),
    ("campaigns", "public = replace(public, '\"instructions\":\"\"', '\"instructions\":[[[]]]')"),
    ("campaigns", "public = replace(public, '\"created\":1700000000.0', '\"created\":1e400')"),
    ("campaigns", "needs = '7'"), ("campaigns", "takes = '{}'"), ("campaigns", "takes = NULL"),
    ("screens", "outputs = '[]'"), ("screens", "outputs = '{}'"), ("screens", "outputs = '[1]'"),
    ("screens", "outputs = '[\"none\"]'"), ("screens", "segment = 2147483647"), ("screens", "position = -5"),
    ("outputs", "segment = -1"), ("outputs", "text = ''"), ("passages", "segment = segment + 1000"),
    ("meta", "value = '[]'"), ("meta", "value = '{'"),
]  # fmt: skip
HARMLESS = (
    "needs = '7'", "takes = '{}'", "takes = NULL", "position = -5", "text = ''", "segment = segment + 1000",
)  # fmt: skip
"""What a rater's window need not stumble over."""


@pytest.mark.parametrize(("table", "change"), NONSENSE)
def test_a_raters_window_takes_nonsense_as_nonsense(stand, table, change):
    project = stand.create(None)
    project.add_campaign(a_campaign())
    with project._database.transaction() as connection:
        if table != "meta":
            allow_changes(connection, table)
        where = " WHERE key <> 'schema'" if table == "meta" else ""
        connection.execute(text(f"UPDATE {table} SET {change}{where}".replace(":", "\\:")))
    project.close()
    said: list[str] = []

    def told(look: Callable[[], object]) -> object:
        """What is read, or why not, in words; anything else than a QeError is a fault of the program."""
        try:
            return look()
        except QeError as error:
            said.append(error.line())
            return None

    rater = told(lambda: stand.open("ann"))
    if isinstance(rater, Project):
        told(rater.campaigns)
        told(rater.summary)
        told(lambda: rater.work("campaign-1"))
        told(lambda: rater.progress("campaign-1"))
        told(rater.news)
    assert all("\n" not in line for line in said)
    assert said or change in HARMLESS
