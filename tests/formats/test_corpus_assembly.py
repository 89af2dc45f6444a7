import gzip
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, TextRole
from qe_desktop.formats import Role, build_corpus, plan_imports
from qe_desktop.formats.importing import corpus_assembly

FILES = {
    "c.src": "a b\nc\n",
    "c.mt": "x y\nz\n",
    "c.tags": "OK BAD OK OK OK\nOK OK OK\n",
    "c.source_tags": "OK BAD\nOK\n",
    "c.src-mt.alignments": "0-0 1-1\n0-0\n",
    "c.docs": "one\ntwo\n",
    "c.hter": "0\n0.5\n",
    "systems/s.tags": "OK OK OK BAD OK\nOK BAD OK\n",
    "systems/s.probabilities": "0.25 0.75\n1\n",
}


@pytest.fixture
def build(write, tmp_path):
    """Return a function that builds a corpus of the usual files with changes by name; None omits a file."""

    def make(onto=None, progress=None, usual=True, **changes):
        for name, content in {**(FILES if usual else {}), **changes}.items():
            if content is not None:
                write(f"corpus/{name}", content)
        (plan,) = plan_imports([tmp_path / "corpus"])
        return build_corpus(plan, base_corpus=onto, progress=progress)

    return make


def key(provenance, name, kind) -> LayerKey:
    return LayerKey(provenance, name, kind)


def build_error(build, **changes) -> QeError:
    with pytest.raises(QeError) as caught:
        build(**changes)
    return caught.value


def test_corpus_contains_all_files(build):
    progress_calls = []
    corpus = build(progress=lambda name, share: progress_calls.append((name, share)))
    assert corpus.size == 2
    assert not corpus.eos
    assert corpus.text(TextRole.MT)[0] == "x y"
    gold, system = Provenance.GOLD, Provenance.SYSTEM
    assert set(corpus.layers) == {
        key(gold, "gold", Kind.WORDS),
        key(gold, "gold", Kind.GAPS),
        key(gold, "gold", Kind.SOURCE),
        key(gold, "hter", Kind.SCORES),
        key(system, "s", Kind.WORDS),
        key(system, "s", Kind.GAPS),
        key(system, "s", Kind.PROBABILITIES),
    }
    assert corpus.gold(Kind.WORDS).tags[0].tolist() == [1, 0]
    assert corpus.gold(Kind.GAPS).tags[0].tolist() == [0, 0, 0]
    layer = corpus.layers[key(system, "s", Kind.WORDS)]
    assert layer.tags[1].tolist() == [1]
    assert (layer.origin, layer.form) == ("s.tags", "2n+1")
    assert corpus.layers[key(gold, "hter", Kind.SCORES)].scores.tolist() == [0, 0.5]
    assert corpus.layers[key(system, "s", Kind.PROBABILITIES)].numbers[1].tolist() == [1]
    assert corpus.alignments.source_of(0, 1) == [1]
    assert corpus.documents.names == ("one", "two")
    assert len(progress_calls) == len(FILES)
    assert all(0 <= share < 1 for _, share in progress_calls)


def test_two_system_tag_files_make_a_corpus(build):
    corpus = build(usual=False, **{"a.tags": "OK BAD\nOK\n", "b.tags": "OK OK\nBAD\n"})
    assert corpus.size == 2
    assert corpus.names(Provenance.SYSTEM) == ["a", "b"]
    assert corpus.word_counts() is None


def test_corpus_without_gold_is_built(build):
    changes = {name: None for name in FILES if name not in ("c.src", "c.mt", "systems/s.tags")}
    corpus = build(**changes)
    assert corpus.gold(Kind.WORDS) is None
    assert corpus.names(Provenance.SYSTEM) == ["s"]


def test_eos_is_added_if_the_mt_does_not_contain_it(build):
    changes = {
        "c.tags": "OK BAD OK\nOK OK\n",
        "systems/s.tags": "OK BAD BAD\nOK BAD\n",
        "systems/s.probabilities": None,
    }
    corpus = build(**changes)
    assert corpus.eos
    assert corpus.tokens(TextRole.MT, 0) == ["x", "y", "<EOS>"]
    assert corpus.word_counts().tolist() == [3, 2]
    assert corpus.gold(Kind.WORDS).form == "n+1 <EOS>"


def test_eos_tokens_in_the_mt_are_ordinary_tokens(build):
    changes = {"c.mt": "x y <EOS>\nz <EOS>\n", "c.tags": "OK BAD OK\nOK OK\n", "systems/s.tags": "OK OK OK\nOK OK\n"}
    assert not build(**changes, **{"systems/s.probabilities": None}).eos


