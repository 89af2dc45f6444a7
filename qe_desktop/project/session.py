"""A session over a corpus: the loaded columns stay as they are, edits live in an overlay and can be undone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, SystemNameMapping, TagColumn, View
from qe_desktop.formats.importing.corpus_merge import merge_corpora
from qe_desktop.i18n.messages import tr
from qe_desktop.project.bilingual_files import WrittenFile, written_files
from qe_desktop.project.edited_columns import EditColumns
from qe_desktop.project.edits import Edit, SessionChange, UnsavedEdits, changes_by_others, describe_row
from qe_desktop.project.events import EditRow, LayerRow, RemoteChanges, ReviewRow, Row, SettingRow, VisitRow, new_uid
from qe_desktop.project.review.post_edit_layers import PostEdits
from qe_desktop.project.review.review_log import ReviewLog
from qe_desktop.project.review.review_service import ReviewService
from qe_desktop.project.system_matching import match_setting, match_to_setting, with_saved_matches
from qe_desktop.project.tag_edits import RowsOf, TagEditLog
from qe_desktop.project.thresholds import ProjectThresholds
from qe_desktop.project.undo.undo_manager import StepCounter, UndoManager
from qe_desktop.project.undo.undo_steps import LayerSteps, TagSteps, initial_tags, undone_after_last_edit

RecordRows = Callable[[Sequence[Row]], object]
"""Keeps what was done; it must not wait."""
THRESHOLD_SETTING_PREFIX = "threshold/"
"""With a system's name: the setting that keeps its threshold."""


