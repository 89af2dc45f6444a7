"""Translation level: published scores of WMT21, single and multiple references, and invalid input."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest

import qe_desktop
from qe_desktop.corpus import Corpus, QeError, TextColumn, TextRole, View
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.translation_level import ALL_REFERENCES, reference_key, translations_of
from qe_desktop.metrics import metric_families
from tests.command_line import error_line, json_output

REFERENCE = ["the cat sat on the mat .", "it is raining today .", "nobody came ."]
OTHER = ["a cat was sitting on the mat .", "today it rains .", "no one came ."]
GOOD = ["the cat sat on a mat .", "it is raining today .", "no one came ."]
BAD = ["cat sit mat .", "is raining .", "nobody comes here ."]


@pytest.fixture
def files(tmp_path):
    """Folder with two references and two systems."""
    texts = {"ref.A": REFERENCE, "ref.B": OTHER, "good.txt": GOOD, "bad.txt": BAD}
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def score_translations(capsys, *arguments):
    return json_output(capsys, "score", "translations", *arguments)


def test_score_command_reports_systems_metrics_and_signatures(capsys, files):
    report = score_translations(
        capsys, "--reference", files / "ref.A", "--system", files / "good.txt", f"worse={files / 'bad.txt'}"
    )
    assert (report["segments"], report["items"]) == (3, 3)
    assert set(report["systems"]) == {"good", "worse"}
    assert {"BLEU", "NIST"} <= set(report["metrics"])
    assert report["systems"]["good"]["BLEU"] > report["systems"]["worse"]["BLEU"]
    assert "references:A" in report["signature"]
    assert any(note.startswith("BLEU: nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp") for note in report["notes"])


def test_several_references_are_used_together(capsys, files):
    one = score_translations(capsys, "--reference", files / "ref.A", "--system", files / "good.txt", "--metric", "BLEU")
    both = score_translations(
        capsys, "--reference", files / "ref.A", files / "ref.B", "--system", files / "good.txt", "--metric", "BLEU"
    )
    assert both["systems"]["good"]["BLEU"] > one["systems"]["good"]["BLEU"]
    assert "references:A+B" in both["signature"]


def test_scores_are_case_sensitive_by_default(capsys, files):
    (files / "loud.txt").write_text("".join(f"{line.upper()}\n" for line in REFERENCE))
    inputs = ("--reference", files / "ref.A", "--system", files / "loud.txt", "--metric", "BLEU")
    assert score_translations(capsys, *inputs, "--lowercase")["systems"]["loud"]["BLEU"] == pytest.approx(100)
    assert score_translations(capsys, *inputs)["systems"]["loud"]["BLEU"] < 50


@pytest.mark.parametrize(
    ("lines", "line", "message"), [(["one", "two"], 3, "2 lines, but"), (["a"] * 5, 4, "5 lines, but")]
)
def test_different_number_of_lines_is_an_error(capsys, files, lines, line, message):
    (files / "other.txt").write_text("".join(f"{text}\n" for text in lines))
    for arguments in (
        ("--reference", files / "ref.A", "--system", files / "other.txt"),
        ("--reference", files / "ref.A", files / "other.txt", "--system", files / "good.txt"),
        ("--reference", files / "ref.A", "--system", files / "good.txt", "--source", files / "other.txt"),
    ):
        error = error_line(capsys, "score", "translations", *arguments)
        assert message in error
        assert f"other.txt:{line}:" in error


def test_empty_segments_and_copied_references_are_noted_and_scored(capsys, files):
    (files / "half.txt").write_text("the cat sat on the mat .\n\n\n")
    report = score_translations(
        capsys, "--reference", files / "ref.A", "--system", files / "half.txt", f"copy={files / 'ref.A'}"
    )
    assert report["systems"]["copy"]["BLEU"] == pytest.approx(100)
    assert "2 segments of half are empty" in report["notes"]
    assert "systems identical to a reference: copy" in report["notes"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tokenize", "nowhere"], "nowhere"),
        (["--metric", "nowhere"], "there is no metric “nowhere”"),
    ],
)
def test_unknown_tokenizer_and_metric_are_errors(capsys, files, arguments, message):
    inputs = ("--reference", files / "ref.A", "--system", files / "good.txt")
    assert message in error_line(capsys, "score", "translations", *inputs, *arguments)


def test_williams_test_is_rejected_for_translations(capsys, files):
    inputs = ("--reference", files / "ref.A", "--system", files / "good.txt", files / "bad.txt")
    assert "not to translations" in error_line(capsys, "compare", "translations", *inputs, "--test", "williams")


def test_compare_command_finds_the_better_system_by_two_metrics(capsys, files):
    lines = {"a": GOOD * 20, "b": BAD * 20, "same": GOOD * 20}
    (files / "ref").write_text("".join(f"{line}\n" for line in REFERENCE * 20))
    for name, texts in lines.items():
        (files / f"{name}.txt").write_text("".join(f"{line}\n" for line in texts))
    systems = [files / f"{name}.txt" for name in lines]
    comparison = json_output(
        capsys,
        "compare",
        "translations",
        "--reference",
        files / "ref",
        "--system",
        *systems,
        "--metric",
        "BLEU",
        "NIST",
    )
    for metric in ("BLEU", "NIST"):
        result = comparison["metrics"][metric]
        assert result["p"]["a"]["same"] == 1
        assert result["significant"]["a"] == ["b"]
        assert result["scores"]["a"] > result["scores"]["b"]


@pytest.fixture
def corpus():
    """Corpus with an MT text without system name, a named system and two references."""
    column = TextColumn.of
    return Corpus(
        "", 3, texts={TextRole.MT: column(GOOD)}, translations={"bad": column(BAD)},
        references={"A": column(REFERENCE), "B": column(OTHER)},
    )  # fmt: skip


def test_translation_that_is_named_mt_does_not_hide_the_mt(corpus):
    named = replace(corpus, translations={"MT": TextColumn.of(BAD), "MT 2": TextColumn.of(OTHER)})
    assert {name: text[0] for name, text in translations_of(named).items()} == {
        "MT": BAD[0], "MT 2": OTHER[0], "MT 3": GOOD[0],
    }  # fmt: skip
    # the same text under the same name is one translation
    assert list(translations_of(replace(corpus, translations={"MT": TextColumn.of(GOOD)}))) == ["MT"]


def test_references_are_offered_together_and_individually(corpus):
    view = View(corpus)
    assert TRANSLATIONS.references(view) == [reference_key(ALL_REFERENCES), reference_key("A"), reference_key("B")]
    together, first = (Scoring.of(TRANSLATIONS, view, reference_key(name)) for name in (ALL_REFERENCES, "A"))
    assert [key.name for key in together.subjects] == ["MT", "bad"]
    bleu = TRANSLATIONS.metrics["BLEU"]
    assert (together.scores([bleu]) >= first.scores([bleu])).all()
    assert together.scores([bleu])[0] > first.scores([bleu])[0]
    assert TRANSLATIONS.data_summary(together) == "3 segments, 2 references, tokenizer 13a"
    assert TRANSLATIONS.data_summary(first) == "3 segments, 1 reference, tokenizer 13a"


def test_mt_identical_to_a_system_is_listed_once(corpus):
    same = Corpus(
        "", 3, texts=dict(corpus.texts), translations={"good": TextColumn.of(GOOD)}, references=corpus.references
    )
    assert [key.name for key in TRANSLATIONS.subjects(View(same), reference_key(ALL_REFERENCES))] == ["good"]


def test_level_is_absent_without_references(corpus):
    alone = View(Corpus("", 3, texts=dict(corpus.texts), translations=dict(corpus.translations)))
    assert not TRANSLATIONS.has_data(alone)
    assert Scoring.of(TRANSLATIONS, alone) is None


def test_rows_sum_to_the_score_and_computing_them_can_be_stopped(corpus):
    scoring = Scoring.of(TRANSLATIONS, View(corpus))
    metrics = list(TRANSLATIONS.metrics.values())
    shares = []
    rows = scoring.rows(metric_families(metrics), shares.append)
    assert shares[-1] == 1
    assert shares == sorted(shares)
    order = [2, 0, 1]
    for metric in metrics:
        family_rows = rows[metric.family.name]
        assert family_rows.shape[:2] == (2, 3)
        np.testing.assert_allclose(
            metric.score(family_rows.sum(axis=1)), metric.score(family_rows[:, order].sum(axis=1))
        )

    class Stopped(Exception):
        pass

    def stop(share):
        raise Stopped

    with pytest.raises(Stopped):
        scoring.rows(metric_families(metrics), stop)


def test_scores_from_python():
    report = qe_desktop.score("translations", [REFERENCE, OTHER], {"good": GOOD, "bad": BAD}, ["BLEU"])
    assert report.of("BLEU")[0] > report.of("BLEU")[1]
    named = qe_desktop.score("translations", {"A": REFERENCE, "B": OTHER}, {"good": GOOD, "bad": BAD}, ["BLEU"])
    assert named.of("BLEU").tolist() == report.of("BLEU").tolist()
    alone = qe_desktop.score("translations", REFERENCE, {"good": GOOD}, ["BLEU"])
    assert alone.of("BLEU") == pytest.approx(
        qe_desktop.score("translations", [REFERENCE], {"x": GOOD}, ["BLEU"]).values[0]
    )


@pytest.mark.parametrize(
    ("gold", "systems", "message"),
    [
        ([[first, second] for first, second in zip(REFERENCE, OTHER, strict=True)], {"good": GOOD}, "transposed"),
        (REFERENCE[:2], {"good": GOOD}, "3 lines, but gold has 2"),
        ([REFERENCE, OTHER[:2]], {"good": GOOD}, "2 lines"),
        (REFERENCE, {"good": "one text"}, "not a sequence of texts"),
        (REFERENCE, {"good": ["a\nb", "c", "d"]}, "line break"),
        (REFERENCE, {"good": ["\ud800", "c", "d"]}, "Unicode"),
        ({}, {"good": GOOD}, "not a sequence of texts"),
        (3, {"good": GOOD}, "not a sequence of texts"),
    ],
)
def test_invalid_texts_from_python_are_errors(gold, systems, message):
    with pytest.raises(QeError, match=message):
        qe_desktop.score("translations", gold, systems)


@pytest.mark.published
@pytest.mark.parametrize("pair", ["cs-en", "de-fr"])
def test_scores_equal_the_published_ones_of_wmt21(capsys, data_folder, pair):
    folder = data_folder / "wmt21_news" / pair
    with (folder / "published.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    metric_names = {"bleu": "BLEU", "chrf": "chrF"}
    checked = 0
    for against in sorted({row["metric"].partition("-")[2] for row in rows}):
        names = ("A", "B") if against == "all" else (against,)
        references = [folder / f"ref.{name}" for name in names]
        if not all(path.exists() for path in references):
            continue
        report = score_translations(
            capsys, "--reference", *references, "--system", folder / "systems", "--metric", *metric_names.values()
        )
        for row in rows:
            metric, _, of = row["metric"].partition("-")
            if of == against and metric in metric_names and row["system"] in report["systems"]:
                assert report["systems"][row["system"]][metric_names[metric]] == pytest.approx(
                    float(row["score"]), abs=1e-6
                )
                checked += 1
    # systems × two metrics × references: each one, and both together for cs-en
    assert checked == {"cs-en": 8 * 2 * 3, "de-fr": 9 * 2}[pair]


def test_bleu_without_a_match_is_zero_and_rates_without_reference_words_are_null(capsys, files):
    (files / "none.txt").write_text("x\ny\nz\n")
    (files / "empty.txt").write_text("\n\n\n")
    (files / "empty.ref").write_text("\n\n\n")
    systems = ("--system", files / "none.txt", files / "empty.txt", files / "good.txt")
    names = [name for name in TRANSLATIONS.metrics if name.startswith("BLEU")]
    for reference in ("ref.A", "empty.ref"):
        inputs = ("--reference", files / reference, *systems, "--metric", *names)
        report = score_translations(capsys, *inputs, "--intervals")
        for name in ("none", "empty"):
            assert report["systems"][name] == dict.fromkeys(names, 0)
            assert report["intervals"][name] == {metric: [0, 0] for metric in names}
        assert not any("ndefined" in note for note in report["notes"])
        compared = json_output(capsys, "compare", "translations", *inputs, "--rounds", 20)["metrics"]
        assert {by["scores"]["none"] for by in compared.values()} == {0}
    # word error rates divide by the reference words; chrF and TER are defined as in sacreBLEU
    nothing = score_translations(capsys, "--reference", files / "empty.ref", *systems)
    assert {name for name, value in nothing["systems"]["none"].items() if value is None} == {"NIST", "WER", "PER"}
