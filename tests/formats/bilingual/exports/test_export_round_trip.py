"""An exported file opened again has the same MT, targets, statuses, notes, tags, scores and documents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import (
    Corpus,
    Documents,
    Kind,
    Layer,
    LayerKey,
    Provenance,
    ReviewStatus,
    TagColumn,
    TextColumn,
    TextRole,
    View,
)
from qe_desktop.corpus.translation_job import Review
from qe_desktop.formats.bilingual import parse_document, read_document
from qe_desktop.formats.bilingual.columns import layer_from_title, layer_title
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.exports.registry import export_documents, export_view, exported_layers, get_export
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS
from qe_desktop.formats.bilingual.reviewer_notes import normalize_note
from qe_desktop.formats.bilingual.word_tokenization import tokenize_column
from qe_desktop.formats.importing.file_classification import classify_file
from qe_desktop.formats.importing.roles import Role
from qe_desktop.project import ReviewField, Session
from tests.formats.bilingual.samples import parse_sample

TABLES = ("csv", "tsv", "xlsx")
XLIFF = ("xliff-1", "xliff-2")
CHARACTERS = st.one_of(
    st.sampled_from("ab \"',;\t=+-@⟨⟩\u2028<&"),
    st.characters(exclude_categories=("Cs",)).filter(
        lambda char: not INVALID_XML_CHARS.search(char) and char not in "\n\r"
    ),
)
TEXTS = st.text(CHARACTERS, max_size=14)
NAMES = st.text(st.sampled_from('ab ,"();\t'), min_size=1, max_size=8) | st.sampled_from(["x (gaps)", "gold", "papago"])
SCORES = st.floats(allow_nan=True, allow_infinity=False)
SETTABLE_STATUSES = tuple(status for status in ReviewStatus if status not in (ReviewStatus.EDITED, ReviewStatus.LOCKED))


def tokens_of(text: str) -> str:
    """Return a text split into tokens of three characters, unlike the built-in tokenizer."""
    plain = "".join(char for char in text if not char.isspace())
    return " ".join(plain[start : start + 3] for start in range(0, len(plain), 3))


@st.composite
def reviewed_corpora(draw: st.DrawFn, *, layers: bool = True) -> View:
    """Corpus with raw text, tokenized by the built-in rule or otherwise, with tags and scores, under review."""
    size = draw(st.integers(1, 4))
    sources = [f"s{draw(TEXTS)}" for _ in range(size)]
    mts = [draw(TEXTS) for _ in range(size)]
    is_pretokenized = draw(st.booleans())
    words = TextColumn.of([tokens_of(mt) for mt in mts]) if is_pretokenized else tokenize_column(mts)
    eos = draw(st.booleans()) if is_pretokenized else False
    texts = {
        TextRole.SOURCE: tokenize_column(sources), TextRole.RAW_SOURCE: TextColumn.of(sources),
        TextRole.MT: words, TextRole.RAW_MT: TextColumn.of(mts),
    }  # fmt: skip
    names = draw(st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    corpus = Corpus("job", size, texts, documents=Documents.from_names(names), eos=eos, language_pair="en-de")
    corpus_layers: dict[LayerKey, Layer] = {}
    for kind in (Kind.WORDS, Kind.SCORES) if layers else ():
        for name in draw(st.lists(NAMES, max_size=2, unique=True)):
            key = LayerKey(draw(st.sampled_from(list(Provenance)[:3])), name, kind)
            corpus_layers[key] = Layer(key, draw(column(corpus, kind)))
    corpus = Corpus("job", size, texts, corpus_layers, documents=corpus.documents, eos=eos, language_pair="en-de")
    rows = st.integers(0, size - 1)
    targets = draw(st.dictionaries(rows, TEXTS.map(lambda text: text.replace("⟨", "⟨⟨"))))
    notes = draw(st.dictionaries(rows, TEXTS.map(lambda text: f"n{text}n")))
    return View(corpus, review=Review(targets, draw(st.dictionaries(rows, st.sampled_from(SETTABLE_STATUSES))), notes))


@st.composite
def column(draw: st.DrawFn, corpus: Corpus, kind: Kind):
    if kind is Kind.SCORES:
        return np.asarray(draw(st.lists(SCORES, min_size=corpus.size, max_size=corpus.size)))
    offsets = corpus.offsets(kind)
    assert offsets is not None
    count = int(offsets[-1])
    return TagColumn(np.asarray(draw(st.lists(st.integers(0, 1), min_size=count, max_size=count)), np.uint8), offsets)


def export_and_open(view: View, name: str) -> View:
    """Return a view of the corpus after export and import."""
    data = get_export(name).write(export_view(view, exported_layers(view)))
    return View(corpus_from_documents([parse_document(data, "out")], "out"))


def texts_of(view: View) -> list[tuple[str, str, str, ReviewStatus]]:
    corpus = view.corpus
    return [
        (corpus.source_line(row), corpus.mt_line(row), view.target(row), view.status(row)) for row in range(corpus.size)
    ]


def notes_of(view: View) -> list[str]:
    job = view.corpus.job
    return [view.note(row) or "".join(job.notes.get(row, ()) if job else ()) for row in range(view.corpus.size)]


def documents_of(view: View) -> list[str]:
    assert view.corpus.documents is not None
    return [view.corpus.documents.name(row) for row in range(view.corpus.size)]


@pytest.mark.parametrize("name", TABLES)
@given(reviewed_corpora())
def test_exported_tables_are_read_back_completely(name, view):
    reopened = export_and_open(view, name)
    assert texts_of(reopened) == texts_of(view)
    assert notes_of(reopened) == [normalize_note(note) for note in notes_of(view)]
    assert documents_of(reopened) == documents_of(view)
    assert set(reopened.corpus.layers) == set(view.corpus.layers)
    for key, layer in view.corpus.layers.items():
        if key.kind is Kind.SCORES:
            np.testing.assert_array_equal(reopened.corpus.layers[key].scores, layer.scores)
        else:
            assert reopened.corpus.layers[key].tags == layer.tags
    tagged = any(key.kind is Kind.WORDS for key in view.corpus.layers)
    if tagged:
        words = view.corpus.texts[TextRole.MT]
        assert list(reopened.corpus.texts[TextRole.MT].lines()) == list(words.lines())
        assert reopened.corpus.eos == view.corpus.eos
    # a second export is identical
    layer_keys = exported_layers(view)
    written = get_export(name).write(export_view(view, layer_keys))
    assert get_export(name).write(export_view(reopened, layer_keys)) == written


@pytest.mark.parametrize("name", XLIFF)
@given(reviewed_corpora(layers=False))
def test_exported_xliff_preserves_texts_statuses_and_notes(name, view):
    reopened = export_and_open(view, name)
    assert texts_of(reopened) == texts_of(view)
    assert notes_of(reopened) == [normalize_note(note) for note in notes_of(view)]


@pytest.mark.parametrize("name", [*TABLES, *XLIFF])
def test_exports_preserve_codes_and_word_tags(name):
    """Tags refer to words without codes, although the exported text contains codes."""
    corpus = corpus_from_documents([parse_sample("okapi.xlf"), parse_sample("two.xlf")], "job")
    review = Review({0: "⟨1⟩Pumpen⟨/1⟩ laufen."}, {0: ReviewStatus.CONFIRMED, 1: ReviewStatus.REJECTED}, {1: "nein"})
    view = View(corpus, review=review)
    reopened = export_and_open(view, name)
    assert texts_of(reopened) == texts_of(view)
    assert reopened.corpus.mt_line(0) == "Die ⟨1⟩Pumpe⟨/1⟩ startet."
    assert reopened.is_edited(0)
    assert not reopened.is_changed(0)
    if name in TABLES:
        assert documents_of(reopened) == documents_of(view)
        for key, layer in corpus.layers.items():
            if key.kind is Kind.WORDS:
                assert reopened.corpus.layers[key].tags == layer.tags
            elif key.kind is Kind.SCORES:
                np.testing.assert_array_equal(reopened.corpus.layers[key].scores, layer.scores)


@given(st.sampled_from(list(Provenance)), NAMES | st.just(""), st.sampled_from([Kind.WORDS, Kind.GAPS, Kind.SCORES]))
def test_layer_key_is_parsed_from_its_column_title(provenance, name, kind):
    key = LayerKey(provenance, name, kind)
    assert layer_from_title(("score " if kind is Kind.SCORES else "tags ") + layer_title(key)) == key


@pytest.mark.parametrize("name", [*TABLES, *XLIFF])
@given(reviewed_corpora(), st.data())
def test_saving_changes_only_target_and_status(name, view, data):
    document = parse_document(get_export(name).write(export_view(view, exported_layers(view))), "out")
    rows = st.integers(0, view.corpus.size - 1)
    targets = {row: f"neu {row}" for row in data.draw(st.sets(rows))}
    statuses = data.draw(st.dictionaries(rows, st.sampled_from(SETTABLE_STATUSES)))
    loaded = corpus_from_documents([document], "out")
    assert document.with_targets({}).data == document.text.data
    expected = View(loaded, review=Review(targets, statuses))
    rewritten = document.with_targets(targets, statuses)
    reopened = View(corpus_from_documents([parse_document(rewritten.data, "out")], "out"))
    if name in TABLES:
        assert rewritten.unsupported_statuses == ()
        assert texts_of(reopened) == texts_of(expected)
    # XLIFF stores an empty MT only if the target already differed from it, and a status only if there was a target
    for row, (before, saved) in enumerate(zip(texts_of(expected), texts_of(reopened), strict=True)):
        assert (saved[0], saved[2]) == (before[0], before[2])
        if View(loaded).target(row):
            assert saved[3] is before[3]
        if before[1] or View(loaded).is_edited(row):
            assert saved[1] == before[1]
    assert notes_of(reopened) == notes_of(View(loaded))
    assert set(reopened.corpus.layers) == set(loaded.layers)
    for key, layer in loaded.layers.items():
        if key.kind is Kind.SCORES:
            np.testing.assert_array_equal(reopened.corpus.layers[key].scores, layer.scores)
        else:
            assert reopened.corpus.layers[key].tags == layer.tags
    if name in ("csv", "tsv"):
        _assert_only_rows_changed(document.text.data, rewritten.data, {*targets, *statuses})


def _assert_only_rows_changed(before: bytes, after: bytes, rows: set[int]) -> None:
    """Check that only target and status of the given rows differ."""
    import csv
    import io

    delimiter = "," if before.startswith(b"\xef\xbb\xbf") else "\t"
    old, new = (
        list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))
        for data in (before, after)
    )
    for number, (old_row, new_row) in enumerate(zip(old, new, strict=True), -1):
        if number not in rows:
            assert old_row == new_row
        assert [*old_row[:4], *old_row[6:]] == [*new_row[:4], *new_row[6:]]


def test_exporting_an_imported_table_reproduces_it():
    view = View(
        corpus_from_documents([parse_sample("okapi.xlf"), parse_sample("two.xlf")], "job"),
        review=Review({0: "Pumpen ⟨1⟩laufen⟨/1⟩."}),
    )
    written = get_export("csv").write(export_view(view, exported_layers(view)))
    document = parse_document(written, "out.csv")
    assert get_export("csv").write(export_documents([document], "out")) == written


def test_columns_with_invalid_tags_or_scores_are_not_imported():
    table = (
        b"document,segment,source,MT as loaded,target,status,notes,tags system a,tags system b,score system c\r\n"
        b"d,1,one,eins zwei,eins,open,,OK,OK nein,high\r\n"
    )
    document = parse_document(table, "out.csv")
    corpus = corpus_from_documents([document], "out")
    assert not corpus.layers
    assert [note.split(" system ")[1][:1] for note in document.notes] == ["b", "c", "a"]


def test_score_column_of_a_foreign_table_is_imported():
    document = parse_document(b"source,target,score\none,eins,0.25\ntwo,zwei,\n", "foreign.csv")
    corpus = corpus_from_documents([document], "job")
    np.testing.assert_array_equal(
        corpus.layers[LayerKey(Provenance.SYSTEM, "score", Kind.SCORES)].scores, [0.25, np.nan]
    )
    assert corpus.job is not None
    assert corpus.job.loaded is None
    assert corpus.mt_line(0) == "eins"


@pytest.mark.parametrize("name", TABLES)
def test_post_edit_tags_and_hter_are_exported_but_not_imported(name):
    rows = b"source,target\none,eins zwei\ntwo,zwei\nthree,drei\nfour,vier\n"
    session = Session(corpus_from_documents([parse_document(rows, "a.csv")], "a"), person="Ada")
    review = {0: {ReviewField.TARGET: "eins drei"}, 1: {ReviewField.STATUS: ReviewStatus.CONFIRMED}}
    session.reviewing.set(review | {3: {ReviewField.STATUS: ReviewStatus.REJECTED}})
    view = session.view
    words, hter = (LayerKey(Provenance.PERSON, "post-edit Ada", kind) for kind in (Kind.WORDS, Kind.SCORES))
    assert exported_layers(view) == [words, hter]
    exported = export_view(view, exported_layers(view))
    # segments that were not reviewed have no tags
    assert exported.tags == {"person post-edit Ada": ["OK BAD", "OK", "", ""]}
    np.testing.assert_array_equal(exported.scores["person post-edit Ada"], [0.5, 0, np.nan, np.nan])
    written = get_export(name).write(exported)
    document = parse_document(written, "out")
    reopened = View(corpus_from_documents([document], "out"))
    assert not reopened.corpus.layers
    assert texts_of(reopened) == texts_of(view)
    columns = ("tags person post-edit Ada", "score person post-edit Ada")
    assert [all(part in note for part in (column, "MT and target")) for column, note in zip(
        columns, document.notes, strict=True
    )] == [True, True]  # fmt: skip
    # further edits produce only the layers of these edits
    second_session = Session(reopened.corpus, person="Ada")
    second_session.reviewing.set({2: {ReviewField.TARGET: "fünf"}})
    assert second_session.view.tag_layers(Kind.WORDS) == [words]
    saved = document.with_targets({2: "fünf"}, {2: ReviewStatus.CONFIRMED}).data
    if name != "xlsx":
        _assert_only_rows_changed(written, saved, {2})
    assert texts_of(View(corpus_from_documents([parse_document(saved, "out")], "out")))[2][2:] == (
        "fünf",
        ReviewStatus.CONFIRMED,
    )


def test_word_issues_are_combined_with_a_pretokenized_table():
    key = LayerKey(Provenance.SYSTEM, "issues", Kind.WORDS)
    texts = {TextRole.SOURCE: TextColumn.of(["a"]), TextRole.MT: TextColumn.of(["@-@ x"])}
    view = View(Corpus("c", 1, texts, {key: Layer(key, TagColumn.of([[1, 0]]))}))
    table = parse_document(get_export("tsv").write(export_view(view, [key])), "a.tsv")
    assert corpus_from_documents([table], "c").layers[key].tags == TagColumn.of([[1, 0]])
    combined = corpus_from_documents([table, parse_sample("okapi.xlf")], "both")
    issue_tags = corpus_from_documents([parse_sample("okapi.xlf")], "alone").layers[key].tags
    assert [segment_tags.tolist() for segment_tags in map(combined.layers[key].tags.__getitem__, range(3))] == [
        [1, 0], *(issue_tags[row].tolist() for row in range(2)),
    ]  # fmt: skip
    assert combined.layers[key].tags.lengths().tolist() == combined.texts[TextRole.MT].token_counts().tolist()


def test_exported_and_foreign_tables_are_imported_as_one_job():
    view = View(corpus_from_documents([parse_sample("okapi.xlf")], "job"))
    written = get_export("tsv").write(export_view(view, exported_layers(view)))
    plain = parse_document(b"source,target\none,eins\n", "plain.csv")
    corpus = corpus_from_documents([parse_document(written, "a.tsv"), plain], "both")
    size = view.corpus.size
    key = LayerKey(Provenance.SYSTEM, "issues", Kind.WORDS)
    assert corpus.layers[key].tags[size].tolist() == [0]
    assert corpus.layers[key].notes
    scores = corpus.layers[LayerKey(Provenance.SYSTEM, "mtConfidence", Kind.SCORES)].scores
    assert (scores[0], bool(np.isnan(scores[size]))) == (0.75, True)
    assert corpus.documents is not None
    assert corpus.documents.names == ("a.tsv", "plain.csv")


@pytest.mark.parametrize(
    ("header", "is_job"),
    [
        ("segment,source,target,score,status", True), ("id,src,translation,score,comments", True),
        ("segment,source,target,score", False), ("index,original,translation,score,mean", False),
        ("segment,status,notes,score,COMET", False),
    ],
)  # fmt: skip
def test_table_of_texts_with_status_or_comments_is_a_job(tmp_path, header, is_job):
    path = tmp_path / "table.csv"
    cells = {"score": "0.1234", "mean": "71.5", "COMET": "0.4321"}
    rows = [
        [str(row) if not column_index else cells.get(name, name) for column_index, name in enumerate(header.split(","))]
        for row in "123"
    ]
    path.write_text("".join(f"{','.join(row)}\n" for row in [header.split(","), *rows]))
    assert (classify_file(path).role is Role.JOB) == is_job
    if is_job:
        (layer,) = corpus_from_documents([read_document(path)], "job").find(Provenance.SYSTEM, Kind.SCORES)
        assert layer.scores.tolist() == [0.1234] * 3
