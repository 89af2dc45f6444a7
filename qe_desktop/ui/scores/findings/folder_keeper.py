"""Findings of a folder of a shared task: read, scored and compared in one job, whatever else is open."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Signal

from qe_desktop.corpus import LayerKey
from qe_desktop.levels import all_levels
from qe_desktop.levels.folder_scores import FolderScores
from qe_desktop.levels.folders import held_in
from qe_desktop.metrics.tokenization import Tokenization
from qe_desktop.outgoing import label
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.findings.keeper import FindingsKeeper, Pairs, computed
from qe_desktop.ui.scores.findings.values import Found
from qe_desktop.wording import tr

READ = 0.3
"""The share of the work that is done when all files are read."""


@dataclass(frozen=True, slots=True)
class Request:
    """A folder, and what of it is scored against which gold; empty: the first there is. Texts are tokenized by
    `tokenizer`, or where it is empty, by their language.
    """

    folder: Path
    group: str = ""
    gold: str = ""
    tokenizer: str = ""


class FolderFindings(FindingsKeeper):
    """Of each language pair in a folder, as the files are. What was found before stays until other files were read."""

    arrived = Signal()
    """Another folder's findings are there."""

    def __init__(self, comparison: ComparisonKeeper) -> None:
        super().__init__(comparison)
        self.asked: Request | None = None
        """What was asked for last."""
        self._read: Request | None = None
        self._metric = ""
        self._reading = False

    @property
    def metric(self) -> str:
        """The metric that systems × pairs are shown by."""
        return self._metric

    def set_metric(self, name: str) -> None:
        """Show another one of the metrics that were computed."""
        if name != self._metric:
            self._metric = name
            self.changed.emit()

    @property
    def documents(self) -> bool:
        """Whether all pairs have documents."""
        found = self.found
        return found is not None and all(pair.scoring.documents is not None for pair in found.findings.pairs)

    def read(self, folder: Path) -> None:
        """Read a folder and compute its findings."""
        self._ask(Request(folder))

    def set_group(self, name: str) -> None:
        """Read the folder again for what another group of levels scores in it."""
        if self._read is not None:
            self._ask(Request(self._read.folder, name, tokenizer=self._read.tokenizer))

    def golds(self) -> list[LayerKey]:
        """What the pairs can be scored against, the usual one first."""
        pairs = () if self.found is None else self.found.findings.pairs
        return list(dict.fromkeys(key for one in pairs for key in one.scoring.level.references(one.scoring.view)))

    def set_gold(self, name: str) -> None:
        """Read the folder again and score against another gold."""
        if self._read is not None:
            self._ask(replace(self._read, gold=name))

    def set_tokenizer(self, name: str) -> None:
        """Read the folder again and tokenize texts so."""
        if self._read is not None and name != self._read.tokenizer:
            self._ask(replace(self._read, tokenizer=name))

    def _ask(self, request: Request) -> None:
        self.asked = request
        self._submit(None)

    def run(self) -> None:
        """Compute again: of the folder that was asked for last, or with other options of what was read."""
        again = self.found is not None and self.state != "failed"
        if again or self.asked is not None:
            self._submit(self.found if again else None)

    def dismiss(self) -> None:
        """Say no longer what went wrong; what was found before is what there is."""
        if self.state == "failed" and self.found is not None:
            self.state, self.error, self.asked = "ready", None, self._read
            self.changed.emit()

    def _on_tested_otherwise(self) -> None:
        if self.state == "working" and self._reading:
            self._submit(None)
        elif self.found is not None:
            self._submit(self.found)

    def _submit(self, before: Found | None) -> None:
        """Compute of what was read before, or read the folder that was asked for."""
        asked, options = self.asked, self._options
        self._reading = before is None
        said = FolderScores(known=self.workspace.settings.lower)
        chosen = {level.name: self._metrics(level) for level in all_levels()}

        def work(progress: Progress) -> Found:
            def read(name: str, done: float) -> None:
                progress.report(READ * done, name)

            if before is not None:
                pairs: Pairs = {pair.name: pair.scoring for pair in before.findings.pairs}
                names = chosen[before.findings.level.name]
                return replace(before, findings=computed(pairs, names, options, progress))
            assert asked is not None
            held = held_in(
                [asked.folder], asked.group, gold=asked.gold, scores=said, tokenization=Tokenization(asked.tokenizer),
                progress=read, watch=progress.check,
            )  # fmt: skip
            level = next(iter(held.pairs.values())).level
            found = computed(held.pairs, chosen[level.name], options, progress, READ)
            groups = tuple(one.name for one in held.groups)
            return Found(found, asked.folder.resolve().name, held.notes, groups)

        of = before.title if before is not None else "" if asked is None else asked.folder.resolve().name
        name = tr("Findings of {folder}", folder=label(of))
        self._begin(name, "findings-folder", work, self._take)

    def _take(self, found: Found) -> None:
        names = [metric.name for metric in found.metrics]
        if self._metric not in names:
            looked = self.comparison.metric
            self._metric = looked if looked in names else names[0]
        arrived = self._reading
        if arrived:
            self._read = self.asked
        super()._take(found)
        if arrived:
            self.arrived.emit()

    def _on_cancelled(self) -> None:
        super()._on_cancelled()
        self.state = "ready" if self.found is not None else "empty"
        self.changed.emit()
