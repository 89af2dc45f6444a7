"""Tables of segment scores with several golds and systems, each segment once, in any row order."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, TextRole
from qe_desktop.formats import Role, build_corpus, detect_format, open_file, plan_imports, read, read_scores
from qe_desktop.formats.ratings import detect_rating_format

GRID = "seg\tgold\tA\tB\n0\t0.5\t1\t-2\n1\t0.25\t2e-1\t3\n2\t0\t.3\t4\n"
LONG = (
    "METRIC\tSID\tSCORE\tRANK\tHUMAN\n"
    "A\t1\t1\t0\t0.5\nA\t2\t0.2\t0\t0.25\nA\t3\t.3\t0\t0\nB\t3\t4\t0\t0\nB\t1\t-2\t0\t0.5\nB\t2\t3\t0\t0.25\n"
)
SHORT = (
    "index\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\tmodel_scores\n"
    '0\t2022\tim Jahr "2022"\t[40, 60]\t50\t[-1, 1]\t-0.5\t-0.25\n'
    "1\tYes, 'yes'\t\"Ja\"\t[90]\t90.0\t[1]\t1.5\t-0.125\n"
)


def columns(scores):
    return {name: values.tolist() for name, values in scores.items()}


@pytest.mark.parametrize("content", [GRID, GRID.replace("\n", "\r\n"), LONG.replace("HUMAN", "gold")])
def test_golds_and_systems_are_identified_by_name(write, content):
    scores = read_scores(write("t.tsv", content))
    assert columns(scores.golds) == {"gold": [0.5, 0.25, 0]}
    assert columns(scores.systems) == {"A": [1, 0.2, 0.3], "B": [-2, 3, 4]}
    assert (scores.single, scores.size) == (None, 3)


def test_gold_rows_beside_a_gold_column_are_not_listed_as_a_system(write):
    rows = "".join(f"{name}\t{segment}\t.1\t.2\n" for name in ("A", "reference", "B") for segment in (1, 2))
    path = write("t.tsv", "system\tsegment\tgold\tscore\n" + rows)
    assert list(read_scores(path).systems) == ["A", "B"]
    (file,) = plan_imports([path])[0].files
    assert "gold; A, B" in file.description


def test_direct_assessment_table_has_two_golds_and_model_scores(write):
    scores = read_scores(write("dev.df.short.tsv", SHORT))
    assert columns(scores.golds) == {"mean": [50, 90], "z_mean": [-0.5, 1.5]}
    assert columns(scores.systems) == {"model_scores": [-0.25, -0.125]}
    assert scores.notes == ("columns not read: scores, z_scores",)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("lp\tgold\tsid\tscore\nen-de\tgold\t0\t0.5\nen-de\tgold\t1\t-1\n", "gold_T1s_header.tsv"),
        ("1\n1\n1\nen-gu\tDA\tgold\t0\t0.5\nen-gu\tDA\tgold\t1\t-1\n", "test_wmt24.engu.da_f"),
    ],
)
def test_published_gold_formats_are_read(write, content, name):
    path = write(name, content)
    assert read_scores(path).single.tolist() == [0.5, -1]
    (file,) = plan_imports([path])[0].files
    assert (file.role, file.kind) == (Role.GOLD, Kind.SCORES)
    assert file.name == ("da" if name.endswith("da_f") else "scores")


GOLD_WITH_HALLUCINATION = (
    "lp\tgold\tsid\tscore\nen-de\tgold\t0\t0.5\nen-de\tgold\t1\thallucination\nen-de\tgold\t2\t-1\n"
)


def test_only_a_gold_may_leave_segments_out(write):
    path = write("gold.tsv", GOLD_WITH_HALLUCINATION)
    scores = read_scores(path)
    assert np.array_equal(scores.single, [0.5, np.nan, -1], equal_nan=True)
    planned = plan_imports([path])[0]
    (layer,) = build_corpus(planned).layers.values()
    assert np.array_equal(layer.scores, scores.single, equal_nan=True)
    assert layer.notes == ("1 segment left out: marked as a hallucination in the gold",)
    with pytest.raises(QeError, match="this segment has no score because the gold marks it") as caught:
        build_corpus(planned.with_role(path, Role.SYSTEM))
    assert caught.value.place.line == scores.first_excluded.line == 3
    # in a table with gold and systems, only the gold may leave segments out
    with_system = GOLD_WITH_HALLUCINATION + "".join(f"en-de\tA\t{segment}\t0.5\n" for segment in range(3))
    table = write("both.tsv", with_system.replace("gold\tsid", "method\tsid"))
    (gold, system) = build_corpus(plan_imports([table])[0]).layers.values()
    assert np.isnan(gold.scores).tolist() == [False, True, False]
    assert len(gold.notes) == 1
    assert not system.notes
    with pytest.raises(QeError, match='"hallucination" is not a score') as caught:
        read_scores(write("system.txt", "A\t0\t0.5\nA\t1\thallucination\n"))
    assert caught.value.place.line == 2
    with pytest.raises(QeError, match='"hallucinatory" is not a score'):
        read_scores(write("other.tsv", GOLD_WITH_HALLUCINATION.replace("hallucination", "hallucinatory")))


def test_unnamed_columns_are_noted_by_number(write):
    grid = "\tseg\tgold\tA\t\n" + "".join(f"{10 + row}\t{row}\t0.{row}\t0.123\t0.5\n" for row in range(3))
    path = write("t.tsv", grid)
    scores = read_scores(path)
    assert ([*scores.golds], [*scores.systems]) == (["gold"], ["A"])
    note = "columns 1 and 5 not read: no name"
    assert scores.notes == (note,)
    (file,) = plan_imports([path])[0].files
    assert note in file.notes
    rows = "method\tseg\tscore\tkind\t\n" + "".join(f"A\t{row}\t0.{row}\tx\ty\n" for row in range(3))
    notes = ("column not read: kind", "column 5 not read: no name")
    assert read_scores(write("r.tsv", rows)).notes == notes


def test_quotes_around_names_are_removed(write):
    quoted = LONG.replace("A\t", '"A"\t').replace("METRIC", '"METRIC"').replace("HUMAN", '"HUMAN"')
    scores = read_scores(write("t.tsv", quoted))
    assert [*scores.golds, *scores.systems] == ["HUMAN", "A", "B"]


def test_method_named_gold_is_the_gold(write):
    rows = "".join(f"{name}\t{segment}\t0.{segment}\n" for name in ("gold", "A", "B") for segment in range(3))
    scores = read_scores(write("t.txt", rows))
    assert (list(scores.golds), list(scores.systems)) == (["gold"], ["A", "B"])


def test_table_of_fractional_scores_without_gold_has_systems_only(write):
    scores = read_scores(write("t.tsv", "id\tA\tB\n0\t0.1234\t-0.5512\n1\t0.5\t1.25e-3\n"))
    assert (list(scores.golds), list(scores.systems)) == ([], ["A", "B"])
    nameless = read_scores(write("u.tsv", "id\tscore\n1\t0.1234\n0\t0.5\n"))
    assert nameless.single.tolist() == [0.5, 0.1234]


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (GRID.replace("0.25", "nan"), 3, "\"nan\" is not a score (column \"gold\")"),
        (GRID.replace("-2", "x"), 2, "\"x\" is not a score (column \"B\")"),
        (GRID.replace(".3", ""), 4, "\"\" is not a score (column \"A\")"),
        (GRID.replace("2e-1", "1e999"), 3, "\"1e999\" is not a score"),
        (GRID.replace("\n1\t", "\n1.0\t"), 3, "\"1.0\" is not a segment number"),
        (GRID.replace("\n1\t", "\n-1\t"), 3, "\"-1\" is not a segment number"),
        (GRID.replace("\n1\t", "\n0\t"), 3, "duplicate segment 0, which first occurs in line 2"),
        (GRID.replace("\n1\t", "\n3\t"), 4, "1 of 4 segments is missing; the first is 1 (numbered from 0)"),
        ("seg\tgold\n4\t1\n2\t1\n3\t1\n", 3, "2 of 5 segments are missing; the first is 0 (numbered from 0)"),
        (GRID.replace("\t4\n", "\n"), 4, "the row does not have 4 columns"),
        (GRID.replace("\tB\n", "\tA\n"), 1, "there are two columns named \"A\""),
        (LONG.replace("B\t3\t", "B\t2\t"), 7, "duplicate segment 2 of B, which first occurs in line 5"),
        (LONG.replace("B\t3\t4\t0\t0\n", ""), 6, "1 of 3 segments of B is missing; the first is 3 (numbered from 1)"),
        (LONG.replace("-2\t0\t0.5", "-2\t0\t0.6"), 6, "segment 1 is 0.6 in this line, but 0.5 in line 2"),
        (LONG.replace("0.25", "NA", 1), 3, "\"NA\" is not a score"),
        (SHORT.replace("-0.125", "(none)"), 3, "\"(none)\" is not a score (column \"model_scores\")"),
        (SHORT.replace("90.0", "NaN"), 3, "\"NaN\" is not a score (column \"mean\")"),
    ],
)  # fmt: skip
def test_errors_state_the_line(write, content, line, says):
    path = write("t.tsv", content)
    with pytest.raises(QeError) as caught:
        read_scores(path)
    assert says in caught.value.message
    assert (caught.value.place.file, caught.value.place.line) == (str(path), line)
    assert caught.value.hint


@pytest.mark.parametrize("content", [GRID, LONG])
@pytest.mark.parametrize("size", [2, 4])
def test_wrong_number_of_segments_is_refused(write, content, size):
    with pytest.raises(QeError) as caught:
        read_scores(write("t.tsv", content), size=size)
    assert ("missing" if size == 4 else "does not exist") in caught.value.message
    assert caught.value.place.line


def test_huge_segment_number_is_refused_without_allocating_memory(write):
    with pytest.raises(QeError, match="missing"):
        read_scores(write("t.tsv", f"seg\tgold\n0\t1\n{10**14}\t2\n"))


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Z")), min_size=1, max_size=8).filter(
    lambda name: '"' not in name and name == name.strip()
)
NUMBERS = st.floats(-1e9, 1e9).map(lambda value: float(f"{value:.12g}"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_wide_and_long_tables_are_read_in_any_row_order(write, data):
    names = [f"{name}!" for name in data.draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=str.lower))]
    size = data.draw(st.integers(1, 12))
    gold = data.draw(st.lists(NUMBERS, min_size=size, max_size=size))
    scores = {name: data.draw(st.lists(NUMBERS, min_size=size, max_size=size)) for name in names}
    base = data.draw(st.integers(0, 1)) if size > 1 else 0
    shuffle = random.Random(data.draw(st.integers(0, 99))).shuffle
    wide = [
        [str(segment + base), repr(gold[segment]), *(repr(scores[name][segment]) for name in names)]
        for segment in range(size)
    ]
    long = [
        [n, str(segment + base), repr(scores[n][segment]), "0", repr(gold[segment])]
        for n in names
        for segment in range(size)
    ]
    for header, rows in ((["seg", "gold", *names], wide), (["METRIC", "SID", "SCORE", "RANK", "gold"], long)):
        shuffle(rows)
        path = write("t.tsv", "".join("\t".join(row) + "\n" for row in [header, *rows]))
        for expected_size in (None, size):
            parsed = read_scores(path, size=expected_size)
            assert columns(parsed.golds) == {"gold": gold}
            assert columns(parsed.systems) == scores


# --- score tables in a corpus


def keys(corpus):
    return {(key.provenance, key.name) for key in corpus.layers}


GOLD, SYSTEM = Provenance.GOLD, Provenance.SYSTEM


@pytest.mark.parametrize("content", [GRID, LONG.replace("HUMAN", "gold")])
def test_table_provides_gold_and_systems(write, content):
    path = write("t.tsv", content)
    (plan,) = plan_imports([path])
    (file,) = plan.files
    assert (file.role, file.golds, file.systems, plan.systems()) == (Role.GOLD, ("gold",), ("A", "B"), {"A", "B"})
    assert file.description == "scores of 3 segments: gold; A, B"
    opened = build_corpus(plan)
    assert keys(opened) == {(GOLD, "gold"), (SYSTEM, "A"), (SYSTEM, "B")}
    assert opened.layers[LayerKey(SYSTEM, "A", Kind.SCORES)].scores.tolist() == [1, 0.2, 0.3]


def test_user_can_change_the_role_of_a_table(write):
    path = write("t.tsv", GRID)
    (plan,) = plan_imports([path])
    assert keys(build_corpus(plan.with_role(path, Role.SYSTEM))) == {(SYSTEM, "A"), (SYSTEM, "B")}
    golds = write("g.tsv", "seg\thter\tz_mean\n0\t0.5\t1\n1\t0.25\t2\n")
    (plan,) = plan_imports([golds])
    assert keys(build_corpus(plan)) == {(GOLD, "hter"), (GOLD, "z_mean")}
    assert keys(build_corpus(plan.with_role(golds, Role.SYSTEM))) == {(SYSTEM, "hter"), (SYSTEM, "z_mean")}
    systems = write("s.tsv", "seg\tA\tB\n0\t0.5123\t1.0011\n1\t0.25\t2\n")
    (plan,) = plan_imports([systems])
    assert plan.files[0].role is Role.SYSTEM
    assert keys(build_corpus(plan.with_role(systems, Role.GOLD))) == {(GOLD, "A"), (GOLD, "B")}


def test_texts_of_a_table_are_used_if_there_are_no_others(write, tmp_path):
    lines = SHORT.splitlines()
    path = write("c/dev.df.short.tsv", "\n".join([lines[0], lines[2], lines[1]]) + "\n")
    (plan,) = plan_imports([path])
    assert plan.table_of_texts() is plan.files[0]
    assert "the table also contains texts: source and MT" in plan.files[0].notes
    opened = build_corpus(plan)
    # one cell contains an unescaped quote, so quotes are text in all cells
    assert list(opened.text(TextRole.SOURCE).lines()) == ["2022", "Yes, 'yes'"]
    assert list(opened.text(TextRole.MT).lines()) == ['im Jahr "2022"', '"Ja"']
    quoted = path.read_text().replace('im Jahr "2022"', '"im Jahr ""2022"""')
    opened = build_corpus(plan_imports([write("c/dev.df.short.tsv", quoted)])[0])
    assert list(opened.text(TextRole.MT).lines()) == ['im Jahr "2022"', "Ja"]
    write("c/dev.mt", "x\ny\n")
    opened = build_corpus(plan_imports([tmp_path / "c"])[0])
    assert list(opened.texts) == [TextRole.MT]
    assert opened.text(TextRole.MT)[0] == "x"
    write("d/dev.df.short.tsv", SHORT)
    write("d/words.tags", "OK BAD\nOK\n")
    (plan,) = plan_imports([tmp_path / "d"])
    assert plan.table_of_texts() is None
    assert not build_corpus(plan).texts


