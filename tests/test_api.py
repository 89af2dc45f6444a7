"""What other programs use: the functions of the command line, of values instead of files."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import qe_desktop
from qe_desktop.cli.main import build_parser
from qe_desktop.corpus import TagColumn
from qe_desktop.formats import write_tag_lines
from tests.building import noisy, random_tags
from tests.commands import answer

ROOT = Path(__file__).parents[1]
RNG = np.random.default_rng(5)
GOLD = random_tags(RNG.integers(1, 12, 80), 0.3, 1)
SYSTEMS = {"a": noisy(GOLD, 0.1, 2), "b": noisy(GOLD, 0.2, 3), "c": noisy(GOLD, 0.4, 4)}
HTER = RNG.random(60)
SCORES = {name: HTER + RNG.normal(0, spread, 60) for name, spread in (("a", 0.1), ("b", 0.5), ("c", 0.6))}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, column in {"gold": GOLD, **SYSTEMS}.items():
        write_tag_lines(tmp_path / f"{name}.tags", column)
    for name, values in {"gold": HTER, **SCORES}.items():
        (tmp_path / f"{name}.scores").write_text("".join(f"{value!r}\n" for value in values.tolist()))
    monkeypatch.chdir(tmp_path)


def by_command(capsys, command, kind, *options):
    ending = "tags" if kind == "words" else "scores"
    systems = [f"{name}.{ending}" for name in SYSTEMS]
    found = answer(capsys, command, kind, "--gold", f"gold.{ending}", "--system", *systems, *options)
    # a file has a form, which values have not
    return found | {"signature": found["signature"].replace("|form:as they are", "")}


def words(column: TagColumn) -> list[list[str]]:
    return [["BAD" if tag else "OK" for tag in segment] for segment in column]


FORMS = {
    "columns": lambda column: column,
    "words": words,
    "numbers": lambda column: [segment.tolist() for segment in column],
    "arrays": lambda column: [np.asarray(segment, np.int64) for segment in column],
    "booleans": lambda column: tuple(segment.astype(bool) for segment in column),
    "arrays of words": lambda column: [np.array(segment) for segment in words(column)],
    "in small letters": lambda column: [[tag.lower() for tag in segment] for segment in words(column)],
}


@pytest.mark.parametrize("form", FORMS)
def test_words_are_scored_as_on_the_command_line(folder, capsys, form):
    made = FORMS[form]
    systems = {name: made(column) for name, column in SYSTEMS.items()}
    report = qe_desktop.score("words", made(GOLD), systems)
    found, expected = report.json(), by_command(capsys, "score", "words")
    assert found == expected
    assert report.systems == ("a", "b", "c")
    assert report.of("mcc").tolist() == [report.json()["systems"][name]["MCC"] for name in "abc"]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, ()),
        (
            {"metrics": ["MCC"], "test": "bootstrap", "rounds": 500, "seed": 7, "correction": "holm", "alpha": 0.2},
            ("--metric", "MCC", "--test", "bootstrap", "--rounds", "500", "--seed", "7", "--correction", "holm",
             "--alpha", "0.2"),
        ),
    ],
    ids=["as usual", "chosen"],
)  # fmt: skip
def test_words_are_compared_as_on_the_command_line(folder, capsys, options, arguments):
    report = qe_desktop.compare("words", GOLD, SYSTEMS, **options)
    assert report.json() == by_command(capsys, "compare", "words", *arguments)
    assert report.systems == ("a", "b", "c")
    found = report.of("MCC")
    assert found.p[0, 2] == report.json()["metrics"]["MCC"]["p"]["a"]["c"]
    assert len(report.tables()) == len(report.json()["metrics"])


@pytest.mark.parametrize("made", [np.asarray, list, tuple])
def test_sentences_are_as_on_the_command_line(folder, capsys, made):
    systems = {name: made(values) for name, values in SCORES.items()}
    assert qe_desktop.score("sentences", made(HTER), systems).json() == by_command(capsys, "score", "sentences")
    found = qe_desktop.compare("sentences", made(HTER), systems).json()
    assert found == by_command(capsys, "compare", "sentences")
    assert found["test"] == "williams-two-tailed"
    assert found["metrics"]["Pearson"]["significant"]["a"] == ["b", "c"]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({"intervals": "bootstrap"}, ("--intervals",)),
        (
            {"intervals": "fisher", "interval_rounds": np.int64(60), "seed": 7},
            ("--intervals", "fisher", "--interval-rounds", "60", "--seed", "7"),
        ),
    ],
    ids=["as usual", "chosen"],
)
def test_intervals_are_as_on_the_command_line(folder, capsys, options, arguments):
    scored = qe_desktop.score("sentences", HTER, SCORES, **options)
    assert scored.json() == by_command(capsys, "score", "sentences", *arguments)
    compared = qe_desktop.compare("sentences", HTER, SCORES, ["Pearson", "MAE"], **options)
    assert compared.json() == by_command(
        capsys, "compare", "sentences", "--metric", "Pearson", "MAE", *arguments
    )  # fmt: skip
    assert scored.intervals["MAE"].shape == (3, 2)
    assert scored.intervals["MAE"].tolist() == compared.intervals["MAE"].tolist()


def test_intervals_are_drawn_over_documents_where_they_are_named(folder, capsys):
    names = [f"d{place // 7}" for place in range(len(GOLD))]
    Path("docs").write_text("".join(f"{name}\n" for name in names))
    found = qe_desktop.score("words", GOLD, SYSTEMS, "MCC", intervals="bootstrap", documents=names).json()
    options = ("--metric", "MCC", "--intervals", "--unit", "document", "--documents", "docs")
    assert found == by_command(capsys, "score", "words", *options)
    assert (
        found["intervals"] != qe_desktop.score("words", GOLD, SYSTEMS, "MCC", intervals="bootstrap").json()["intervals"]
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"intervals": "normal"}, "intervals: “normal” is not an interval method. Use one of bootstrap, fisher, bca."),
        ({"interval_rounds": 100}, "intervals: `interval_rounds` needs `intervals`."),
        ({"intervals": "fisher", "interval_rounds": 39}, "interval_rounds: must be a whole number from 40 to 10,000"),
        ({"intervals": "fisher", "interval_rounds": 10_001}, "interval_rounds: must be a whole number from 40 to"),
        ({"intervals": "fisher", "interval_rounds": 99.5}, "interval_rounds: must be a whole number from 40 to"),
        ({"intervals": "fisher", "seed": -1}, "seed: must be a whole number of at least 0"),
    ],
)
def test_intervals_that_there_are_not(options, said):
    for asked in (qe_desktop.score, qe_desktop.compare):
        with pytest.raises(qe_desktop.QeError) as refused:
            asked("words", GOLD, SYSTEMS, ["MCC"], **options)
        assert str(refused.value).startswith(said)


def test_documents_are_swapped_where_they_are_named(folder, capsys):
    names = [f"d{place // 7}" for place in range(len(GOLD))]
    Path("docs").write_text("".join(f"{name}\n" for name in names))
    found = qe_desktop.compare("words", GOLD, SYSTEMS, "MCC", documents=names).json()
    assert (found["unit"], found["units"]) == ("document", 12)
    options = ("--metric", "MCC", "--unit", "document", "--documents", "docs")
    assert found == by_command(capsys, "compare", "words", *options)


def test_what_is_given_is_not_changed_and_may_change():
    gold, scores = HTER.copy(), {name: values.copy() for name, values in SCORES.items()}
    report = qe_desktop.compare("sentences", gold, scores)
    before = report.json()
    gold[:] = 0
    assert (HTER != 0).any()
    assert report.json() == before
    assert gold.flags.writeable


@pytest.mark.parametrize("level", ["gaps", "source"])
def test_other_levels_of_tags_name_themselves(level):
    report = qe_desktop.score(level, GOLD, SYSTEMS, ["MCC"])
    assert f"tags:{level}" in report.signature
    assert report.of("MCC").tolist() == qe_desktop.score("words", GOLD, SYSTEMS, "MCC").of("MCC").tolist()


def test_what_is_not_named_is_as_on_the_command_line():
    parser = build_parser("compare")
    options = vars(parser.parse_args(["compare", "words", "--gold", "g", "--system", "s"]))
    usual = {name: one.default for name, one in inspect.signature(qe_desktop.compare).parameters.items()}
    for name in ("rounds", "seed", "correction", "alpha", "test"):
        assert usual[name] == options[name]
    for name in ("intervals", "interval_rounds"):
        assert usual[name] is options[name] is inspect.signature(qe_desktop.score).parameters[name].default is None
    assert (usual["metrics"], options["metric"]) == (None, None)


ONE = [["OK", "BAD"], ["BAD"]]


@pytest.mark.parametrize(
    ("level", "gold", "systems", "said"),
    [
        ("words", ONE, {"a": [[0, 1], [1, 1]]}, "systems['a'][1]: 2 tags, but the gold has 1. Both must tag"),
        ("words", ONE, {"a": [[0, 1]]}, "systems['a']: 1 segment, but the gold has 2."),
        ("words", [["OK", "X"], ["BAD"]], {"a": ONE}, "gold[0]: \"X\" is not a tag. Use OK and BAD, or "),
        ("words", [[0], [1, 2]], {"a": ONE}, "gold[1]: \"2\" is not a tag"),
        ("words", [np.array([0]), np.array([0.5, 1])], {"a": ONE}, "gold[1]: \"0.5\" is not a tag"),
        ("words", [[], [], [[1]]], {"a": ONE}, "gold[2]: \"[1]\" is not a tag"),
        ("words", ["OK BAD", "BAD"], {"a": ONE}, "gold[0]: this is not a sequence of tags (and 1 more location)"),
        ("words", [1, 0], {"a": ONE}, "gold[0]: this is not a sequence of tags"),
        ("words", "OK BAD", {"a": ONE}, "gold: this is not a sequence of segments. Use a sequence of tags"),
        ("words", ONE, {"a": None}, "systems['a']: this is not a sequence of segments"),
        ("words", [], {"a": []}, "gold: there are no segments"),
        ("words", ONE, {}, "systems: the systems are not a dictionary. Pass a dictionary of systems by name."),
        ("words", ONE, [ONE], "systems: the systems are not a dictionary"),
        ("words", ONE, {1: ONE}, "systems: the systems are not a dictionary"),
        ("sentences", [1, 2, 3], {"a": [1, 2]}, "systems['a']: 2 scores for 3 segments. Use one score per segment."),
        ("sentences", [1, float("nan")], {"a": [1, 2]}, "gold[1]: \"nan\" is not a number"),
        ("sentences", [1, None], {"a": [1, 2]}, "gold[1]: \"None\" is not a number"),
        ("sentences", [1, "x"], {"a": [1, 2]}, "gold: these are not one number per segment"),
        ("sentences", ONE, {"a": [1, 2]}, "gold: these are not one number per segment"),
        ("sentences", 5, {"a": [1, 2]}, "gold: these are not one number per segment"),
        ("paragraphs", [1], {"a": [1]}, "“paragraphs” is not a level. Use one of words, gaps, source, sentences"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_with_its_place(level, gold, systems, said):
    with pytest.raises(qe_desktop.QeError) as refused:
        qe_desktop.score(level, gold, systems)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rounds": 0}, "rounds: must be a whole number of at least 1"),
        ({"rounds": 1.5}, "rounds: must be a whole number of at least 1"),
        ({"seed": -1}, "seed: must be a whole number of at least 0"),
        ({"alpha": 1}, "alpha: must be between 0 and 1"),
        ({"alpha": "x"}, "alpha: must be between 0 and 1"),
        ({"correction": "holms"}, "correction: there is no correction “holms”. Use one of none, bonferroni, holm."),
        ({"test": "t"}, "there is no test “t”. Use one of randomisation, bootstrap."),
        ({"test": "williams"}, "the Williams test compares correlations of segment scores, not tags."),
        ({"metrics": ["BLEU"]}, "there is no metric “BLEU” for tags."),
        ({"documents": ["x"]}, "documents: 1 document name for 80 segments."),
    ],
)
def test_options_that_no_test_has(options, said):
    with pytest.raises(qe_desktop.QeError) as refused:
        qe_desktop.compare("words", GOLD, SYSTEMS, **options)
    assert str(refused.value).startswith(said)


def test_a_comparison_takes_two():
    with pytest.raises(qe_desktop.QeError, match="at least two systems"):
        qe_desktop.compare("words", GOLD, {"a": GOLD})


def test_what_is_not_there_is_missing_as_in_any_module():
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        qe_desktop.scores  # noqa: B018
    assert {"score", "compare", "QeError", "TagColumn", "__version__"} <= set(dir(qe_desktop))


def test_what_checkers_of_types_are_told_is_there():
    told = re.findall(r"import \w+ as (\w+)", (ROOT / "qe_desktop/__init__.pyi").read_text())
    assert sorted(told) == sorted(qe_desktop._USED)
    assert all(getattr(qe_desktop, name) is not None for name in told)


@pytest.mark.process
def test_the_lines_of_the_documentation_run():
    section = (ROOT / "docs/developers.md").read_text().split("## From Python\n")[1].split("\n## ")[0]
    lines = "\n".join(re.findall(r"```python\n(.*?)```", section, re.DOTALL))
    assert lines.count("qe_desktop.") >= 2
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    systems, p = done.stdout.split("\n", 1)
    assert systems == "{'mine': {'MCC': 0.7745966692414834}, 'theirs': {'MCC': 0.0}}"
    assert p.startswith("[[1.")


@pytest.mark.process
@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import qe_desktop", ("numpy", "importlib.metadata", "qe_desktop.")),
        ("import qe_desktop; qe_desktop.score", ("scipy", "PySide6", "qe_desktop.ui", "qe_desktop.cli",
         "qe_desktop.significance", "qe_desktop.project", "qe_desktop.ratings")),
        ("import qe_desktop; qe_desktop.compare('words', [[0, 1]], {'a': [[0, 1]], 'b': [[1, 0]]})", ("PySide6",
         "scipy", "qe_desktop.ui", "qe_desktop.cli", "qe_desktop.project", "qe_desktop.ratings")),
    ],
    ids=["the package", "score", "compare"],
)  # fmt: skip
def test_nothing_is_brought_in_before_it_is_used(code, unwanted):
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, sep='\\n')"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert [name for name in done.stdout.splitlines() if name.startswith(unwanted)] == []


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        (np.ma.array([0.1, 99, 0.3], mask=[False, True, False]), "a masked array has segments without a score"),
        (np.array([1 + 2j, 0, 1]), "these are not one number per segment"),
        (np.array(["2024-01-01", "2024-01-02", "2024-01-03"], "datetime64[D]"), "these are not one number per segment"),
        ([10**400, 1, 2], "these are not one number per segment"),
        (np.array(0), "these are not one number per segment"),
    ],
)
def test_what_would_become_other_numbers_is_refused(scores, says):
    with pytest.raises(qe_desktop.QeError, match=says):
        qe_desktop.score("sentences", [0.1, 0.2, 0.3], {"mine": scores})


def test_tags_without_order_are_refused():
    with pytest.raises(qe_desktop.QeError, match="this is not a sequence of tags"):
        qe_desktop.score("words", [["OK", "BAD"]], {"mine": [{"OK", "BAD"}]})


def test_options_of_numpy_are_written_like_others():
    found = qe_desktop.compare(
        "sentences", [0.1, 0.5, 0.3, 0.9], {"a": [0.2, 0.4, 0.3, 0.8], "b": [0.6, 0.1, 0.2, 0.3]},
        test="randomisation", rounds=np.int64(5), seed=np.int32(2), alpha=np.float32(0.5),
    )  # fmt: skip
    assert json.loads(json.dumps(found.json()))["rounds"] == 5


@pytest.mark.parametrize("intervals", ["bootstrap", "bca"])
def test_what_was_rated_once_has_a_mean_and_no_interval(intervals):
    given = {"once": [9, None, None], "twice": [7, 8, None]}
    systems = {name: {"Ada": values} for name, values in given.items()}
    scored = qe_desktop.score("people", None, systems, ["mean"], intervals=intervals).json()
    compared = qe_desktop.compare("people", None, systems, ["mean"], intervals=intervals).json()
    for found in (scored, compared):
        assert found["intervals"]["once"] == {"mean": None}
        low, high = found["intervals"]["twice"]["mean"]
        assert 7 <= low < high <= 8
        assert any("mean of once has no interval: too few segments" in note for note in found["notes"])
    assert scored["systems"]["once"]["mean"] == 9


def test_bca_intervals_are_named_in_the_signature():
    found = qe_desktop.score("words", GOLD, SYSTEMS, ["MCC"], intervals="bca")
    assert "intervals:bca|interval-rounds:1000" in found.signature


CHINESE = {
    "gold": ["狗在公园里跑，天气好。", "今天的天气非常好，我们去公园散步。"],
    "systems": {"a": ["狗在公园跑，天气好。", "今天天气好，我们去公园。"], "b": ["狗跑。", "天气好，去公园散步。"]},
}


@pytest.mark.parametrize("function", [qe_desktop.score, qe_desktop.compare])
@pytest.mark.parametrize("tokenizer", ["13a", "char", "zh"])
def test_the_tokenizer_is_that_of_sacrebleu(function, tokenizer):
    from sacrebleu.metrics import BLEU

    found = function("translations", **CHINESE, metrics=["BLEU"], tokenize=tokenizer)
    expected = {
        name: BLEU(tokenize=tokenizer).corpus_score(lines, [CHINESE["gold"]]).score
        for name, lines in CHINESE["systems"].items()
    }
    assert dict(zip(found.systems, scores_of(found, "BLEU"), strict=True)) == pytest.approx(expected)
    assert f"tok:{tokenizer}" in found.signature


@pytest.mark.parametrize("function", [qe_desktop.score, qe_desktop.compare])
@pytest.mark.parametrize("asian", [None, False, True])
@pytest.mark.parametrize("normalized", [None, False, True])
def test_ter_options_are_those_of_sacrebleu(function, asian, normalized):
    from sacrebleu.metrics import TER

    found = function("translations", **CHINESE, metrics=["TER"], ter_asian=asian, ter_normalized=normalized)
    # without an option it is that of Chinese, by the script
    ter = TER(asian_support=asian is not False, normalized=normalized is not False)
    expected = {name: ter.corpus_score(lines, [CHINESE["gold"]]).score for name, lines in CHINESE["systems"].items()}
    assert dict(zip(found.systems, scores_of(found, "TER"), strict=True)) == pytest.approx(expected)


def scores_of(found, metric):
    """Scores of a report in the order of its systems; those of a comparison are of one metric."""
    values = found.of(metric)
    return np.asarray(getattr(values, "scores", values)).tolist()


def test_tokenizers_of_other_levels_and_unknown_ones_are_refused():
    with pytest.raises(qe_desktop.QeError, match="no tokenizer “nothing”"):
        qe_desktop.score("translations", **CHINESE, tokenize="nothing")
    for option in ({"tokenize": "char"}, {"ter_asian": True}, {"ter_normalized": False}, {"language_pair": "en-zh"}):
        with pytest.raises(qe_desktop.QeError, match="only translations are tokenized, not words"):
            qe_desktop.score("words", GOLD, SYSTEMS, **option)


@pytest.mark.parametrize(("pair", "tokenizer"), [("en-zh", "zh"), ("zh-en", "13a"), ("", "zh")])
def test_the_language_pair_selects_the_tokenizer(pair, tokenizer):
    found = qe_desktop.score("translations", **CHINESE, metrics=["BLEU"], language_pair=pair)
    assert f"tok:{tokenizer}" in found.signature
    assert bool([note for note in found.notes() if "names another target language" in note]) == (pair == "zh-en")
