"""What is exported and opened again is the same: MT as loaded, targets, statuses, notes, tags, scores, documents."""

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
from qe_desktop.corpus.review import Review
from qe_desktop.formats.bilingual import parse_document, read_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.exports.registry import export_documents, export_view, exported_layers, get_export
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS
from qe_desktop.formats.bilingual.tabular.column_names import layer_from_title, layer_title
from qe_desktop.formats.bilingual.word_tokenization import tokenize_column
from qe_desktop.formats.importing.file_classification import classify_file
from qe_desktop.formats.importing.roles import Role
from qe_desktop.project import ReviewField, Session
from tests.formats.bilingual.samples import sample

TABLES = ("csv", "tsv", "xlsx")
XLIFF = ("xliff-1", "xliff-2")
SIGNS = st.one_of(
    st.sampled_from("ab \"',;\t=+-@⟨⟩\u2028<&"),
    st.characters(exclude_categories=("Cs",)).filter(
        lambda sign: not INVALID_XML_CHARS.search(sign) and sign not in "\n\r"
    ),
)
TEXTS = st.text(SIGNS, max_size=14)
NAMES = st.text(st.sampled_from('ab ,"();\t'), min_size=1, max_size=8) | st.sampled_from(["x (gaps)", "gold", "papago"])
SCORES = st.floats(allow_nan=True, allow_infinity=False)
GIVEN = tuple(status for status in ReviewStatus if status not in (ReviewStatus.EDITED, ReviewStatus.LOCKED))


def tokens_of(text: str) -> str:
    """A text as the tokens that another program might cut it into: every third sign begins one."""
    plain = "".join(sign for sign in text if not sign.isspace())
    return " ".join(plain[at : at + 3] for at in range(0, len(plain), 3))


