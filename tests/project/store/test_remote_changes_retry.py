"""If reading the changes of others fails halfway, the next call returns all of them."""

from __future__ import annotations

from dataclasses import fields

from sqlalchemy import event

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.project.events import LayerRow, RemoteChanges
from tests.project.store.review_rows import make_review_row, make_visit_row
from tests.project.store.small_projects import (
    GOLD,
    SYSTEM,
    full_corpus,
    make_design,
    make_edit_row,
    make_layer_row,
    make_setting_row,
    rate_all,
)
from tests.timeouts import PATIENCE

MINE = LayerKey(Provenance.PERSON, "me", Kind.WORDS)


class Failing:
    """Makes the n-th statement of a project fail once."""

    def __init__(self, engine, number: int) -> None:
        self.left, self.failed = number, False
        self._engine = engine
        event.listen(engine, "before_cursor_execute", self._count)

    def _count(self, *values: object) -> None:
        self.left -= 1
        if self.left == 0:
            self.failed = True
            raise OSError("the disk went away")

    def end(self) -> None:
        event.remove(self._engine, "before_cursor_execute", self._count)


def row_counts(changes: RemoteChanges) -> dict[str, int]:
    return {field.name: len(getattr(changes, field.name)) for field in fields(changes)}


def test_new_changes_are_complete_after_a_failure_of_any_statement(location):
    project, other = location.create(full_corpus()), location.open("other")
    other.history(), other.review()
    number, expected = 1, {}
    while True:
        project.append([
            make_edit_row(project, 0, 1), make_setting_row(project, "x", number), make_review_row(project),
            make_visit_row(project),
        ])  # fmt: skip
        project.add_campaign(make_design(uid=f"campaign-{number}", segments=1))
        rate_all(project, f"campaign-{number}", "ann")
        if number % 2:
            column = project.corpus().layers[SYSTEM].tags
            project.append([make_layer_row(project, Layer(MINE, column, form="n"))])
        else:
            project.append([LayerRow(MINE, None, added=False)])
        assert project.flush(PATIENCE)
        failing = Failing(other._database.engine, number)
        try:
            changes = other.new_changes()
        except Exception:
            assert failing.failed
            failing.end()
            changes = other.new_changes()
            assert row_counts(changes) == expected or number == 1
        else:
            failing.end()
            # each of the statements has failed once
            assert number > 5
            assert not failing.failed
            break
        expected = row_counts(changes)
        assert {name for name, count in expected.items() if count} == {
            "edits", "settings", "layers", "ratings", "campaigns", "reviews", "visits",
        }  # fmt: skip
        assert not other.new_changes()
        number += 1


def test_closing_of_a_duplicate_layer_is_reported_after_a_failure(location):
    project, other = location.create(full_corpus()), location.open("other")
    column = project.corpus().layers[GOLD].tags
    other.history(), project.history()
    for window in (project, other):
        window.append([make_layer_row(window, Layer(MINE, column, form="n"))])
        assert window.flush(PATIENCE)
    project.append([LayerRow(MINE, None, added=False)])
    assert project.flush(PATIENCE)
    number = 1
    while True:
        failing = Failing(other._database.engine, number)
        try:
            changes = other.new_changes()
        except Exception:
            assert failing.failed
            number += 1
        else:
            break
        finally:
            failing.end()
    assert number > 5
    assert len([row for row in changes.layers if not row.added]) == 2
