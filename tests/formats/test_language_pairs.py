"""Language pairs are the same in any spelling: en-DE, en_de and eng-deu are en-de."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Kind, QeError
from qe_desktop.formats import build_corpus, open_file, plan_imports
from qe_desktop.formats.parsed_tables import select_pair
from tests.formats.test_corpus_split import GOLD, plans_by_part, predictions, systems


def test_language_pairs_are_the_same_in_any_spelling(write):
    """Predictions for en-DE were ignored, because the gold was for en-de."""
    write("task/gold.tsv", "lp\tgold\tsid\tmt\tmttok\ttags\n" + GOLD)
    write("task/Upper/predictions.txt", predictions("en-de").replace("en-de", "en-DE"))
    write("task/Three/predictions.txt", predictions("en-de").replace("en-de", "eng_deu"))
    plans = plans_by_part(plan_imports([write("task/README", "x\n").parent]))
    assert list(plans) == ["en-de", "en-mr"]
    assert systems(plans["en-de"]) == {("Upper", Kind.WORDS), ("Three", Kind.WORDS)}
    (selected,) = plan_imports([write("task/README", "x\n").parent], language_pair="en-DE")
    assert systems(selected) == {("Upper", Kind.WORDS), ("Three", Kind.WORDS)}


def test_a_table_with_two_spellings_of_its_pair_is_one_corpus(write):
    rows = GOLD.splitlines(keepends=True)[:2]
    gold = "lp\tgold\tsid\tmt\tmttok\ttags\n" + rows[0].replace("en-de", "en-DE") + rows[1]
    (plan,) = plan_imports([write("task/gold.tsv", gold).parent])
    assert plan.language_pair == "en-de"
    corpus = build_corpus(plan)
    assert corpus.size == 2
    assert corpus.source_and_target() == ("en", "de")


def test_rating_rows_without_a_pair_do_not_make_several_pairs(write):
    header = "rater,segment,system,scale,value,source,target\n"
    path = write("r.csv", f"{header}Ada,1,A,score,30,en,de\nAda,2,A,score,40,,\n")
    opened = open_file(path)
    assert select_pair(opened, ["", "en-de"], "") == [0, 1]
    with pytest.raises(QeError, match="several language pairs: en-de, en-cs"):
        select_pair(opened, ["", "en-de", "en-cs"], "")