@st.composite
def reviewed(draw: st.DrawFn, *, layers: bool = True) -> View:
    """A corpus with text as written, cut by the rule of words or by another, with tags and scores, under review."""
    size = draw(st.integers(1, 4))
    sources = [f"s{draw(TEXTS)}" for _ in range(size)]
    mts = [draw(TEXTS) for _ in range(size)]
    own = draw(st.booleans())
    words = TextColumn.of([tokens_of(mt) for mt in mts]) if own else tokenize_column(mts)
    eos = draw(st.booleans()) if own else False
    texts = {
        TextRole.SOURCE: tokenize_column(sources), TextRole.RAW_SOURCE: TextColumn.of(sources),
        TextRole.MT: words, TextRole.RAW_MT: TextColumn.of(mts),
    }  # fmt: skip
    names = draw(st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    corpus = Corpus("job", size, texts, documents=Documents.from_names(names), eos=eos, language_pair="en-de")
    found: dict[LayerKey, Layer] = {}
    for kind in (Kind.WORDS, Kind.SCORES) if layers else ():
        for name in draw(st.lists(NAMES, max_size=2, unique=True)):
            key = LayerKey(draw(st.sampled_from(list(Provenance)[:3])), name, kind)
            found[key] = Layer(key, draw(column(corpus, kind)))
    corpus = Corpus("job", size, texts, found, documents=corpus.documents, eos=eos, language_pair="en-de")
    some = st.integers(0, size - 1)
    targets = draw(st.dictionaries(some, TEXTS.map(lambda text: text.replace("⟨", "⟨⟨"))))
    notes = draw(st.dictionaries(some, TEXTS.map(lambda text: f"n{text}n")))
    return View(corpus, review=Review(targets, draw(st.dictionaries(some, st.sampled_from(GIVEN))), notes))


@st.composite
def column(draw: st.DrawFn, corpus: Corpus, kind: Kind):
    if kind is Kind.SCORES:
        return np.asarray(draw(st.lists(SCORES, min_size=corpus.size, max_size=corpus.size)))
    offsets = corpus.offsets(kind)
    assert offsets is not None
    count = int(offsets[-1])
    return TagColumn(np.asarray(draw(st.lists(st.integers(0, 1), min_size=count, max_size=count)), np.uint8), offsets)


def opened(view: View, name: str) -> View:
    """The same, exported and opened again."""
    data = get_export(name).write(export_view(view, exported_layers(view)))
    return View(corpus_from_documents([parse_document(data, "out")], "out"))


def texts_of(view: View) -> list[tuple[str, str, str, ReviewStatus]]:
    corpus = view.corpus
    return [
        (corpus.source_line(one), corpus.mt_line(one), view.target(one), view.status(one)) for one in range(corpus.size)
    ]


def notes_of(view: View) -> list[str]:
    job = view.corpus.job
    return [view.note(one) or "".join(job.notes.get(one, ()) if job else ()) for one in range(view.corpus.size)]


def documents_of(view: View) -> list[str]:
    assert view.corpus.documents is not None
    return [view.corpus.documents.name(one) for one in range(view.corpus.size)]


@pytest.mark.parametrize("name", TABLES)
@given(reviewed())
def test_tables_come_back_whole(name, view):
    again = opened(view, name)
    assert texts_of(again) == texts_of(view)
    assert [note.replace("\n", "\u2028") for note in notes_of(again)] == notes_of(view)
    assert documents_of(again) == documents_of(view)
    assert set(again.corpus.layers) == set(view.corpus.layers)
    for key, layer in view.corpus.layers.items():
        if key.kind is Kind.SCORES:
            np.testing.assert_array_equal(again.corpus.layers[key].scores, layer.scores)
        else:
            assert again.corpus.layers[key].tags == layer.tags
    tagged = any(key.kind is Kind.WORDS for key in view.corpus.layers)
    if tagged:
        words = view.corpus.texts[TextRole.MT]
        assert list(again.corpus.texts[TextRole.MT].lines()) == list(words.lines())
        assert again.corpus.eos == view.corpus.eos
    # and what is exported once more is the same file
    wanted = exported_layers(view)
    written = get_export(name).write(export_view(view, wanted))
    assert get_export(name).write(export_view(again, wanted)) == written


@pytest.mark.parametrize("name", XLIFF)
@given(reviewed(layers=False))
def test_xliff_comes_back_with_texts_statuses_and_notes(name, view):
    again = opened(view, name)
    assert texts_of(again) == texts_of(view)
    assert [note.replace("\n", "\u2028") for note in notes_of(again)] == notes_of(view)


@pytest.mark.parametrize("name", [*TABLES, *XLIFF])
def test_codes_of_a_job_come_back_with_the_tags_around_them(name):
    """Tags are of words without codes, whatever a table writes between these."""
    corpus = corpus_from_documents([sample("okapi.xlf"), sample("two.xlf")], "job")
    review = Review({0: "⟨1⟩Pumpen⟨/1⟩ laufen."}, {0: ReviewStatus.CONFIRMED, 1: ReviewStatus.REJECTED}, {1: "nein"})
    view = View(corpus, review=review)
    again = opened(view, name)
    assert texts_of(again) == texts_of(view)
    assert again.corpus.mt_line(0) == "Die ⟨1⟩Pumpe⟨/1⟩ startet."
    assert again.is_edited(0)
    assert not again.is_changed(0)
    if name in TABLES:
        assert documents_of(again) == documents_of(view)
        for key, layer in corpus.layers.items():
            if key.kind is Kind.WORDS:
                assert again.corpus.layers[key].tags == layer.tags
            elif key.kind is Kind.SCORES:
                np.testing.assert_array_equal(again.corpus.layers[key].scores, layer.scores)


@given(st.sampled_from(list(Provenance)), NAMES | st.just(""), st.sampled_from([Kind.WORDS, Kind.GAPS, Kind.SCORES]))
def test_a_layer_is_known_by_what_its_column_is_called(provenance, name, kind):
    key = LayerKey(provenance, name, kind)
    assert layer_from_title(("score " if kind is Kind.SCORES else "tags ") + layer_title(key)) == key


@pytest.mark.parametrize("name", [*TABLES, *XLIFF])
@given(reviewed(), st.data())
def test_saving_changes_target_and_status_alone(name, view, data):
    document = parse_document(get_export(name).write(export_view(view, exported_layers(view))), "out")
    some = st.integers(0, view.corpus.size - 1)
    targets = {one: f"neu {one}" for one in data.draw(st.sets(some))}
    statuses = data.draw(st.dictionaries(some, st.sampled_from(GIVEN)))
    loaded = corpus_from_documents([document], "out")
    assert document.with_targets({}).data == document.text.data
    now = View(loaded, review=Review(targets, statuses))
    rewritten = document.with_targets(targets, statuses)
    again = View(corpus_from_documents([parse_document(rewritten.data, "out")], "out"))
    if name in TABLES:
        assert rewritten.unsupported == ()
        assert texts_of(again) == texts_of(now)
    # XLIFF has no empty MT but where its target was another one already, and no status where there was no target
    for one, (before, found) in enumerate(zip(texts_of(now), texts_of(again), strict=True)):
        assert (found[0], found[2]) == (before[0], before[2])
        if View(loaded).target(one):
            assert found[3] is before[3]
        if before[1] or View(loaded).is_edited(one):
            assert found[1] == before[1]
    assert notes_of(again) == notes_of(View(loaded))
    assert set(again.corpus.layers) == set(loaded.layers)
    for key, layer in loaded.layers.items():
        if key.kind is Kind.SCORES:
            np.testing.assert_array_equal(again.corpus.layers[key].scores, layer.scores)
        else:
            assert again.corpus.layers[key].tags == layer.tags
    if name in ("csv", "tsv"):
        _only_these_cells(document.text.data, rewritten.data, {*targets, *statuses})


def _only_these_cells(before: bytes, after: bytes, rows: set[int]) -> None:
    """All cells but target and status of these rows are the same, and so is what stands between rows."""
    import csv
    import io

    delimiter = "," if before.startswith(b"\xef\xbb\xbf") else "\t"
    old, new = (
        list(csv.reader(io.StringIO(one.decode("utf-8-sig"), newline=""), delimiter=delimiter))
        for one in (before, after)
    )
    for number, (one, other) in enumerate(zip(old, new, strict=True), -1):
        if number not in rows:
            assert one == other
        assert [*one[:4], *one[6:]] == [*other[:4], *other[6:]]


def test_documents_as_they_are_become_the_same_again():
    view = View(
        corpus_from_documents([sample("okapi.xlf"), sample("two.xlf")], "job"),
        review=Review({0: "Pumpen ⟨1⟩laufen⟨/1⟩."}),
    )
    written = get_export("csv").write(export_view(view, exported_layers(view)))
    document = parse_document(written, "out.csv")
    assert get_export("csv").write(export_documents([document], "out")) == written


def test_columns_that_are_not_what_they_are_called_are_left_alone():
    table = (
        b"document,segment,source,MT as loaded,target,status,notes,tags system a,tags system b,score system c\r\n"
        b"d,1,one,eins zwei,eins,open,,OK,OK nein,high\r\n"
    )
    document = parse_document(table, "out.csv")
    corpus = corpus_from_documents([document], "out")
    assert not corpus.layers
    assert [note.split(" system ")[1][:1] for note in document.notes] == ["b", "c", "a"]


def test_a_table_of_another_program_has_its_score():
    document = parse_document(b"source,target,score\none,eins,0.25\ntwo,zwei,\n", "foreign.csv")
    corpus = corpus_from_documents([document], "job")
    np.testing.assert_array_equal(
        corpus.layers[LayerKey(Provenance.SYSTEM, "score", Kind.SCORES)].scores, [0.25, np.nan]
    )
    assert corpus.job is not None
    assert corpus.job.loaded is None
    assert corpus.mt_line(0) == "eins"


@pytest.mark.parametrize("name", TABLES)
def test_tags_and_hter_of_post_edits_are_written_and_follow_from_mt_and_target_again(name):
    rows = b"source,target\none,eins zwei\ntwo,zwei\nthree,drei\nfour,vier\n"
    session = Session(corpus_from_documents([parse_document(rows, "a.csv")], "a"), person="Ada")
    review = {0: {ReviewField.TARGET: "eins drei"}, 1: {ReviewField.STATUS: ReviewStatus.CONFIRMED}}
    session.reviewing.set(review | {3: {ReviewField.STATUS: ReviewStatus.REJECTED}})
    view = session.view
    words, hter = (LayerKey(Provenance.PERSON, "post-edit Ada", kind) for kind in (Kind.WORDS, Kind.SCORES))
    assert exported_layers(view) == [words, hter]
    exported = export_view(view, exported_layers(view))
    # what nobody saw is not OK
    assert exported.tags == {"person post-edit Ada": ["OK BAD", "OK", "", ""]}
    np.testing.assert_array_equal(exported.scores["person post-edit Ada"], [0.5, 0, np.nan, np.nan])
    written = get_export(name).write(exported)
    document = parse_document(written, "out")
    again = View(corpus_from_documents([document], "out"))
    assert not again.corpus.layers
    assert texts_of(again) == texts_of(view)
    named = ("tags person post-edit Ada", "score person post-edit Ada")
    assert [all(part in note for part in (column, "MT and target")) for column, note in zip(
        named, document.notes, strict=True
    )] == [True, True]  # fmt: skip
    # whoever edits on has the layers of their own edits alone
    going_on = Session(again.corpus, person="Ada")
    going_on.reviewing.set({2: {ReviewField.TARGET: "fünf"}})
    assert going_on.view.tracks(Kind.WORDS) == [words]
    saved = document.with_targets({2: "fünf"}, {2: ReviewStatus.CONFIRMED}).data
    if name != "xlsx":
        _only_these_cells(written, saved, {2})
    assert texts_of(View(corpus_from_documents([parse_document(saved, "out")], "out")))[2][2:] == (
        "fünf",
        ReviewStatus.CONFIRMED,
    )


def test_issues_of_a_file_beside_a_table_with_words_of_its_own():
    key = LayerKey(Provenance.SYSTEM, "issues", Kind.WORDS)
    texts = {TextRole.SOURCE: TextColumn.of(["a"]), TextRole.MT: TextColumn.of(["@-@ x"])}
    view = View(Corpus("c", 1, texts, {key: Layer(key, TagColumn.of([[1, 0]]))}))
    table = parse_document(get_export("tsv").write(export_view(view, [key])), "a.tsv")
    assert corpus_from_documents([table], "c").layers[key].tags == TagColumn.of([[1, 0]])
    both = corpus_from_documents([table, sample("okapi.xlf")], "both")
    alone = corpus_from_documents([sample("okapi.xlf")], "alone").layers[key].tags
    assert [one.tolist() for one in map(both.layers[key].tags.__getitem__, range(3))] == [
        [1, 0], *(alone[row].tolist() for row in range(2)),
    ]  # fmt: skip
    assert both.layers[key].tags.lengths().tolist() == both.texts[TextRole.MT].token_counts().tolist()


def test_tables_of_several_exports_are_one_job():
    view = View(corpus_from_documents([sample("okapi.xlf")], "job"))
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
def test_a_table_of_texts_and_scores_is_a_job_where_it_says_how_far_segments_are(tmp_path, header, is_job):
    path = tmp_path / "table.csv"
    cells = {"score": "0.1234", "mean": "71.5", "COMET": "0.4321"}
    rows = [
        [str(row) if not at else cells.get(name, name) for at, name in enumerate(header.split(","))] for row in "123"
    ]
    path.write_text("".join(f"{','.join(row)}\n" for row in [header.split(","), *rows]))
    assert (classify_file(path).role is Role.JOB) == is_job
    if is_job:
        (found,) = corpus_from_documents([read_document(path)], "job").find(Provenance.SYSTEM, Kind.SCORES)
        assert found.scores.tolist() == [0.1234] * 3
