"""Small projects, campaigns and ratings for the tests of the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from qe_desktop.corpus import (
    AlignmentColumn,
    Corpus,
    Documents,
    Kind,
    Layer,
    LayerKey,
    MetricColumn,
    NumberColumn,
    Provenance,
    TextColumn,
    TextRole,
    offsets_from_lengths,
)
from qe_desktop.project.events import EditAction, EditRow, LayerRow, SettingRow, new_uid
from qe_desktop.project.store import Project
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis, Passage
from tests.small_corpora import tags

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
SYSTEM = LayerKey(Provenance.SYSTEM, "system A", Kind.WORDS)


def full_corpus() -> Corpus:
    """Corpus of four segments with every kind of data."""
    source = TextColumn.of(["Ein Haus .", "", "قطة", "一 只 猫 坐 着"])
    mt = TextColumn.of(["a house .", "", "a cat", "one cat sits"])
    counts = mt.token_counts()
    words = offsets_from_lengths(counts)
    probabilities = NumberColumn(np.linspace(0, 1, int(words[-1]), dtype=np.float32), words)
    layers = [
        Layer(GOLD, tags("oob", "", "bb", "obo"), "gold.tags", "n", ("one remark",)),
        Layer(SYSTEM, tags("ooo", "", "bo", "bbb"), "a.tags", "n"),
        Layer(LayerKey(Provenance.GOLD, "gold", Kind.GAPS), tags("oobo", "o", "bbo", "obob"), "gold.gaps", "2n+1"),
        Layer(LayerKey(Provenance.SYSTEM, "odd \udcff name", Kind.PROBABILITIES), probabilities, "p\udcff.txt"),
        Layer(LayerKey(Provenance.GOLD, "HTER", Kind.SCORES), np.array([0.25, 0.0, 1 / 3, np.nan]), "hter"),
    ]
    return Corpus(
        "small", 4, {TextRole.SOURCE: source, TextRole.MT: mt}, {layer.key: layer for layer in layers},
        AlignmentColumn.of([[(0, 0), (1, 1)], [], [(0, 1)], []]), Documents.from_names(["a", "a", "b", "b"]),
        False, "de-en", "/somewhere/\udcff", {"B": TextColumn.of(["the house .", "", "cat", "a cat sits"])},
        references={
            "A": TextColumn.of(["a house .", "", "the cat", "one cat sat"]),
            "odd \udcff name": TextColumn.of(["house", "no", "cat", "cat"]),
        },
        metric_scores={
            "COMET": MetricColumn({"B": np.array([0.5, np.nan, 1 / 3, 1]), "C": np.arange(4.0)}, notes=("a remark",)),
            "odd \udcff name": MetricColumn({"B": np.array([2.5, 0, 0, 1])}, -1, "TER\udcff.seg.score"),
        },
    )  # fmt: skip


def tags_project(path: Path | str, segments: int = 200, words: int = 8, *, password: str | None = None) -> Project:
    """Project that contains only gold tags, all OK."""
    gold = tags(*["o" * words] * segments)
    layer = Layer(GOLD, gold, "gold.tags", "n")
    return Project.create(path, Corpus("tags", segments, {}, {GOLD: layer}), person="ann", password=password)


def make_edit_row(project: Project, segment: int = 0, word: int = 0, tag: int = 1, **more: object) -> EditRow:
    """Edit row, as a session creates it."""
    return EditRow(
        new_uid(), GOLD, segment, (word,), (tag,), (1 - tag,), EditAction.EDIT, person=project.person,
        window=project.window, at=1.7e9, **more,
    )  # fmt: skip


def make_setting_row(project: Project, name: str, value: object, *, own: bool = False) -> SettingRow:
    """Setting for all users or, with `own`, for the project's user."""
    return SettingRow(name, value, project.person if own else "", 1.7e9, project.person, project.window)


def make_layer_row(project: Project, layer: Layer) -> LayerRow:
    """Row of a layer that the project's user adds."""
    return LayerRow(layer.key, layer, True, 1.7e9, project.person, project.window)


