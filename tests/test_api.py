"""The Python API: the functions of the command line, with values instead of files."""

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
from tests.command_line import json_output
from tests.small_corpora import noisy, random_tags

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


def command_output(capsys, command, kind, *options):
    ending = "tags" if kind == "words" else "scores"
    systems = [f"{name}.{ending}" for name in SYSTEMS]
    output = json_output(capsys, command, kind, "--gold", f"gold.{ending}", "--system", *systems, *options)
    # only files have a tag format
    return output | {"signature": output["signature"].replace("|form:as they are", "")}


def tags_as_words(column: TagColumn) -> list[list[str]]:
    return [["BAD" if tag else "OK" for tag in segment] for segment in column]


FORMS = {
    "columns": lambda column: column,
    "words": tags_as_words,
    "numbers": lambda column: [segment.tolist() for segment in column],
    "arrays": lambda column: [np.asarray(segment, np.int64) for segment in column],
    "booleans": lambda column: tuple(segment.astype(bool) for segment in column),
    "arrays of words": lambda column: [np.array(segment) for segment in tags_as_words(column)],
    "in small letters": lambda column: [[tag.lower() for tag in segment] for segment in tags_as_words(column)],
}


@pytest.mark.parametrize("form", FORMS)
def test_scores_of_words_equal_the_command_line(folder, capsys, form):
    convert = FORMS[form]
    systems = {name: convert(column) for name, column in SYSTEMS.items()}
    report = qe_desktop.score("words", convert(GOLD), systems)
    result, expected = report.json(), command_output(capsys, "score", "words")
    assert result == expected
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
def test_comparison_of_words_equals_the_command_line(folder, capsys, options, arguments):
    report = qe_desktop.compare("words", GOLD, SYSTEMS, **options)
    assert report.json() == command_output(capsys, "compare", "words", *arguments)
    assert report.systems == ("a", "b", "c")
    comparison = report.of("MCC")
    assert comparison.p[0, 2] == report.json()["metrics"]["MCC"]["p"]["a"]["c"]
    assert len(report.tables()) == len(report.json()["metrics"])


@pytest.mark.parametrize("convert", [np.asarray, list, tuple])
def test_scores_and_comparison_of_sentences_equal_the_command_line(folder, capsys, convert):
    systems = {name: convert(values) for name, values in SCORES.items()}
    assert qe_desktop.score("sentences", convert(HTER), systems).json() == command_output(capsys, "score", "sentences")
    result = qe_desktop.compare("sentences", convert(HTER), systems).json()
    assert result == command_output(capsys, "compare", "sentences")
    assert result["test"] == "williams-two-tailed"
    assert result["metrics"]["Pearson"]["significant"]["a"] == ["b", "c"]


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
def test_intervals_equal_the_command_line(folder, capsys, options, arguments):
    scored = qe_desktop.score("sentences", HTER, SCORES, **options)
    assert scored.json() == command_output(capsys, "score", "sentences", *arguments)
    compared = qe_desktop.compare("sentences", HTER, SCORES, ["Pearson", "MAE"], **options)
    assert compared.json() == command_output(
        capsys, "compare", "sentences", "--metric", "Pearson", "MAE", *arguments
    )  # fmt: skip
    assert scored.intervals["MAE"].shape == (3, 2)
    assert scored.intervals["MAE"].tolist() == compared.intervals["MAE"].tolist()


def test_intervals_resample_documents_if_they_are_passed(folder, capsys):
    names = [f"d{index // 7}" for index in range(len(GOLD))]
    Path("docs").write_text("".join(f"{name}\n" for name in names))
    result = qe_desktop.score("words", GOLD, SYSTEMS, "MCC", intervals="bootstrap", documents=names).json()
    options = ("--metric", "MCC", "--intervals", "--unit", "document", "--documents", "docs")
    assert result == command_output(capsys, "score", "words", *options)
    assert (
        result["intervals"]
        != qe_desktop.score("words", GOLD, SYSTEMS, "MCC", intervals="bootstrap").json()["intervals"]
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"intervals": "normal"}, "intervals: “normal” is not an interval method. Use one of bootstrap, bca, fisher."),
        ({"interval_rounds": 100}, "intervals: `interval_rounds` requires `intervals`."),
        ({"intervals": "fisher", "interval_rounds": 39}, "interval_rounds: must be a whole number from 40 to 10,000"),
        ({"intervals": "fisher", "interval_rounds": 10_001}, "interval_rounds: must be a whole number from 40 to"),
        ({"intervals": "fisher", "interval_rounds": 99.5}, "interval_rounds: must be a whole number from 40 to"),
        ({"intervals": "fisher", "seed": -1}, "seed: must be a whole number of at least 0"),
    ],
)
def test_invalid_interval_options_are_rejected(options, message):
    for function in (qe_desktop.score, qe_desktop.compare):
        with pytest.raises(qe_desktop.QeError) as error:
            function("words", GOLD, SYSTEMS, ["MCC"], **options)
        assert str(error.value).startswith(message)