@pytest.mark.parametrize(
    ("name", "content", "line", "says"),
    [
        ("c.tags", "OK BAD OK OK OK\n", None, "1 line, but the MT has 2"),
        ("c.tags", "OK BAD OK OK OK\nOK OK OK\nOK\n", None, "3 lines, but the MT has 2"),
        (
            "systems/s.tags",
            "OK OK OK BAD OK\nOK BAD OK OK\n",
            2,
            "line 2 has 4 tags, but the MT has 1 token (1, 2 or 3 expected)",
        ),
        ("systems/s.tags", "OK OK\nBAD\n", None, ""),
        ("systems/s.tags", "OK OK OK\nBAD OK\n", None, "one more value (for <EOS>) than the MT has tokens"),
        ("c.src", "a b\n", None, "1 line, but the MT has 2"),
        ("c.source_tags", "OK\nOK\n", 1, "line 1 has 1 tag, but the source has 2 tokens (2 expected)"),
        ("c.src-mt.alignments", "0-0 1-2\n0-0\n", 1, "1-2: the MT has no token 2, only 2 tokens"),
        ("c.src-mt.alignments", "0-0 1-1\n1-0\n", 2, "1-0: the source has no token 1, only 1 token"),
        ("c.src-mt.alignments", "0-0 1-1\n", None, "1 line, but the corpus has 2"),
        ("c.docs", "one\n", None, "1 line, but the corpus has 2"),
        ("c.hter", "0.1\n", None, "1 line, but the corpus has 2 segments"),
        ("systems/s.probabilities", "0.25 0.75\n1 0 0\n", 2, "line 2 has 3 numbers"),
        ("systems/s.probabilities", "0.25 1.75\n1\n", 1, "1.75 is not a probability"),
    ],
)
def test_mismatched_files_are_refused_with_their_line(build, tmp_path, name, content, line, says):
    if not says:
        assert build(**{name: content}).layers
        return
    error = build_error(build, **{name: content})
    assert says in error.message
    assert error.place.file == str(tmp_path / "corpus" / name)
    assert error.place.line == line


def test_errors_of_all_files_are_listed(build):
    error = build_error(
        build, **{"c.tags": "OK\nOK\n", "systems/s.tags": "OK OK OK BAD OK\nOK OK\n", "c.docs": "one\n"}
    )
    assert {error_location.place.file.rsplit("/", 1)[-1] for error_location in error.faults} == {
        "c.tags",
        "s.tags",
        "c.docs",
    }
    assert "more locations" in error.line()


def test_systems_of_different_lengths_without_mt_are_refused(build):
    error = build_error(build, usual=False, **{"a.tags": "OK BAD\nOK\n", "b.tags": "OK OK\nBAD OK\n"})
    assert error.place.line == 2
    assert error.message == "the segment has 2 values here, but 1 in a.tags"


def test_unreadable_system_file_is_left_out(build):
    corpus = build(**{"systems/broken.tags": gzip.compress(b"OK\n")[:9]})
    assert "broken" not in corpus.names(Provenance.SYSTEM)
    with pytest.raises(QeError, match="gzip"):
        build(usual=False, **{name: gzip.compress(b"OK\n")[:9] for name in FILES})


def test_system_is_added_to_an_open_corpus(build, write):
    corpus = build()
    (plan,) = plan_imports([write("more/late.tags", "BAD BAD\nOK\n")])
    larger = build_corpus(plan, base_corpus=corpus)
    assert larger.names(Provenance.SYSTEM) == ["s", "late"]
    assert larger.layers[key(Provenance.SYSTEM, "late", Kind.WORDS)].tags[0].tolist() == [1, 1]
    assert larger.alignments is corpus.alignments
    assert corpus.names(Provenance.SYSTEM) == ["s"]
    (duplicate,) = plan_imports([write("more/s.tags", "BAD BAD\nOK\n")])
    with pytest.raises(QeError, match="s already has word tags"):
        build_corpus(duplicate, base_corpus=corpus)
    (short,) = plan_imports([write("more/short.tags", "BAD BAD\n")])
    with pytest.raises(QeError, match="1 line, but the MT has 2"):
        build_corpus(short, base_corpus=corpus)
    (eos,) = plan_imports([write("more/eos.tags", "BAD BAD OK\nOK OK\n")])
    with pytest.raises(QeError, match="one more value"):
        build_corpus(eos, base_corpus=corpus)


def test_text_is_added_to_a_corpus_of_tags(build, write):
    corpus = build(usual=False, **{"a.tags": "OK BAD\nOK\n"})
    (plan,) = plan_imports([write("more/a.mt", "x y\nz\n")])
    assert build_corpus(plan, base_corpus=corpus).tokens(TextRole.MT, 0) == ["x", "y"]
    (one_less,) = plan_imports([write("more/b.mt", "x\n\n")])
    assert build_corpus(one_less, base_corpus=corpus).eos
    (mismatched,) = plan_imports([write("more/c.mt", "x\nz v w\n")])
    with pytest.raises(QeError, match="line 2 has 1 value, but the MT has 3 tokens"):
        build_corpus(mismatched, base_corpus=corpus)