def test_texts_of_a_table_are_added_to_an_open_corpus_of_scores(write):
    scores = write("a.hter", "0.5\n0.25\n")
    opened = build_corpus(plan_imports([scores])[0])
    opened = build_corpus(plan_imports([write("dev.df.short.tsv", SHORT)])[0], base_corpus=opened)
    assert opened.text(TextRole.SOURCE)[0] == "2022"
    assert len(opened.layers) == 4


def test_score_column_may_have_the_name_of_a_text(write):
    scores = read_scores(write("t.tsv", "index\ttarget\tprediction\n0\t0.5123\t0.1234\n1\t0.25\t0.5001\n"))
    assert list(scores.systems) == ["target", "prediction"]


def test_two_tables_with_the_same_column_name_are_refused(write):
    paths = [write("t.tsv", GRID), write("u.tsv", GRID.replace("A", "C").replace("B", "D"))]
    with pytest.raises(QeError, match="gold already has scores") as caught:
        build_corpus(plan_imports(paths)[0])
    assert caught.value.hint == "Rename the column in one of the files."


def test_table_must_have_the_segments_of_the_texts(write, tmp_path):
    write("c/a.src", "x\ny\nz\n")
    write("c/a.mt", "x\ny\nz\n")
    write("c/a.tsv", GRID)
    assert len(build_corpus(plan_imports([tmp_path / "c"])[0]).layers) == 3
    write("c/a.tsv", GRID + "3\t1\t1\t1\n")
    with pytest.raises(QeError, match="segment 3 does not exist: 3 segments are expected") as caught:
        build_corpus(plan_imports([tmp_path / "c"])[0])
    assert caught.value.place.line == 5