def test_comparison_resamples_documents_if_they_are_passed(folder, capsys):
    names = [f"d{index // 7}" for index in range(len(GOLD))]
    Path("docs").write_text("".join(f"{name}\n" for name in names))
    result = qe_desktop.compare("words", GOLD, SYSTEMS, "MCC", documents=names).json()
    assert (result["unit"], result["units"]) == ("document", 12)
    options = ("--metric", "MCC", "--unit", "document", "--documents", "docs")
    assert result == command_output(capsys, "compare", "words", *options)


def test_arguments_are_copied_and_not_modified():
    gold, scores = HTER.copy(), {name: values.copy() for name, values in SCORES.items()}
    report = qe_desktop.compare("sentences", gold, scores)
    before = report.json()
    gold[:] = 0
    assert (HTER != 0).any()
    assert report.json() == before
    assert gold.flags.writeable


@pytest.mark.parametrize("level", ["gaps", "source"])
def test_signature_names_the_tag_level(level):
    report = qe_desktop.score(level, GOLD, SYSTEMS, ["MCC"])
    assert f"tags:{level}" in report.signature
    assert report.of("MCC").tolist() == qe_desktop.score("words", GOLD, SYSTEMS, "MCC").of("MCC").tolist()


def test_defaults_equal_those_of_the_command_line():
    parser = build_parser("compare")
    options = vars(parser.parse_args(["compare", "words", "--gold", "g", "--system", "s"]))
    defaults = {name: parameter.default for name, parameter in inspect.signature(qe_desktop.compare).parameters.items()}
    for name in ("rounds", "seed", "correction", "alpha", "test"):
        assert defaults[name] == options[name]
    for name in ("intervals", "interval_rounds"):
        assert defaults[name] is options[name] is inspect.signature(qe_desktop.score).parameters[name].default is None
    assert (defaults["metrics"], options["metric"]) == (None, None)


TINY = [["OK", "BAD"], ["BAD"]]


@pytest.mark.parametrize(
    ("level", "gold", "systems", "message"),
    [
        ("words", TINY, {"a": [[0, 1], [1, 1]]}, "systems['a'][1]: 2 tags, but the gold has 1. The tags and the"),
        ("words", TINY, {"a": [[0, 1]]}, "systems['a']: 1 segment, but the gold has 2."),
        ("words", [["OK", "X"], ["BAD"]], {"a": TINY}, "gold[0]: \"X\" is not a tag. Use OK and BAD, or "),
        ("words", [[0], [1, 2]], {"a": TINY}, "gold[1]: \"2\" is not a tag"),
        ("words", [np.array([0]), np.array([0.5, 1])], {"a": TINY}, "gold[1]: \"0.5\" is not a tag"),
        ("words", [[], [], [[1]]], {"a": TINY}, "gold[2]: \"[1]\" is not a tag"),
        ("words", ["OK BAD", "BAD"], {"a": TINY}, "gold[0]: this is not a sequence of tags (and 1 more location)"),
        ("words", [1, 0], {"a": TINY}, "gold[0]: this is not a sequence of tags"),
        ("words", "OK BAD", {"a": TINY}, "gold: this is not a sequence of segments. Use a sequence of tags"),
        ("words", TINY, {"a": None}, "systems['a']: this is not a sequence of segments"),
        ("words", [], {"a": []}, "gold: there are no segments"),
        ("words", TINY, {}, "systems: must be a dictionary with at least one system. Use the names of the systems as"),
        ("words", TINY, [TINY], "systems: must be a dictionary with at least one system"),
        ("words", TINY, {1: TINY}, "systems: must be a dictionary with at least one system"),
        ("sentences", [1, 2, 3], {"a": [1, 2]}, "systems['a']: 2 scores for 3 segments. Use one score per segment."),
        ("sentences", [1, float("nan")], {"a": [1, 2]}, "gold[1]: \"nan\" is not a number"),
        ("sentences", [1, None], {"a": [1, 2]}, "gold[1]: \"None\" is not a number"),
        ("sentences", [1, "x"], {"a": [1, 2]}, "gold: these values are not one number per segment"),
        ("sentences", TINY, {"a": [1, 2]}, "gold: these values are not one number per segment"),
        ("sentences", 5, {"a": [1, 2]}, "gold: these values are not one number per segment"),
        ("paragraphs", [1], {"a": [1]}, "“paragraphs” is not a level. Use one of words, gaps, source, sentences"),
    ],
)  # fmt: skip
def test_invalid_input_is_reported_with_its_position(level, gold, systems, message):
    with pytest.raises(qe_desktop.QeError) as error:
        qe_desktop.score(level, gold, systems)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": 0}, "rounds: must be a whole number of at least 1"),
        ({"rounds": 1.5}, "rounds: must be a whole number of at least 1"),
        ({"seed": -1}, "seed: must be a whole number of at least 0"),
        ({"alpha": 1}, "alpha: must be greater than 0 and less than 1"),
        ({"alpha": "x"}, "alpha: must be greater than 0 and less than 1"),
        ({"correction": "holms"}, "correction: “holms” is not a correction method. Use one of none, bonferroni, holm."),
        ({"test": "t"}, "there is no test “t”. Use one of randomisation, bootstrap."),
        ({"test": "williams"}, "the Williams test applies only to segment scores, not to tags."),
        ({"metrics": ["BLEU"]}, "there is no metric “BLEU” for tags."),
        ({"documents": ["x"]}, "documents: 1 document name for 80 segments."),
    ],
)
def test_invalid_options_are_rejected(options, message):
    with pytest.raises(qe_desktop.QeError) as error:
        qe_desktop.compare("words", GOLD, SYSTEMS, **options)
    assert str(error.value).startswith(message)


