"""Ambiguous tables are never read as ratings without confirmation, and every column that is not read is noted."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.corpus.ratings_merge import check_not_mixed
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.formats.ratings import AmbiguousTableError, read_ratings

UNSURE = {
    "p-values of systems": ("id,online-A,online-B\nonline-A,,0.03\nonline-B,0.97,\n", "wide"),
    "ages": ("id,age,hours\n1,34,2.5\n2,51,7\n", "wide"),
    "statistics of raters": ("id mean.score sd.score hits\nw1 61.2 20.1 12\nw2 48.0 31.7 4\n", "wide"),
    "scores of metrics by system": ("system,seg,BLEU,COMET\nA,1,23.1,0.81\nB,1,20.0,0.77\n", "wide"),
    "a metric's scores": ("system,segment,score\nA,1,0.81\nB,1,0.77\n", "long"),
    "p-values without a header": ("0.03 0.5\n0.97 0.01\n", "wide"),
    "one column of counts": ("segment,words\n1,3\n2,5\n", "wide"),
    "measures called so": ("segment,measure,first,second\n1,length,12,13\n2,depth,3,4\n", "wide"),
}


@pytest.mark.parametrize("name", UNSURE)
def test_ambiguous_table_needs_confirmation(write, name):
    """A table with an id and columns of numbers, such as mean.score, does not necessarily contain ratings."""
    text, form = UNSURE[name]
    path = write("table.csv", text)
    with pytest.raises(AmbiguousTableError, match="unclear whether this is a table of ratings") as caught:
        read_ratings(path)
    assert caught.value.form == form
    assert f"--table {form}" in caught.value.command_hint
    assert caught.value.place.file == str(path)
    # the user can confirm that it contains ratings
    assert len(read_ratings(path, form=form).scores)
    assert len(read_ratings(path, accept_ambiguous=True).scores)


def test_ambiguity_error_describes_the_use_of_each_column(write):
    with pytest.raises(AmbiguousTableError) as caught:
        read_ratings(write("x.csv", "segment,Engine,Ada,Ben,remark\n1,A,61,33.5,x\n2,A,70,,y\n"))
    uses = [(use.name, use.use, use.examples) for use in caught.value.uses]
    assert uses == [
        ("segment", "segment", ("1", "2")), ("Engine", "system", ("A", "A")), ("Ada", "rater", ("61", "70")),
        ("Ben", "rater", ("33.5", "")), ("remark", "", ("x", "y")),
    ]  # fmt: skip


def test_rater_columns_can_be_selected(write, read_error):
    text = "segment,Ada,Ben,age\n1,61,33,34\n2,70,20,51\n"
    ratings = read_ratings(write("x.csv", text), raters=("Ada", "Ben"))
    assert ratings.scores.raters == ("Ada", "Ben")
    assert 'column not read: "age"' in ratings.notes
    assert '"Cy" is not a column of this table' in read_error(text, raters=("Cy",)).message
    assert '"segment" cannot be a rater column' in read_error(text, raters=("segment",)).message


@pytest.mark.parametrize(
    ("text", "raters"),
    [
        ("segment,ANNOTATOR_01,age\n1,3,30\n2,88,31\n", ["ANNOTATOR_01"]),
        ("id,judge 1,judge 2,p\n1,3,4,.05\n2,9,1,.5\n", ["judge 1", "judge 2"]),
        ("segment,Ada,Ben,n,Ada started,Ben started\n1,33,4,9,2024-03-24,\n", ["Ada", "Ben"]),
        ("segment,scale,Ada,Ben\n1,adequacy,33,48\n", ["Ada", "Ben"]),
        ("segment,Ada,Ben\n1,3,4\n2,5,1\n", ["Ada", "Ben"]),
        ("segment,j1,rater mean,annotator count\n1,3,2.5,4\n2,8,3,4\n", ["j1"]),
    ],
)
def test_tables_with_recognizable_raters_need_no_confirmation(write, text, raters):
    scores = read_ratings(write("x.csv", text)).scores
    assert sorted({row.rater for row in scores.rows()}) == sorted(raters)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("rater,segment,system,value,age,p\nAda,1,A,3,34,0.5\n", ["age", "p"]),
        ("rater,segment,id,value\nAda,1,7,3\n", ["id"]),
        ("segment,judge 1,judge 2,mean,mood\n1,3,4,3.5,x\n", ["mean", "mood"]),
        ("srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,mood\n1,4,j,A,1,B,2,x\n",
         ["segmentId", "mood"]),
        ("WorkerId\tsys_id\trid\ttype\tsid\tscore\nM1\tA\t1\tSYSTEM\t1\t0.6\n", ["rid"]),
        ('{"rater": "Ada", "system": "A", "segment": "1", "value": 3, "age": 34, "mood": "x"}\n', ["age", "mood"]),
    ],
)  # fmt: skip
def test_unread_columns_are_noted(write, text, unread):
    listed = ", ".join(f'"{name}"' for name in unread)
    part = "field" if text.startswith("{") else "column"
    expected = f"{part}{'' if len(unread) == 1 else 's'} not read: {listed}"
    assert expected in read_ratings(write("x.csv", text)).notes


def test_selected_format_that_does_not_fit_is_refused(write):
    with pytest.raises(QeError, match="not those of a table with one column per rater"):
        read_ratings(write("x.csv", "a,b\nc,d\n"), form="wide")


def test_blind_exports_of_two_campaigns_are_refused(tmp_path):
    """System A of one campaign must not be merged with System A of another."""
    (tmp_path / "texts.src").write_text("a b\nc d\n")
    (tmp_path / "texts.mt").write_text("e f\ng h\n")
    for uid in ("c1", "c2"):
        text = f"rater,segment,system,scale,value,campaign\nAda,1,System A,score,30,{uid} (blind)\n"
        (tmp_path / f"{uid}.csv").write_text(text)
    with pytest.raises(QeError, match="blind export of the campaign c1 identifies systems only by letters"):
        build_corpus(plan_imports([tmp_path])[0])
    (tmp_path / "c2.csv").unlink()
    ratings = build_corpus(plan_imports([tmp_path])[0]).ratings
    assert ratings is not None
    assert ratings.scores.systems == ("System A",)


def test_one_file_that_mixes_a_blind_campaign_with_other_ratings_is_refused(write):
    """System A of the blind campaign is not the system that is called "System A" elsewhere."""
    rows = "Ada,1,System A,score,30,c1 (blind)\nAda,2,System A,score,40,\n"
    ratings = read_ratings(write("x.csv", f"rater,segment,system,scale,value,campaign\n{rows}"))
    with pytest.raises(QeError, match="blind export of the campaign c1 identifies systems only by letters"):
        check_not_mixed([ratings])
