"""Session with an open corpus: edits can be undone and are kept apart from the loaded columns, which never change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, SystemNameMapping, TagColumn, View
from qe_desktop.formats.importing.file_layers import merge_corpora
from qe_desktop.i18n.messages import tr
from qe_desktop.project.corpus_settings import ProjectThresholds, match_setting, match_to_setting, with_saved_matches
from qe_desktop.project.edits import Edit, EditColumns, SessionChange, UnsavedEdits, changes_by_others, describe_row
from qe_desktop.project.events import EditRow, LayerRow, RemoteChanges, ReviewRow, Row, SettingRow, VisitRow, new_uid
from qe_desktop.project.review.post_edit_layers import PostEdits
from qe_desktop.project.review.review_log import ReviewLog
from qe_desktop.project.review.review_service import ReviewService
from qe_desktop.project.reviewed_files import WrittenFile, reloaded_files, written_files
from qe_desktop.project.tag_edits import RowsOf, TagEditLog
from qe_desktop.project.undo_manager import StepCounter, UndoManager
from qe_desktop.project.undo_steps import LayerSteps, TagSteps, initial_tags, limit_redo_history

RecordRows = Callable[[Sequence[Row]], object]
"""Function that stores rows; it must not block."""
THRESHOLD_SETTING_PREFIX = "threshold/"
"""Prefix of the settings that store the thresholds of systems; the system's name follows the prefix."""


