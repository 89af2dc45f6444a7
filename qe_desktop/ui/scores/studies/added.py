"""Labellings of a study as layers of what is open: added in a job, shown beside systems in Inspect, and removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.studies.labellings import synthetic_layer, synthetic_name
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.studies.values import Found
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import listed, tr

JOB = "synthetic-layers"


class AddedLabellings(QObject):
    """Adds labellings as they were in a study, its gold and seed, and takes them away again."""

    told = Signal(str)
    """What was added or removed, for people."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace

    def there(self) -> list[LayerKey]:
        """The synthetic layers of what is open, of every kind."""
        corpus = self._workspace.corpus
        return [] if corpus is None else [key for key in corpus.layers if key.provenance is Provenance.SYNTHETIC]

    def has(self, labelling: str, kind: Kind) -> bool:
        """Whether a labelling is there already."""
        return LayerKey(Provenance.SYNTHETIC, synthetic_name(labelling), kind) in self.there()

    def may_change(self) -> bool:
        """Whether layers may come and go."""
        session = self._workspace.session
        return session is not None and not session.read_only

    def add(self, found: Found, labellings: Sequence[str]) -> None:
        """Add the first draw of each, beside the window; it comes unless something else was opened meanwhile."""
        session, scoring = self._workspace.session, found.asked.scoring
        if session is None or not self.may_change():
            return
        gold, kind, seed = scoring.view.tags(scoring.reference), scoring.reference.kind, found.asked.options.seed

        def work(progress: Progress) -> list[Layer]:
            made = []
            for name in labellings:
                progress.check()
                made.append(synthetic_layer(gold, kind, name, seed))
            return made

        def take(layers: list[Layer]) -> None:
            if session is not self._workspace.session:
                return
            corpus = session.corpus
            came = {layer.key: layer for layer in layers}
            if self._workspace.attempt(lambda: session.extend(replace(corpus, layers={**corpus.layers, **came}))):
                names = listed([layer.key.name for layer in layers])
                self.told.emit(tr("Added, to be seen in Inspect: {names}", names=names))

        self._workspace.jobs.submit(tr("Synthetic labellings"), work, take, latest=JOB, owner=self, computing=True)

    def remove(self, keys: Sequence[LayerKey]) -> None:
        """Take these layers away."""
        session = self._workspace.session
        if session is None:
            return
        gone = [key for key in keys if self._workspace.attempt(lambda key=key: session.remove(key))]  # type: ignore[misc]
        if gone:
            self.told.emit(tr("Removed: {names}", names=listed([key.name for key in gone])))

    def key(self, labelling: str, kind: Kind) -> LayerKey:
        """What the layer of a labelling is called."""
        return LayerKey(Provenance.SYNTHETIC, synthetic_name(labelling), kind)
