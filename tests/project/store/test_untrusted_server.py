"""Data of an untrusted server in a rater's window: invalid data is reported as an error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import text

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.project_creation import allow_changes
from tests.project.store.small_projects import make_design

INVALID_DATA = [
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
"""Changes that a rater's window may ignore."""


@pytest.mark.parametrize(("table", "change"), INVALID_DATA)
def test_invalid_data_of_a_server_raises_only_readable_errors(location, table, change):
    project = location.create(None)
    project.add_campaign(make_design())
    with project._database.transaction() as connection:
        if table != "meta":
            allow_changes(connection, table)
        where = " WHERE key <> 'schema'" if table == "meta" else ""
        connection.execute(text(f"UPDATE {table} SET {change}{where}".replace(":", "\\:")))
    project.close()
    messages: list[str] = []

    def read(ask: Callable[[], object]) -> object:
        """Return the data read, or record the QeError; any other exception is a bug."""
        try:
            return ask()
        except QeError as error:
            messages.append(error.line())
            return None

    rater = read(lambda: location.open("ann"))
    if isinstance(rater, Project):
        read(rater.campaigns)
        read(rater.summary)
        read(lambda: rater.rater_session("campaign-1"))
        read(lambda: rater.progress("campaign-1"))
        read(rater.new_changes)
    assert all("\n" not in line for line in messages)
    assert messages or change in HARMLESS