def make_design(
    raters: Sequence[str] = ("ann", "bob"),
    *,
    protocol: str = "adequacy-fluency",
    segments: int = 6,
    systems: Sequence[str] = ("A", "B", "C"),
    uid: str = "campaign-1",
    secret: bytes = bytes(range(32)),
    **more: object,
) -> CampaignDesign:
    """Campaign with artificial texts, repeats and quality-control items."""
    passages = [Passage(n, f"source {n} with words", f"reference {n}", f"doc {n // 3}") for n in range(segments + 4)]
    translations = {
        system: [f"translation {n} by the system {system} in many words" for n in range(segments + 4)]
        for system in systems
    }
    campaign = Campaign(
        uid, f"Campaign {uid}", protocol, EvaluationBasis.SOURCE, "de", "en", raters=tuple(raters), created=1.7e9,
        created_by="owner",
    )  # fmt: skip
    options = {"overlap": 1.0, "repeats": 0.1, "controls": 0.1, "per_screen": 3} | more
    setup = CampaignSetup(tuple(systems), tuple(range(segments)), tuple(raters), **options)
    return design_campaign(campaign, setup, passages, translations, secret=secret)


def rate_all(project: Project, uid: str, rater: str, value: Callable[[int], float] = lambda n: n % 5 + 1) -> int:
    """Rate every screen of a rater in an adequacy and fluency campaign; return the number of events."""
    work = project.rater_session(uid, rater)
    count = 0
    for number, screen in enumerate(work.screens):
        for event in (
            work.rate(screen.uid, "fluency", value(number), 1.5),
            work.reveal(screen.uid),
            work.rate(screen.uid, "adequacy", value(number + 1), 2.5),
        ):
            project.rate(event)
            count += 1
    return count


def select_rows(path: Path | str, statement: str) -> list[tuple]:
    """Rows that an SQL statement returns from a project's file."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def assert_equal_corpora(actual: Corpus, expected: Corpus) -> None:
    """Assert that two corpora are equal."""
    facts = ("name", "size", "eos", "language_pair", "folder", "languages")
    assert [getattr(actual, name) for name in facts] == [getattr(expected, name) for name in facts]
    for named in ("texts", "translations", "references"):
        texts, others = getattr(actual, named), getattr(expected, named)
        assert list(texts) == list(others)
        for name, text in texts.items():
            assert [text.raw(n) for n in range(len(text))] == [others[name].raw(n) for n in range(len(others[name]))]
    assert list(actual.metric_scores) == list(expected.metric_scores)
    for name, scores in actual.metric_scores.items():
        again = expected.metric_scores[name]
        assert (again.better, again.origin, again.notes) == (scores.better, scores.origin, scores.notes)
        assert list(again.systems) == list(scores.systems)
        for system, values in scores.systems.items():
            np.testing.assert_array_equal(again.systems[system], values, strict=True)
    assert list(actual.layers) == list(expected.layers)
    for key, layer in actual.layers.items():
        again = expected.layers[key]
        assert (again.key, again.origin, again.form, again.notes) == (layer.key, layer.origin, layer.form, layer.notes)
        if isinstance(layer.column, np.ndarray):
            assert again.column.dtype == layer.column.dtype
            np.testing.assert_array_equal(again.column, layer.column)
        else:
            assert type(again.column) is type(layer.column)
            assert again.column.values.dtype == layer.column.values.dtype
            np.testing.assert_array_equal(again.column.values, layer.column.values)
            np.testing.assert_array_equal(again.column.offsets, layer.column.offsets)
    assert (actual.alignments is None) == (expected.alignments is None)
    if actual.alignments is not None and expected.alignments is not None:
        np.testing.assert_array_equal(actual.alignments.values, expected.alignments.values)
        np.testing.assert_array_equal(actual.alignments.offsets, expected.alignments.offsets)
    assert (actual.documents is None) == (expected.documents is None)
    if actual.documents is not None and expected.documents is not None:
        assert actual.documents.names == expected.documents.names
        np.testing.assert_array_equal(actual.documents.of_segment, expected.documents.of_segment)
