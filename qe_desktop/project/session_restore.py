"""From a project to the session as it was left, and from a session to a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from qe_desktop.corpus import Corpus, Layer
from qe_desktop.project.bilingual_files import WRITTEN_SETTING, written_files
from qe_desktop.project.events import LayerRow, Row, SettingRow
from qe_desktop.project.session import THRESHOLD_SETTING_PREFIX, Session
from qe_desktop.project.store.project import Project
from qe_desktop.project.system_matching import corpus_matches, match_setting, match_to_setting, with_saved_matches

_NAMED = ("texts", "translations", "references", "metric_scores")
_SINGLE = ("alignments", "documents", "eos", "language_pair", "ratings")
"""What of a corpus no row keeps: `Project.extend` writes it."""


def restore_session(project: Project, own: Mapping[str, Any]) -> Session | None:
    """The session of a project with its edits and its review, and what its person can undo; None without a corpus.

    `own` are the person's own choices (`Project.settings`). What is done in the session is kept once `Session.keep_in`
    says where.
    """
    if project.role == "rater":
        return None
    with ThreadPoolExecutor(1) as beside:
        # most of the time of both goes by outside Python
        history = beside.submit(project.history)
        review = beside.submit(project.review)
        found = project.corpus_and_uids()
        kept = history.result()
        reviews, visits = review.result()
    if found is None:
        return None
    if set(kept.layer_uids) != set(found[1].values()):
        # a layer came or went between the two looks; what news tells begins behind the edits
        found = project.corpus_and_uids() or found
    corpus, uids = found
    settings = project.settings()
    corpus = with_saved_matches(corpus, settings)
    thresholds = {
        name.removeprefix(THRESHOLD_SETTING_PREFIX): float(value)
        for name, value in own.items()
        if name.startswith(THRESHOLD_SETTING_PREFIX) and type(value) in (int, float) and 0 <= value <= 1
    }
    session = Session(
        corpus, person=project.person, kept=kept, uids=uids, rows_of=project.edit_rows, thresholds=thresholds,
        reviews=reviews, visits=visits,
    )  # fmt: skip
    session.read_only = project.read_only
    session.places = written_files(settings)
    # what would be undone is named as soon as the window stands, and statuses are counted
    _ = session.undo_text, session.redo_text, session.view.statuses()
    return session


def has_new_columns(now: Corpus, written: Corpus) -> bool:
    """Whether a corpus has texts, documents or others of its columns (not layers) that one written before had not."""
    if any(getattr(now, name) is not getattr(written, name) for name in _SINGLE):
        return True
    return any(getattr(now, name).keys() != getattr(written, name).keys() for name in _NAMED)


def missing_rows(session: Session, project: Project, layers: Sequence[Layer]) -> list[Row]:
    """What a project made of a session's corpus lacks yet: layers that came or went since, edits, the review,
    thresholds, matches.

    `layers` are those that were written, under the uids that they have in the session; edits keep their undo history.
    """
    mark: dict[str, Any] = {"person": project.person, "window": project.window}
    now = session.corpus.layers
    rows: list[Row] = []
    rows += [LayerRow(layer.key, None, False, **mark) for layer in layers if now.get(layer.key) is not layer]
    uids = session.layer_uids()
    rows += [LayerRow(key, layer, True, **mark, uid=uids[key]) for key, layer in now.items() if layer not in layers]
    rows += [replace(row, **mark) for row in session.rows()]
    rows += [row._replace(**mark) for row in session.reviewing.rows()]
    rows += [replace(row, **mark) for row in session.reviewing.visits()]
    rows += [
        SettingRow(match_setting(metric), match_to_setting(matched), "", **mark)
        for metric, matched in corpus_matches(session.corpus).items()
    ]
    rows += [
        SettingRow(THRESHOLD_SETTING_PREFIX + name, value, project.person, **mark)
        for name, value in session.thresholds().items()
    ]
    return rows + [
        SettingRow(f"{WRITTEN_SETTING}{one}", place.as_kept(), **mark) for one, place in session.places.items()
    ]