class Session:
    """A corpus that is being worked on. Everything that changes goes through here and is told to the subscribers; how
    things are now, tags as edited and what is scored, says `view`.

    In a project, `kept` are the edits that it holds, `uids` those of its layers, `rows_of` looks up whole rows of the
    edits, and `thresholds` are those that the person chose; `reviews` and `visits` are what it holds of the review.
    What that person did can be undone; `keep_in` says where what is done from now on is kept.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        person: str = "",
        kept: EditColumns | None = None,
        uids: Mapping[LayerKey, str] | None = None,
        rows_of: RowsOf | None = None,
        thresholds: Mapping[str, float] | None = None,
        reviews: Iterable[ReviewRow] = (),
        visits: Iterable[VisitRow] = (),
    ) -> None:
        self.corpus = corpus
        self.person, self.window = person, ""
        self.read_only = ""
        """Why nothing can be changed here; empty where it can."""
        self._thresholds = ProjectThresholds(thresholds)
        if uids is None and kept is not None:
            uids = dict(zip(kept.layers, kept.layer_uids, strict=True))
        self._uids = {key: new_uid() for key in corpus.layers} | dict(uids or {})
        there = [row for row in reviews if row.segment < corpus.size]
        self._counter = StepCounter(0 if kept is None else kept.newest_step, there)
        self._tagging = TagEditLog(self._loaded, self._uid_of, kept, person, rows_of, self._counter)
        self.reviewing = ReviewService(self, ReviewLog(there, person, self._counter), visits)
        undone_after_last_edit(self._tagging, self.reviewing)
        self._post_edits = PostEdits(corpus)
        self._steps = LayerSteps(self, self._counter)
        self._tagged = TagSteps(self._tagging, self._told)
        self._back = UndoManager((self._tagged, self.reviewing, self._steps))
        self.places: dict[int, WrittenFile] = {}
        """Where translators' files were last written, by their numbers in the job."""
        self._displaced: dict[str, Layer] = {}
        self._record: RecordRows | None = None
        self._in_files = UnsavedEdits()
        self._subscribers: list[Callable[[SessionChange], None]] = []
        self.view = self._seen()
        if self._post_edits.follow(self.view, self.reviewing.touched()):
            self.view = self._seen()

    def _seen(self) -> View:
        made = self._thresholds.made(self.corpus)
        return View(self.corpus, self._tagging.frozen(), made, self.reviewing.review, self._post_edits.layers)

    # --- who listens

    @property
    def is_kept(self) -> bool:
        """Whether what is done is kept in a project."""
        return self._record is not None

    def did(self) -> None:
        """Something was reviewed: nothing else that was taken back can be made again."""
        self._back.done(self.reviewing)

    def subscribe(self, listener: Callable[[SessionChange], None]) -> None:
        """Call `listener` with every change from now on."""
        self._subscribers.append(listener)

    def keep_in(self, record: RecordRows, person: str, window: str = "") -> None:
        """Have everything that is done from now on kept as rows of this person and window; then nothing is unsaved."""
        self._record = record
        self.person, self.window = person, window
        self._tagging.person, self._tagging.window = person, window
        self.reviewing.keep_in(person, window)

    def tell(self, change: SessionChange, *rows: Row) -> SessionChange:
        """Keep what was done, and tell everybody."""
        before, self.view = self.view, self._seen()
        if before.corpus.job is self.corpus.job:
            self.view.follow(before, change.segments, layers=change.layers)
        if change.review or change.layers:
            change = self._with_post_edits(before, change)
        if rows and self._record is not None:
            self._record(rows)
        for listener in self._subscribers:
            listener(change)
        return change

    def _with_post_edits(self, before: View, change: SessionChange) -> SessionChange:
        """Bring the tags of post-edits up to date with their texts, so that all is told at once."""
        others = self._post_edits.follow(self.view, change.segments if change.review else self.reviewing.touched())
        if not others:
            return change
        now, self.view = self.view, self._seen()
        known = [before.follows_text(key) == self.view.follows_text(key) for key in others]
        layers = change.layers or not all(known)
        # of the statuses all is taken over already, and what is reviewed hangs on the layers that are there just now
        self.view.follow(now, (), layers=True)
        self.view.follow(before, change.segments, layers=layers)
        return replace(change, others=others, layers=layers)

    # --- what was done

    def edited_tags(self) -> int:
        """How many tags differ from those loaded, over all layers."""
        return self._tagging.count()

    def edited_by(self, key: LayerKey, segment: int) -> dict[int, str]:
        """In a project: who set the tags of a segment that differ from those loaded, by place."""
        if self._record is None and not self.read_only:
            return {}
        differ = self.view.edited_places(key, segment)
        people = self._tagging.people(key, segment)
        return {place: people[place] for place in differ.tolist() if place in people}

    def rows(self) -> list[EditRow]:
        """What was done in this session, undo and redo too, in the layers that are there."""
        return list(self._tagging.rows)

    def layer_uids(self) -> dict[LayerKey, str]:
        """The uid of each layer: one that comes in the place of another has its own."""
        return dict(self._uids)

    def _uid_of(self, key: LayerKey) -> str:
        return self._uids.get(key, "")

    def _loaded(self, key: LayerKey) -> TagColumn:
        if self._thresholds.make(self.corpus, key):
            return self._thresholds.tags(self.corpus, key.name)
        layer = self.corpus.layers.get(key)
        if layer is not None:
            return layer.tags
        raise QeError(tr("there is no layer “{layer}”", layer=key), hint=tr("It may have been closed."))

    # --- probabilities and their threshold

    def from_probabilities(self, key: LayerKey) -> bool:
        """Whether a layer's tags are made from probabilities: there are no others, or a person chose a threshold."""
        return self._thresholds.make(self.corpus, key)

    def threshold(self, name: str) -> float:
        """The threshold of a system's probabilities."""
        return self._thresholds.of(name)

    def thresholds(self) -> dict[str, float]:
        """The thresholds that a person chose, by system."""
        return dict(self._thresholds.chosen)

    def set_threshold(self, name: str, value: float) -> SessionChange:
        """Turn a system's probabilities into tags at another threshold."""
        chosen = self._thresholds.chosen[name] = min(1.0, max(0.0, value))
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        text = tr("{system}: BAD above {value:.2f}", system=name, value=value)
        return self.tell(
            SessionChange(key, text=text, layers=self.from_probabilities(key)), self._setting(name, chosen)
        )

    def clear_threshold(self, name: str) -> SessionChange:
        """Go back to the tags that the system gave, or to the usual threshold."""
        self._thresholds.chosen.pop(name, None)
        key, text = LayerKey(Provenance.SYSTEM, name, Kind.WORDS), tr("{system}: as given", system=name)
        return self.tell(SessionChange(key, text=text, layers=True), self._setting(name, None))

    def _setting(self, name: str, value: float | None) -> SettingRow:
        return SettingRow(THRESHOLD_SETTING_PREFIX + name, value, self.person, time.time(), self.person, self.window)

    # --- systems that scores and ratings call otherwise

    def match(self, metric: str, matched: SystemNameMapping) -> SessionChange:
        """Say which systems here those of a metric's scores are, or (empty) those of people's ratings, for all who work
        on this.
        """
        self.refuse_read_only()
        self.corpus = self.corpus.with_matched(metric, matched)
        name, now = match_setting(metric), time.time()
        text = tr("systems of {metric} matched", metric=metric) if metric else tr("systems of people's ratings matched")
        return self.tell(
            SessionChange(None, text=text, layers=True),
            SettingRow(name, match_to_setting(matched), "", now, self.person, self.window),
        )

    def _hear_matches(self, rows: Sequence[SettingRow]) -> None:
        self.places |= written_files((row.name, row.value) for row in rows if not row.scope)
        before = self.corpus
        self.corpus = with_saved_matches(before, [(row.name, row.value) for row in rows if not row.scope])
        if self.corpus is not before:
            self.tell(SessionChange(None, text=tr("systems matched elsewhere"), layers=True, remote=True))

    def _came(self, layer: Layer) -> LayerRow:
        uid = self._uids[layer.key] = new_uid()
        return LayerRow(layer.key, layer, True, time.time(), self.person, self.window, uid)

    def _goes(self, key: LayerKey) -> LayerRow:
        return LayerRow(key, None, False, time.time(), self.person, self.window, closes=self._uids[key])

    # --- layers that come and go

    def extend(self, corpus: Corpus, onto: Corpus | None = None) -> SessionChange:
        """Add what a corpus has beyond `onto`, of which it was made (default: what is here now). Edits stay, and what
        came or was closed here since `onto` stays so. QeError where what is new does not fit that.
        """
        self.refuse_read_only()
        before, corpus = self.corpus.layers, merge_corpora(self.corpus, corpus, onto or self.corpus)
        came = [layer for key, layer in corpus.layers.items() if before.get(key) is not layer]
        again = [layer.key for layer in came if layer.key in before]
        edits = [edit for key in again if key.kind.is_tags for edit in self._tagging.as_edits(key)]
        rows: list[Row] = [self._goes(key) for key in again]
        for key in again:
            self._forget(key)
        self.corpus = corpus
        rows += [self._came(layer) for layer in came]
        rows += [self._in_files.note(row) for edit in edits if (row := self._tagging.edit(edit)) is not None]
        return self.tell(SessionChange(None, text=tr("layers added"), layers=True), *rows)

    def add_person(self, name: str, kind: Kind, copy_of: LayerKey | None = None) -> LayerKey:
        """A layer of a person's own: a copy of another layer's tags as edited, or all OK."""
        key = LayerKey(Provenance.PERSON, name, kind)
        if key not in self.corpus.layers:
            self.refuse_read_only()
            layer = Layer(key, initial_tags(self.view, kind, copy_of), form="n")
            self._back.done(self._steps)
            self._steps.make([layer], came=True, text=tr("layer of {person} added", person=name))
        return key

    def remove(self, *keys: LayerKey) -> SessionChange:
        """Close layers with their edits as one step that can be undone; with tags made from probabilities these."""
        self.refuse_read_only()
        made = [key for key in keys if self.from_probabilities(key) or key.kind is Kind.PROBABILITIES]
        gone = [*keys, *(LayerKey(key.provenance, key.name, Kind.PROBABILITIES) for key in made)]
        layers = [self.corpus.layers[one] for one in dict.fromkeys(gone) if one in self.corpus.layers]
        self._back.done(self._steps)
        text = tr("{layer} closed", layer=keys[0])
        return self._steps.make(layers, came=False, text=text) if layers else SessionChange(keys[0])

    def edits_on(self, layers: Iterable[Layer]) -> tuple[Edit, ...]:
        """What makes the tags of layers of those loaded."""
        there = [one.key for one in layers if one.key.kind.is_tags and one.key in self.corpus.layers]
        return tuple(edit for key in there for edit in self._tagging.as_edits(key))

    def close_layers(self, layers: Sequence[Layer], text: str) -> SessionChange:
        """Take layers away that are there, with their edits."""
        self.refuse_read_only()
        there = [one.key for one in layers if one.key in self.corpus.layers]
        rows = [self._goes(key) for key in there]
        for key in there:
            self._forget(key)
        return self.tell(SessionChange(layers[0].key, text=text, layers=True), *rows)

    def bring(self, layers: Sequence[Layer], edits: Iterable[Edit], text: str) -> SessionChange:
        """Add layers that are not there, with edits on them."""
        self.refuse_read_only()
        rows: list[Row] = []
        for layer in layers:
            if layer.key not in self.corpus.layers:
                self.corpus = self.corpus.with_layer(layer)
                rows.append(self._came(layer))
        rows += [self._in_files.note(row) for edit in edits if (row := self._tagging.edit(edit)) is not None]
        return self.tell(SessionChange(layers[0].key, text=text, layers=True), *rows)

    def _forget(self, key: LayerKey) -> None:
        self.corpus = self.corpus.without_layer(key)
        if key.kind is Kind.PROBABILITIES:
            self._thresholds.forget(key.name)
        uid = self._uids.pop(key, "")
        self._tagging.forget(key, closed=() if uid in self._displaced else (uid,))
        self._in_files.forget(key)

    # --- edits

    def refuse_read_only(self) -> None:
        """A QeError where nothing can be changed."""
        if self.read_only:
            raise QeError(self.read_only, hint=tr("Save the project elsewhere to go on."))

    def apply(self, edit: Edit) -> SessionChange:
        """Make an edit; it can be undone."""
        self.refuse_read_only()
        if edit.layer.provenance is Provenance.SYSTEM:
            raise QeError(
                tr("the tags of {system} are what the system said and cannot be edited", system=edit.layer.name),
                hint=tr("Edit the gold, or a layer of your own."),
            )
        if self.view.follows_text(edit.layer):
            raise QeError(
                tr("the tags of {layer} follow the text and cannot be edited", layer=edit.layer.shown),
                hint=tr("Edit the translation, or a layer of your own."),
            )
        row = self._tagging.edit(edit)
        if row is None:
            return SessionChange(edit.layer)
        self._back.done(self._tagged)
        return self._told(row, describe_row(row))

    def undo(self) -> SessionChange | None:
        """Take one's last step back where it still holds; None where there is none."""
        self.refuse_read_only()
        return self._back.undo()

    def redo(self) -> SessionChange | None:
        """Make one's last undone step again; None where there is none."""
        self.refuse_read_only()
        return self._back.redo()

    @property
    def undo_text(self) -> str:
        """What undo would take back, or nothing."""
        return self._back.undo_text

    @property
    def redo_text(self) -> str:
        """What redo would make again, or nothing."""
        return self._back.redo_text

    def _told(self, row: EditRow, text: str) -> SessionChange:
        row = self._in_files.note(row)
        return self.tell(SessionChange(row.layer, (row.segment,), text, left=not row.places), row)

    # --- what others did

    def hear(self, news: RemoteChanges) -> None:
        """Take over what a project took since one last looked; afterwards all windows that did so hold the same.

        Edits come into the project's order; what others did is not among what can be undone here.
        """
        self._counter.hear((*news.edits, *news.reviews))
        for layer in news.layers:
            self._take_layer(layer)
        self._hear_matches(news.settings)
        self.reviewing.hear(news)
        for change in changes_by_others(*self._tagging.take_over(news.edits)):
            self.tell(change)

    def _take_layer(self, row: LayerRow) -> None:
        """A layer came in the project, or went; nothing where that is known here."""
        key, here = row.key, self._uids.get(row.key, "")
        if not row.added:
            self._displaced.pop(row.closes, None)
            if here == row.closes:
                self._replace(key, None, row.closes)
            return
        layer = row.layer or self._displaced.pop(row.uid, None)
        if here == row.uid or layer is None:
            return
        if here:
            # one's own is not kept yet: when it is, the one that came first holds what was done in either
            self._displaced[here] = self.corpus.layers[key]
        self._replace(key, layer, row.uid, here)

    def _replace(self, key: LayerKey, layer: Layer | None, uid: str, before: str = "") -> None:
        self._forget(key)
        if layer is not None:
            self.corpus = self.corpus.with_layer(layer)
            self._uids[key] = uid
            self._tagging.begin(key, (uid, before))
        text = tr("{layer} closed", layer=key) if layer is None else tr("{layer} added", layer=key)
        self.tell(SessionChange(key, text=text, layers=True, remote=True))

    # --- what is not saved

    def unsaved(self) -> list[LayerKey]:
        """Layers with edits that are in no file; in a project there are none."""
        if self._record is not None:
            return []
        return [key for key in self.corpus.layers if key.kind.is_tags and not self._in_files.is_saved(key)]

    def saved(self, keys: Iterable[LayerKey]) -> SessionChange:
        """Note that these layers are in a file as they are now."""
        for key in keys:
            self._in_files.saved(key)
        return self.tell(SessionChange(None, text=tr("saved")))