class Session:
    """Open corpus and all changes to it, which are reported to subscribers.

    `view` is the current state, including edits. For a project, `stored` contains the stored tag edits, `uids` the uids
    of the layers, and `reviews` and `visits` the stored review; `rows_of` loads complete edit rows. `thresholds` are
    those that the user set. Only steps of `person` can be undone. `set_storage` sets where new rows are stored. If
    `read_only` is not empty, all changes except those of thresholds raise QeError. Methods that change
    the session return a description of the change.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        person: str = "",
        stored: EditColumns | None = None,
        uids: Mapping[LayerKey, str] | None = None,
        rows_of: RowsOf | None = None,
        thresholds: Mapping[str, float] | None = None,
        reviews: Iterable[ReviewRow] = (),
        visits: Iterable[VisitRow] = (),
    ) -> None:
        self.corpus = corpus
        self.person, self.window = person, ""
        self.read_only = ""
        """Reason why the session is read-only; empty if it is writable."""
        self._thresholds = ProjectThresholds(thresholds)
        if uids is None and stored is not None:
            uids = dict(zip(stored.layers, stored.layer_uids, strict=True))
        self._uids = {key: new_uid() for key in corpus.layers} | dict(uids or {})
        valid_reviews = [row for row in reviews if row.segment < corpus.size]
        self._counter = StepCounter(0 if stored is None else stored.newest_step, valid_reviews)
        self._tagging = TagEditLog(self._loaded_tags, self._uid_of, stored, person, rows_of, self._counter)
        self.reviewing = ReviewService(self, ReviewLog(valid_reviews, person, self._counter), visits)
        limit_redo_history(self._tagging, self.reviewing)
        self._post_edits = PostEdits(corpus)
        self._layer_steps = LayerSteps(self, self._counter)
        self._tag_steps = TagSteps(self._tagging, self._notify)
        self.undo_manager = UndoManager((self._tag_steps, self.reviewing, self._layer_steps))
        self.written_files: dict[int, WrittenFile] = {}
        """Last written version of each bilingual file, by the number of the file in the job."""
        self.reloaded_data: dict[int, bytes] = {}
        """Bytes of files reloaded into a project, by file number in the job; the corpus keeps the bytes first read."""
        self._displaced_layers: dict[str, Layer] = {}
        self._record: RecordRows | None = None
        self._in_project, self._unsaved_edits = False, UnsavedEdits()
        self._subscribers: list[Callable[[SessionChange], None]] = []
        self.view = self._current_view()
        if self._post_edits.follow(self.view, self.reviewing.segments_with_rows()):
            self.view = self._current_view()

    def _current_view(self) -> View:
        derived = self._thresholds.probability_tags(self.corpus)
        return View(self.corpus, self._tagging.snapshots(), derived, self.reviewing.review, self._post_edits.layers)

    # --- subscribers

    @property
    def is_stored(self) -> bool:
        """Whether changes are stored in a project; if they are, no change is unsaved."""
        return self._in_project

    def record_review_step(self) -> None:
        """Record that a review step was taken, which clears the redo history of all other undo stacks."""
        self.undo_manager.record_step(self.reviewing)

    def subscribe(self, listener: Callable[[SessionChange], None]) -> None:
        """Call `listener` with every change from now on."""
        self._subscribers.append(listener)

    def set_storage(self, record: RecordRows | None, person: str, window: str = "", *, journal: bool = False) -> None:
        """Store the rows of further changes with `record`; if it is None, they are not stored.

        `person` and `window` are the author and client of new rows. Stored changes count as saved unless `journal`
        is true.
        """
        self._record, self._in_project = record, record is not None and not journal
        self.person, self.window = person, window
        self._tagging.person, self._tagging.window = person, window
        self.reviewing.set_author(person, window)

    def publish(self, change: SessionChange, *rows: Row) -> SessionChange:
        """Store rows and notify subscribers of a change; return the reported change, with changed post-edit layers."""
        before, self.view = self.view, self._current_view()
        if before.corpus.job is self.corpus.job:
            self.view.reuse_results(before, change.segments, layers=change.affects_all_views)
        if change.affects_review or change.affects_all_views:
            change = self._with_post_edits(before, change)
        if rows and self._record is not None:
            self._record(rows)
        for listener in self._subscribers:
            listener(change)
        return change

    def _with_post_edits(self, before: View, change: SessionChange) -> SessionChange:
        """Update the post-edit layers and add them to the change, so that one change reports texts and layers."""
        segments = change.segments if change.affects_review else self.reviewing.segments_with_rows()
        post_edit_layers = self._post_edits.follow(self.view, segments)
        if not post_edit_layers:
            return change
        previous, self.view = self.view, self._current_view()
        unchanged = [before.is_derived(key) == self.view.is_derived(key) for key in post_edit_layers]
        layers = change.affects_all_views or not all(unchanged)
        # statuses are the same as in `previous`, but the masks of reviewed segments depend on the layers
        self.view.reuse_results(previous, (), layers=True)
        self.view.reuse_results(before, change.segments, layers=layers)
        return replace(change, post_edit_layers=post_edit_layers, affects_all_views=layers)

    # --- edits made

    def edited_tags(self) -> int:
        """Number of tags that differ from the loaded ones, over all layers."""
        return self._tagging.count()

    def edit_authors(self, key: LayerKey, segment: int) -> dict[int, str]:
        """Return the person who last set each edited tag of a segment, by position; empty outside a project."""
        if not self._in_project and not self.read_only:
            return {}
        authors = self._tagging.tag_authors(key, segment)
        edited = self.view.edited_positions(key, segment).tolist()
        return {position: authors[position] for position in edited if position in authors}

    def rows(self) -> list[EditRow]:
        """Rows of tag edits since the session began, in current layers, including undo, redo and edits by others."""
        return list(self._tagging.rows)

    def layer_uids(self) -> dict[LayerKey, str]:
        """Uid of each layer; a layer that replaces another has a different uid."""
        return dict(self._uids)

    def _uid_of(self, key: LayerKey) -> str:
        return self._uids.get(key, "")

    def _loaded_tags(self, key: LayerKey) -> TagColumn:
        if self._thresholds.has_probability_tags(self.corpus, key):
            return self._thresholds.tags(self.corpus, key.name)
        layer = self.corpus.layers.get(key)
        if layer is not None:
            return layer.tags
        raise QeError(tr("layer “{layer}” does not exist", layer=key), hint=tr("It may have been closed."))

    # --- probabilities and their threshold

    def has_probability_tags(self, key: LayerKey) -> bool:
        """Return whether tags come from probabilities: the system has no other tags, or the user set a threshold."""
        return self._thresholds.has_probability_tags(self.corpus, key)

    def threshold(self, name: str) -> float:
        """Threshold for a system's probabilities: the one that the user set, or else the default."""
        return self._thresholds.threshold(name)

    def thresholds(self) -> dict[str, float]:
        """Thresholds that the user set, by system."""
        return dict(self._thresholds.user_thresholds)

    def set_threshold(self, name: str, value: float) -> SessionChange:
        """Set the threshold that converts a system's probabilities to tags; `value` is clipped to 0..1."""
        chosen = self._thresholds.user_thresholds[name] = min(1.0, max(0.0, value))
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        text, layers = tr("{system}: BAD above {value:.2f}", system=name, value=chosen), self.has_probability_tags(key)
        return self.publish(SessionChange(key, text=text, affects_all_views=layers), self._setting(name, chosen))

    def clear_threshold(self, name: str) -> SessionChange:
        """Remove the user's threshold; the system's own tags apply again or, if it has none, the default threshold."""
        self._thresholds.user_thresholds.pop(name, None)
        key, text = LayerKey(Provenance.SYSTEM, name, Kind.WORDS), tr("{system}: threshold reset", system=name)
        return self.publish(SessionChange(key, text=text, affects_all_views=True), self._setting(name, None))

    def _setting(self, name: str, value: float | None) -> SettingRow:
        return SettingRow(THRESHOLD_SETTING_PREFIX + name, value, self.person, time.time(), self.person, self.window)

    # --- matching of system names

    def match(self, metric: str, matched: SystemNameMapping) -> SessionChange:
        """Map the system names of `metric` (empty: of human ratings) to those of the corpus, for all users."""
        self.require_writable()
        self.corpus = self.corpus.with_matched(metric, matched)
        text = tr("system names of {scores} matched", scores=metric or tr("human ratings"))
        row = SettingRow(match_setting(metric), match_to_setting(matched), "", time.time(), self.person, self.window)
        return self.publish(SessionChange(None, text=text, affects_all_views=True), row)

    def _apply_remote_settings(self, rows: Sequence[SettingRow]) -> None:
        shared, before = [(row.name, row.value) for row in rows if not row.scope], self.corpus
        self.written_files |= written_files(shared)
        self.reloaded_data |= reloaded_files(shared)
        self.corpus = with_saved_matches(before, shared)
        if self.corpus is not before:
            text = tr("system names matched by another user")
            self.publish(SessionChange(None, text=text, affects_all_views=True, is_remote=True))

    def _added_row(self, layer: Layer) -> LayerRow:
        uid = self._uids[layer.key] = new_uid()
        return LayerRow(layer.key, layer, True, time.time(), self.person, self.window, uid)

    def _removed_row(self, key: LayerKey) -> LayerRow:
        return LayerRow(key, None, False, time.time(), self.person, self.window, closes=self._uids[key])

    # --- adding and removing layers

    def extend(self, corpus: Corpus, onto: Corpus | None = None) -> SessionChange:
        """Add the data that `corpus` has and `onto` lacks; `corpus` was made from `onto` (default: the current corpus).

        Edits are kept, as are additions and removals of layers made since `onto` was the current corpus. Raises QeError
        if the data does not fit.
        """
        self.require_writable()
        before, corpus = self.corpus.layers, merge_corpora(self.corpus, corpus, onto or self.corpus)
        added = [layer for key, layer in corpus.layers.items() if before.get(key) is not layer]
        replaced = [layer.key for layer in added if layer.key in before]
        edits = [edit for key in replaced if key.kind.is_tags for edit in self._tagging.as_edits(key)]
        rows: list[Row] = [self._removed_row(key) for key in replaced]
        for key in replaced:
            self._forget(key)
        self.corpus = corpus
        rows += [self._added_row(layer) for layer in added]
        rows += [self._setting(name, None) for name in self._thresholds.drop_replaced(added)]
        rows += [self._unsaved_edits.record(row) for edit in edits if (row := self._tagging.edit(edit)) is not None]
        return self.publish(SessionChange(None, text=tr("data added"), affects_all_views=True), *rows)

    def add_person(self, name: str, kind: Kind, copy_of: LayerKey | None = None) -> LayerKey:
        """Add a person's annotation layer unless it exists; return its key.

        A new layer has the tags of `copy_of` or, if that is None, only OK tags. Raises QeError as `initial_tags` does.
        """
        key = LayerKey(Provenance.PERSON, name, kind)
        if key not in self.corpus.layers:
            self.require_writable()
            layer = Layer(key, initial_tags(self.view, kind, copy_of), form="n")
            self.undo_manager.record_step(self._layer_steps)
            self._layer_steps.change_layers([layer], is_addition=True, text=tr("layer of {person} added", person=name))
        return key

    def remove(self, *keys: LayerKey) -> SessionChange:
        """Close layers with their edits as one undoable step; tags from probabilities are closed with the latter."""
        self.require_writable()
        derived = [key for key in keys if self.has_probability_tags(key) or key.kind is Kind.PROBABILITIES]
        closed = [*keys, *(LayerKey(key.provenance, key.name, Kind.PROBABILITIES) for key in derived)]
        layers = [self.corpus.layers[name] for name in dict.fromkeys(closed) if name in self.corpus.layers]
        if not layers:
            return SessionChange(keys[0])
        self.undo_manager.record_step(self._layer_steps)
        return self._layer_steps.change_layers(layers, is_addition=False, text=tr("{layer} closed", layer=keys[0]))

    def edits_on(self, layers: Iterable[Layer]) -> tuple[Edit, ...]:
        """Edits that change the loaded tags of `layers` to the current tags; there are none for closed layers."""
        keys = [layer.key for layer in layers if layer.key.kind.is_tags and self.corpus.layers.get(layer.key) is layer]
        return tuple(edit for key in keys for edit in self._tagging.as_edits(key))

    def close_layers(self, layers: Sequence[Layer], text: str) -> SessionChange:
        """Remove the `layers` that are open, with their edits; other layers with the same keys are kept."""
        self.require_writable()
        keys = [layer.key for layer in layers if self.corpus.layers.get(layer.key) is layer]
        rows = [self._removed_row(key) for key in keys]
        for key in keys:
            self._forget(key)
        return self.publish(SessionChange(layers[0].key, text=text, affects_all_views=True), *rows)

    def add_layers(self, layers: Sequence[Layer], edits: Iterable[Edit], text: str) -> SessionChange:
        """Add the `layers` whose keys are not in use, and apply their `edits`."""
        self.require_writable()
        added = {layer.key: layer for layer in layers if layer.key not in self.corpus.layers}
        for layer in added.values():
            self.corpus = self._thresholds.with_layer(self.corpus, layer)
        rows: list[Row] = [self._added_row(layer) for layer in added.values()]
        changed = [self._tagging.edit(edit) for edit in edits if edit.layer in added]
        rows += [self._unsaved_edits.record(row) for row in changed if row is not None]
        return self.publish(SessionChange(layers[0].key, text=text, affects_all_views=True), *rows)

    def _forget(self, key: LayerKey) -> None:
        self.corpus = self._thresholds.without_layer(self.corpus, key)
        uid = self._uids.pop(key, "")
        self._tagging.forget(key, closed=() if uid in self._displaced_layers else (uid,))
        self._unsaved_edits.forget(key)

    # --- edits

    def require_writable(self) -> None:
        """Raise QeError if the session is read-only."""
        if self.read_only:
            raise QeError(self.read_only, hint=tr("Save the project under another name to continue."))

    def apply(self, edit: Edit) -> SessionChange:
        """Apply an undoable edit. Raises QeError if the session or layer is read-only, or if the layer is missing."""
        self.require_writable()
        if edit.layer.provenance is Provenance.SYSTEM:
            message = tr("the tags of {system} are the system's output and cannot be edited", system=edit.layer.name)
            raise QeError(message, hint=tr("Edit the gold or an annotation layer."))
        if self.view.is_derived(edit.layer):
            layer = edit.layer.display_name
            message = tr("the tags of {layer} are computed from the post-edit and cannot be edited", layer=layer)
            raise QeError(message, hint=tr("Edit the translation or an annotation layer."))
        row = self._tagging.edit(edit)
        if row is None:
            return SessionChange(edit.layer)
        self.undo_manager.record_step(self._tag_steps)
        return self._notify(row, describe_row(row))

    def undo(self) -> SessionChange | None:
        """Undo the parts of the user's last step that are still in effect; return None if there is nothing to undo."""
        self.require_writable()
        return self.undo_manager.undo()

    def redo(self) -> SessionChange | None:
        """Redo the user's last undone step; return None if there is nothing to redo."""
        self.require_writable()
        return self.undo_manager.redo()

    @property
    def undo_text(self) -> str:
        """Description of the step that the next undo reverts; empty if there is none."""
        return self.undo_manager.undo_text

    @property
    def redo_text(self) -> str:
        """Description of the step that the next redo restores; empty if there is none."""
        return self.undo_manager.redo_text

    def _notify(self, row: EditRow, text: str) -> SessionChange:
        change = SessionChange(row.layer, (row.segment,), text, had_no_effect=not row.places)
        return self.publish(change, self._unsaved_edits.record(row))

    # --- remote changes

    def apply_remote_changes(self, changes: RemoteChanges) -> None:
        """Apply changes stored since the last call, in the order stored, so that all clients reach the same state."""
        self._counter.record_rows((*changes.edits, *changes.reviews))
        for layer in changes.layers:
            self._apply_layer_row(layer)
        self._apply_remote_settings(changes.settings)
        self.reviewing.apply_remote_changes(changes)
        for change in changes_by_others(*self._tagging.merge_rows(changes.edits)):
            self.publish(change)

    def _apply_layer_row(self, row: LayerRow) -> None:
        """Add or remove a layer according to a stored row; no effect if the change has already been made."""
        key, current_uid = row.key, self._uids.get(row.key, "")
        if not row.added:
            self._displaced_layers.pop(row.closes, None)
            if current_uid == row.closes:
                self._replace(key, None, row.closes)
            return
        layer = row.layer or self._displaced_layers.pop(row.uid, None)
        if current_uid == row.uid or layer is None:
            return
        if current_uid:
            # the local layer is not stored yet; once it is, the earlier layer has the edits of both
            self._displaced_layers[current_uid] = self.corpus.layers[key]
        self._replace(key, layer, row.uid, current_uid)

    def _replace(self, key: LayerKey, layer: Layer | None, uid: str, before: str = "") -> None:
        self._forget(key)
        if layer is not None:
            self.corpus = self._thresholds.with_layer(self.corpus, layer)
            self._uids[key] = uid
            self._tagging.begin(key, (uid, before))
        text = tr("{layer} closed", layer=key) if layer is None else tr("{layer} added", layer=key)
        self.publish(SessionChange(key, text=text, affects_all_views=True, is_remote=True))

    # --- unsaved changes

    def unsaved_layers(self) -> list[LayerKey]:
        """Layers with edits that are not saved in a file; empty in a project."""
        if self._in_project:
            return []
        return [key for key in self.corpus.layers if key.kind.is_tags and not self._unsaved_edits.is_saved(key)]

    def mark_saved(self, keys: Iterable[LayerKey]) -> SessionChange:
        """Record that layers are saved in their current state; return the change."""
        for key in keys:
            self._unsaved_edits.mark_saved(key)
        return self.publish(SessionChange(None, text=tr("saved")))