def test_large_score_table_is_detected_by_its_first_bytes(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.importing.file_classification.MAX_WHOLE_BYTES", 100)
    for content in (GRID, LONG):
        path = write("t.tsv", content + "\n" * 200)
        (file,) = plan_imports([path])[0].files
        assert (file.role, file.systems) == (Role.GOLD, ("A", "B"))
        assert "score table, " in file.description
        assert len(build_corpus(plan_imports([path])[0]).layers) == 3


@pytest.mark.parametrize(
    "content",
    [
        "segment\tAda\tBen\n1\t3\t4\n2\t5\t1\n",
        "segment\tsystem\tAda\tBen\n1\tA\t30\t44\n2\tA\t5\t100\n",
        "SEGID\tLANGPAIR\tANNOTYPE\tNUMANNOT\tANNOTATOR_01\tMEAN\n1\ten-de\tAD\t1\t71.25\t71.25\n",
        "segment\tscale\tgold\tAda\n1\tadequacy\t3\t4\n",
        "rater\tsystem\tsegment\tscore\nAda\tA\t1\t0.12345\nBen\tA\t1\t0.5\n",
        "segment\trater 1\trater 2\tmean\n1\t0.1234\t0.5\t0.3\n",
        "segment\tAda\tAda started\n1\t0.1234\t2024-01-01\n",
        "segment\tsystem\tscore\n1\tA\t0.1234\n",
    ],
)
def test_rating_tables_are_not_detected_as_scores(write, content):
    opened = open_file(write("ratings.tsv", content))
    assert detect_rating_format(opened)[1] > 0 or "gold" in content
    assert detect_format(opened).name == "text"


def test_table_with_one_nameless_column_is_not_described_as_gold(write):
    assert read(open_file(write("x.tsv", "seg\tscore\n0\t0.12345\n1\t0.2345\n"))).description == "scores of 2 segments"
