"""Restoration of a session from a project, and the rows of a session that must be added to a new project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from qe_desktop.corpus import Corpus, Layer
from qe_desktop.project.corpus_settings import corpus_matches, match_setting, match_to_setting, with_saved_matches
from qe_desktop.project.events import LayerRow, Row, SettingRow
from qe_desktop.project.reviewed_files import WRITTEN_SETTING, reloaded_files, written_files
from qe_desktop.project.session import THRESHOLD_SETTING_PREFIX, Session
from qe_desktop.project.store.project import Project

_NAMED_COLUMNS = ("texts", "translations", "references", "metric_scores")
_SINGLE_COLUMNS = ("alignments", "documents", "eos", "language_pair", "ratings")
"""Attributes of a corpus that `Project.extend` writes; they are not stored as rows."""


def restore_session(project: Project, user_settings: Mapping[str, Any]) -> Session | None:
    """Restore a session from a project, with its edits, its review and the user's undo history.

    Returns None for raters, or if the project has no corpus. `user_settings` are the user's settings
    (`Project.settings`). New changes are stored once `Session.set_storage` is called. Raises QeError if the project
    cannot be read.
    """
    if project.role == "rater":
        return None
    with ThreadPoolExecutor(1) as pool:
        # both reads spend most of their time outside Python
        history = pool.submit(project.history)
        review = pool.submit(project.review)
        loaded = project.corpus_and_uids()
        edits = history.result()
        reviews, visits = review.result()
    if loaded is None:
        return None
    if set(edits.layer_uids) != set(loaded[1].values()):
        # a layer was added or removed between the two reads; later changes follow the edits
        loaded = project.corpus_and_uids() or loaded
    corpus, uids = loaded
    settings = project.settings()
    corpus = with_saved_matches(corpus, settings)
    thresholds = {
        name.removeprefix(THRESHOLD_SETTING_PREFIX): float(value)
        for name, value in user_settings.items()
        if name.startswith(THRESHOLD_SETTING_PREFIX) and type(value) in (int, float) and 0 <= value <= 1
    }
    session = Session(
        corpus, person=project.person, stored=edits, uids=uids, rows_of=project.edit_rows, thresholds=thresholds,
        reviews=reviews, visits=visits,
    )  # fmt: skip
    session.read_only = project.read_only
    session.written_files, session.reloaded_data = written_files(settings), reloaded_files(settings)
    # computed here, because the window needs them immediately
    _ = session.undo_text, session.redo_text, session.view.statuses()
    return session


def has_new_columns(current: Corpus, written: Corpus) -> bool:
    """Return whether corpora differ in `_SINGLE_COLUMNS` or the names of texts, translations, references or metrics."""
    if any(getattr(current, name) is not getattr(written, name) for name in _SINGLE_COLUMNS):
        return True
    return any(getattr(current, name).keys() != getattr(written, name).keys() for name in _NAMED_COLUMNS)


def missing_rows(session: Session, project: Project, layers: Sequence[Layer]) -> list[Row]:
    """Return the rows of a session that its new project lacks.

    These are the rows for added and removed layers, edits, the review, matched system names, thresholds, and the last
    written versions of files. `layers` are the layers already written to the project, with the same uids as in the
    session. The undo history is kept.
    """
    author: dict[str, Any] = {"person": project.person, "window": project.window}
    current = session.corpus.layers
    uids = session.layer_uids()
    shared: dict[str, Any] = {
        match_setting(metric): match_to_setting(matched) for metric, matched in corpus_matches(session.corpus).items()
    }
    shared |= {f"{WRITTEN_SETTING}{number}": written.as_setting() for number, written in session.written_files.items()}
    return [
        *(LayerRow(layer.key, None, False, **author) for layer in layers if current.get(layer.key) is not layer),
        *(LayerRow(key, layer, True, **author, uid=uids[key]) for key, layer in current.items() if layer not in layers),
        *(replace(row, **author) for row in session.rows()),
        *(row._replace(**author) for row in session.reviewing.rows()),
        *(replace(row, **author) for row in session.reviewing.visits()),
        *(
            SettingRow(THRESHOLD_SETTING_PREFIX + name, value, project.person, **author)
            for name, value in session.thresholds().items()
        ),
        *(SettingRow(name, value, **author) for name, value in shared.items()),
    ]