def test_comparison_requires_two_systems():
    with pytest.raises(qe_desktop.QeError, match="at least two systems"):
        qe_desktop.compare("words", GOLD, {"a": GOLD})


def test_unknown_attribute_raises_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        qe_desktop.scores  # noqa: B018
    assert {"score", "compare", "QeError", "TagColumn", "__version__"} <= set(dir(qe_desktop))


def test_names_in_the_type_stub_exist():
    stub_names = re.findall(r"import \w+ as (\w+)", (ROOT / "qe_desktop/__init__.pyi").read_text())
    assert sorted(stub_names) == sorted(qe_desktop._LAZY_MODULES)
    assert all(getattr(qe_desktop, name) is not None for name in stub_names)


@pytest.mark.process
def test_documented_python_example_runs():
    section = (ROOT / "docs/developers.md").read_text().split("## From Python\n")[1].split("\n## ")[0]
    lines = "\n".join(re.findall(r"```python\n(.*?)```", section, re.DOTALL))
    assert lines.count("qe_desktop.") >= 2
    process = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")
    systems, p = process.stdout.split("\n", 1)
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
def test_imports_are_deferred_until_use(code, unwanted):
    completed = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, sep='\\n')"], capture_output=True, text=True
    )
    assert completed.returncode == 0, completed.stderr
    assert [name for name in completed.stdout.splitlines() if name.startswith(unwanted)] == []


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        (np.ma.array([0.1, 99, 0.3], mask=[False, True, False]), "masked arrays are not accepted"),
        (np.array([1 + 2j, 0, 1]), "these values are not one number per segment"),
        (
            np.array(["2024-01-01", "2024-01-02", "2024-01-03"], "datetime64[D]"),
            "these values are not one number per segment",
        ),
        ([10**400, 1, 2], "these values are not one number per segment"),
        (np.array(0), "these values are not one number per segment"),
    ],
)
def test_scores_that_would_be_converted_are_rejected(scores, says):
    with pytest.raises(qe_desktop.QeError, match=says):
        qe_desktop.score("sentences", [0.1, 0.2, 0.3], {"mine": scores})


def test_sets_of_tags_are_rejected():
    with pytest.raises(qe_desktop.QeError, match="this is not a sequence of tags"):
        qe_desktop.score("words", [["OK", "BAD"]], {"mine": [{"OK", "BAD"}]})


