"""Notes on files that were read: files of the same name in several folders, and metrics in several files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, MetricColumn, Provenance
from qe_desktop.formats import CorpusPlan, PlannedFile, Role
from qe_desktop.ui.files.importing.import_dialog import ImportDetailsDialog, import_notes, notes_by_file
from qe_desktop.ui.files.importing.plan_model import PlanColumn

FOLDER = Path("/data/task")


def plan_of(*files: PlannedFile) -> CorpusPlan:
    return CorpusPlan("task", str(FOLDER), "en-de", files)


def score_layer(name: str, *notes: str) -> Layer:
    return Layer(LayerKey(Provenance.SYSTEM, name, Kind.SCORES), np.zeros(2), "predictions.txt", "a line", notes)


def test_files_of_the_same_name_in_several_folders_have_their_own_notes(qtbot):
    """Regression: each file showed the notes of the last file."""
    files = [
        PlannedFile(FOLDER / name / "predictions.txt", role=Role.SYSTEM, name=name) for name in ("One", "Two", "Three")
    ]
    layers = [score_layer("One", "of the first"), score_layer("Two", "of the second"), score_layer("Three")]
    corpus, plan = Corpus("task", 2, layers={layer.key: layer for layer in layers}), plan_of(*files)
    notes = notes_by_file(plan, corpus)
    assert [notes[file.path] for file in files] == [("of the first",), ("of the second",), ()]
    message = import_notes(plan, corpus)
    assert message is not None
    assert message.details == ("One/predictions.txt: of the first", "Two/predictions.txt: of the second")
    dialog = ImportDetailsDialog(plan, (), notes)
    qtbot.addWidget(dialog)
    remarks = [dialog.model.index(row, PlanColumn.NOTES).data() for row in range(3)]
    assert remarks == ["of the first", "of the second", ""]


def test_all_layers_of_a_file_contribute_notes():
    file = PlannedFile(FOLDER / "predictions.txt", role=Role.SYSTEM, name="One", systems=("A", "B"))
    layers = [score_layer("A", "both", "of A"), score_layer("B", "both")]
    corpus = Corpus("task", 2, layers={layer.key: layer for layer in layers})
    assert notes_by_file(plan_of(file), corpus) == {file.path: ("both", "of A")}


def test_notes_on_a_metric_in_several_files_are_shown_once():
    files = [PlannedFile(FOLDER / "comet" / f"{name}.txt", role=Role.METRIC, name="COMET") for name in ("A", "B")]
    column = MetricColumn({"A": np.zeros(2), "B": np.ones(2)}, 1, "comet", ("a note",))
    notes = notes_by_file(plan_of(*files), Corpus("task", 2, metric_scores={"COMET": column}))
    assert notes == {files[0].path: ("a note",), files[1].path: ()}