def test_two_files_with_the_same_text_role_are_refused(build, write, tmp_path):
    write("corpus/other.mt", "v\nw\n")
    build()
    (plan,) = plan_imports([tmp_path / "corpus"])
    both = plan.with_role(tmp_path / "corpus" / "other.mt", Role.MT)
    both = both.with_role(tmp_path / "corpus" / "c.mt", Role.MT)
    with pytest.raises(QeError, match="already a text with the role MT"):
        build_corpus(both)


def test_role_that_does_not_fit_the_content_is_refused(build, tmp_path):
    build()
    (plan,) = plan_imports([tmp_path / "corpus"])
    with pytest.raises(QeError, match="neither tags nor scores"):
        build_corpus(plan.with_role(tmp_path / "corpus" / "c.src", Role.SYSTEM))
    corrected = plan.with_role(tmp_path / "corpus" / "c.src-mt.alignments", Role.IGNORED)
    with pytest.raises(QeError, match="not a pair"):
        build_corpus(corrected.with_role(tmp_path / "corpus" / "c.docs", Role.ALIGNMENTS))


def test_many_segments_of_several_systems_are_read_on_several_threads(build, monkeypatch):
    submitted: list[object] = []

    class RecordingPool(ThreadPoolExecutor):
        def submit(self, work, /, *arguments, **options):
            submitted.append(work)
            return super().submit(work, *arguments, **options)

    monkeypatch.setattr(corpus_assembly, "ThreadPoolExecutor", RecordingPool)
    monkeypatch.setattr(corpus_assembly, "MIN_THREADED_BYTES", 0)
    rng = random.Random(4)
    lengths = [rng.randint(0, 30) for _ in range(3000)]
    tags = {
        f"systems/s{system}.tags": "".join(" ".join(rng.choices(["OK", "BAD"], k=n)) + "\n" for n in lengths)
        for system in range(5)
    }
    corpus = build(usual=False, **{"a.mt": "".join("w " * n + "\n" for n in lengths)}, **tags)
    for system in range(5):
        column = corpus.layers[key(Provenance.SYSTEM, f"s{system}", Kind.WORDS)].tags
        expected = [[int(tag == "BAD") for tag in line.split()] for line in tags[f"systems/s{system}.tags"].split("\n")]
        assert np.array_equal(column.lengths(), lengths)
        assert [column[segment].tolist() for segment in range(3000)] == expected[:-1]
    assert len(submitted) == 5


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"a.tags": "OK OK\nOK\n", "a.src-mt.alignments": "0-0\n"}, "1 line, but the corpus has 2"),
        ({"a.tags": "OK OK\nOK\n", "a.docs": "x\n"}, "1 line, but the corpus has 2"),
        ({"a.tags": "OK OK\nOK\n", "a.source_tags": "OK\n"}, "but"),
        ({"a.tags": "OK OK\nOK\n", "a.src": "x\n"}, "2 lines, but the corpus has 1"),
        ({"a.mt": "x\ny\n", "a.source_tags": "OK\n"}, "1 line, but the corpus has 2"),
        ({"a.hter": "1\n2\n", "a.tags": "OK\n"}, "but"),
    ],
)
def test_line_count_mismatch_without_all_texts_is_refused(build, files, says):
    assert says in build_error(build, usual=False, **files).message


# --- translations of several systems


def test_translations_folder_is_read(build) -> None:
    corpus = build(**{"translations/one.txt": "x w\nz\n", "translations/two.de.txt": "v\nz\n"})
    assert {name: list(column.lines()) for name, column in corpus.translations.items()} == {
        "one": ["x w", "z"],
        "two.de": ["v", "z"],
    }
    assert corpus.text(TextRole.MT)[0] == "x y"


def test_translations_alone_make_a_corpus(build) -> None:
    corpus = build(usual=False, **{"c.src": None, "outputs/one.txt": "x\ny\n", "outputs/two.txt": "x\nz\n"})
    assert corpus.size == 2
    assert list(corpus.translations) == ["one", "two"]


def test_translation_of_different_length_is_refused(build) -> None:
    error = build_error(build, **{"translations/one.txt": "x\n"})
    assert "one.txt" in error.line()
    assert "1" in error.message


def test_second_translation_of_a_system_is_refused(build, write, tmp_path) -> None:
    corpus = build(**{"translations/one.txt": "x\ny\n"})
    (more,) = plan_imports([write("translations/one.txt", "x\ny\n"), write("translations/two.txt", "x\ny\n")])
    with pytest.raises(QeError, match="already a translation by one"):
        build_corpus(more, base_corpus=corpus)
    added = build_corpus(more.with_role(more.files[0].path, Role.TRANSLATION, name="other"), base_corpus=corpus)
    assert set(added.translations) == {"one", "other", "two"}