def test_numpy_options_are_serialized_as_json():
    report = qe_desktop.compare(
        "sentences", [0.1, 0.5, 0.3, 0.9], {"a": [0.2, 0.4, 0.3, 0.8], "b": [0.6, 0.1, 0.2, 0.3]},
        test="randomisation", rounds=np.int64(5), seed=np.int32(2), alpha=np.float32(0.5),
    )  # fmt: skip
    assert json.loads(json.dumps(report.json()))["rounds"] == 5


@pytest.mark.parametrize("intervals", ["bootstrap", "bca"])
def test_system_rated_once_has_a_mean_and_no_interval(intervals):
    ratings = {"once": [9, None, None], "twice": [7, 8, None]}
    systems = {name: {"Ada": values} for name, values in ratings.items()}
    scored = qe_desktop.score("people", None, systems, ["mean"], intervals=intervals).json()
    compared = qe_desktop.compare("people", None, systems, ["mean"], intervals=intervals).json()
    for result in (scored, compared):
        assert result["intervals"]["once"] == {"mean": None}
        low, high = result["intervals"]["twice"]["mean"]
        assert 7 <= low < high <= 8
        assert any("mean of once has no interval: there are too few segments" in note for note in result["notes"])
    assert scored["systems"]["once"]["mean"] == 9


def test_signature_names_bca_intervals():
    report = qe_desktop.score("words", GOLD, SYSTEMS, ["MCC"], intervals="bca")
    assert "intervals:bca|interval-rounds:1000" in report.signature


CHINESE = {
    "gold": ["狗在公园里跑，天气好。", "今天的天气非常好，我们去公园散步。"],
    "systems": {"a": ["狗在公园跑，天气好。", "今天天气好，我们去公园。"], "b": ["狗跑。", "天气好，去公园散步。"]},
}


@pytest.mark.parametrize("function", [qe_desktop.score, qe_desktop.compare])
@pytest.mark.parametrize("tokenizer", ["13a", "char", "zh"])
def test_bleu_equals_sacrebleu_for_each_tokenizer(function, tokenizer):
    from sacrebleu.metrics import BLEU

    report = function("translations", **CHINESE, metrics=["BLEU"], tokenize=tokenizer)
    expected = {
        name: BLEU(tokenize=tokenizer).corpus_score(lines, [CHINESE["gold"]]).score
        for name, lines in CHINESE["systems"].items()
    }
    assert dict(zip(report.systems, scores_of(report, "BLEU"), strict=True)) == pytest.approx(expected)
    assert f"tok:{tokenizer}" in report.signature


@pytest.mark.parametrize("function", [qe_desktop.score, qe_desktop.compare])
@pytest.mark.parametrize("asian", [None, False, True])
@pytest.mark.parametrize("normalized", [None, False, True])
def test_ter_equals_sacrebleu_for_each_option(function, asian, normalized):
    from sacrebleu.metrics import TER

    report = function("translations", **CHINESE, metrics=["TER"], ter_asian=asian, ter_normalized=normalized)
    # the default follows the Chinese script of the texts
    ter = TER(asian_support=asian is not False, normalized=normalized is not False)
    expected = {name: ter.corpus_score(lines, [CHINESE["gold"]]).score for name, lines in CHINESE["systems"].items()}
    assert dict(zip(report.systems, scores_of(report, "TER"), strict=True)) == pytest.approx(expected)


def scores_of(report, metric):
    """Return the scores in the order of the systems, for a report or for a comparison by one metric."""
    values = report.of(metric)
    return np.asarray(getattr(values, "scores", values)).tolist()


def test_unknown_tokenizers_and_tokenizer_options_of_other_levels_are_rejected():
    with pytest.raises(qe_desktop.QeError, match="no tokenizer “nothing”"):
        qe_desktop.score("translations", **CHINESE, tokenize="nothing")
    for option in ({"tokenize": "char"}, {"ter_asian": True}, {"ter_normalized": False}, {"language_pair": "en-zh"}):
        with pytest.raises(qe_desktop.QeError, match="applies only to translations, not to words"):
            qe_desktop.score("words", GOLD, SYSTEMS, **option)


@pytest.mark.parametrize(("pair", "tokenizer"), [("en-zh", "zh"), ("zh-en", "13a"), ("", "zh")])
def test_language_pair_selects_the_tokenizer(pair, tokenizer):
    report = qe_desktop.score("translations", **CHINESE, metrics=["BLEU"], language_pair=pair)
    assert f"tok:{tokenizer}" in report.signature
    assert bool([note for note in report.notes() if "has another target language" in note]) == (pair == "zh-en")
