"""Workspace with a small corpus that has documents, alignments, gap tags, source tags and probabilities."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import (
    AlignmentColumn,
    Corpus,
    Documents,
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Provenance,
    TextColumn,
    TextRole,
)
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.workspace import Workspace
from tests.small_corpora import tags

SOURCE = ["The cat sat .", "Hello world", "A longer sentence with seven words", "Bye"]
MT = ["Die Katze saß .", "Hallo Welt 😀", "Ein längerer Satz mit sieben Wörtern", "שלום New York"]


def layer_key(provenance: Provenance, name: str, kind: Kind = Kind.WORDS) -> LayerKey:
    return LayerKey(provenance, name, kind)


GOLD = layer_key(Provenance.GOLD, "gold")
A, B = layer_key(Provenance.SYSTEM, "A"), layer_key(Provenance.SYSTEM, "B <b>")


def rich_corpus() -> Corpus:
    """Return a corpus of four segments with every kind of layer."""
    columns = {
        GOLD: tags("oboo", "oob", "oobboo", "ooo"),
        A: tags("oboo", "ooo", "oobooo", "boo"),
        B: tags("bbbb", "ooo", "oooooo", "ooo"),
        layer_key(Provenance.GOLD, "gold", Kind.GAPS): tags("ooobo", "oooo", "ooooooo", "oooo"),
        layer_key(Provenance.SYSTEM, "A", Kind.GAPS): tags("ooobo", "booo", "ooooooo", "oooo"),
        layer_key(Provenance.GOLD, "gold", Kind.SOURCE): tags("oboo", "oo", "oooooo", "o"),
    }
    layers = {name: Layer(name, column, origin=f"{name.name}.tags", form="n") for name, column in columns.items()}
    probabilities = layer_key(Provenance.SYSTEM, "A", Kind.PROBABILITIES)
    offsets = columns[A].offsets
    numbers = np.where(columns[A].values, 0.8, 0.2).astype(np.float32)
    layers[probabilities] = Layer(probabilities, NumberColumn(numbers, offsets))
    hter = layer_key(Provenance.GOLD, "hter", Kind.SCORES)
    layers[hter] = Layer(hter, np.array([0.25, 0.33, 0.5, 0.0]))
    return Corpus(
        "made",
        4,
        {TextRole.SOURCE: TextColumn.of(SOURCE), TextRole.MT: TextColumn.of(MT), TextRole.POST_EDIT: TextColumn.of(MT)},
        layers,
        AlignmentColumn.of([[(0, 0), (1, 1), (2, 2), (3, 3)], [(0, 0), (1, 1)], [], [(0, 0)]]),
        Documents.from_names(["d1", "d1", "d2", "d2"]),
    )


@pytest.fixture
def workspace(qtbot, tmp_path) -> Iterator[Workspace]:
    settings, jobs = Settings(str(tmp_path / "s.ini")), JobRunner()
    instance = Workspace(settings, jobs)
    yield instance
    jobs.close()


@pytest.fixture
def rich_workspace(workspace: Workspace) -> Workspace:
    """Workspace with the rich corpus open."""
    workspace.open(rich_corpus())
    return workspace


@pytest.fixture
def area(qtbot, rich_workspace: Workspace) -> InspectArea:
    """Visible Inspect area with the rich corpus open."""
    widget = InspectArea(rich_workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(1200, 700)
    widget.show()
    qtbot.waitExposed(widget)
    return widget