# --- human ratings


RATED = '{"rater": "r", "system": "one", "segment": "1", "scale": "adequacy", "value": 4}\n'


def test_ratings_belong_to_the_corpus(build) -> None:
    corpus = build(**{"c.ratings.jsonl": RATED, "more.jsonl": RATED.replace('"r"', '"s"')})
    assert corpus.ratings is not None
    assert [(row.rater, row.system, row.value) for row in corpus.ratings.scores.rows()] == [
        ("r", "one", 4.0),
        ("s", "one", 4.0),
    ]


def test_ratings_alone_are_a_corpus_without_segments(build) -> None:
    corpus = build(usual=False, **{"c.jsonl": RATED})
    assert corpus.size == 0
    assert corpus.ratings is not None


def test_other_json_lines_are_not_ratings(build) -> None:
    assert build(**{"notes.jsonl": '{"a": 1}\n'}).ratings is None


def test_invalid_ratings_are_refused_with_their_line(build) -> None:
    error = build_error(build, **{"c.jsonl": RATED + '{"rater": "r", "system": "one"}\n'})
    assert "c.jsonl:2" in error.line()


def test_mt_is_formed_from_sentencepiece_pieces(write):
    """With only log-probabilities of SentencePiece pieces, the words that the pieces form are the MT."""
    write("d/word-probas/word_probas.dev.neen", "-1 -3 -2 -9\n-1 -2 -9\n")
    write("d/word-probas/mt.dev.neen", "▁th e ▁end\n▁ ▁so\n")
    write("d/dev.doc_ids", "doc_id\nfirst\nsecond\n")
    (plan,) = plan_imports([write("d/notes.md", "about\n").parent])
    assert [file.role for file in plan.files if file.path.name.startswith("mt")] == [Role.PIECES]
    corpus = build_corpus(plan)
    assert list(corpus.text(TextRole.MT).lines()) == ["the end", "so"]
    assert corpus.documents.names == ("first", "second")
    (layer,) = corpus.layers.values()
    assert layer.key.name == "word_probas"
    assert np.allclose(layer.numbers.values, 1 - np.exp([-2.0, -2.0, -1.5]))
    assert any("SentencePiece" in note for note in layer.notes)


@pytest.mark.published
def test_published_sentencepiece_probabilities_are_read(data_folder):
    folder = data_folder / "shared_tasks/mlqe_ne-en_test21"
    (plan,) = plan_imports([folder])
    assert {file.path.name: file.role for file in plan.files}["mt.test21.neen"] is Role.PIECES
    # the sample contains only the first rows of the gold tags
    for file in plan.files_with_role(Role.GOLD):
        if file.format == "word table":
            plan = plan.with_role(file.path, Role.IGNORED)
    corpus = build_corpus(plan)
    layer = corpus.layers[LayerKey(Provenance.SYSTEM, "word_probas", Kind.PROBABILITIES)]
    assert np.array_equal(layer.numbers.lengths(), corpus.word_counts())
    numbers = (folder / "word-probas/word_probas.test21.neen").read_text().split("\n")[0].split()
    # pieces 10 to 16 (▁b ib l i og raph ies) spell the fourth token, "bibliographies"
    assert corpus.tokens(TextRole.MT, 0)[3] == "bibliographies"
    assert layer.numbers[0][3] == pytest.approx(1 - np.exp(np.mean([float(x) for x in numbers[9:16]])), abs=1e-6)
    assert any("lines 41, 148 " in note for note in layer.notes)


@pytest.mark.published
def test_published_document_names_with_a_header_are_read(data_folder):
    (plan,) = plan_imports([data_folder / "shared_tasks/mlqe_ne-en_dev"])
    (file,) = plan.files_with_role(Role.DOCUMENTS)
    assert file.description == "document names, 150 lines, 76 documents"
    # the sample files were truncated to the same number of lines, so two files with a header lack a segment
    (table,) = plan.files_with_role(Role.GOLD)
    assert table.golds == ("mean", "z_mean")
    with pytest.raises(
        QeError, match=r"150 lines, but the corpus has 151 segments \(and 1 more location, also in .*tsv\)"
    ):
        build_corpus(plan)
    corpus = build_corpus(plan.with_role(file.path, Role.IGNORED).with_role(table.path, Role.IGNORED))
    layer = corpus.layers[LayerKey(Provenance.SYSTEM, "word_probas", Kind.PROBABILITIES)]
    assert corpus.tokens(TextRole.MT, 0)[:3] == ["Bonpos,", "if", "the"]
    assert np.array_equal(layer.numbers.lengths(), corpus.word_counts())
