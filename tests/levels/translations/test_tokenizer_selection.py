"""Translations are tokenized according to their language, and every output states the tokenizer."""

from __future__ import annotations

import pytest
import sacrebleu

import qe_desktop
from qe_desktop.corpus import Corpus, TextColumn, View
from qe_desktop.levels.registry import levels_of
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES
from qe_desktop.levels.translations.side_by_side import SideBySideRequest, available_texts, side_by_side
from qe_desktop.levels.translations.translation_level import reference_key, system_key
from qe_desktop.metrics import get_metrics
from qe_desktop.metrics.text.tokenization import Tokenization
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from tests.command_line import error_line, json_output, run_command

REFERENCE = ["他说这只狗在公园里跑步,天气很好。", "BLEU 的分数是 35.87,不是 1.10。", "我们明天去北京看朋友。"] * 4
SYSTEMS = {
    "close": ["他说这只狗在公园里跑,天气很好。", "BLEU 分数是 35.87,不是 1.10。", "我们明天要去北京看朋友。"] * 4,
    "far": ["他说一只猫在屋里睡,下雨。", "BLEU 等于 35.87 分。", "我们昨天去了上海看电影。"] * 4,
}
JAPANESE = ["犬が公園を走っている。", "今日は天気がいいです。"]
GERMAN = ["der Hund läuft im Park.", "das Wetter ist heute schön."]
USUAL = ("BLEU", "chrF", "TER")


def write_lines(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture
def files(tmp_path):
    """Folder with a reference and two systems in Chinese."""
    write_lines(tmp_path / "ref.A", REFERENCE)
    for name, lines in SYSTEMS.items():
        write_lines(tmp_path / "systems" / f"{name}.txt", lines)
    return tmp_path


def file_options(files):
    return ("--reference", files / "ref.A", "--system", files / "systems")


def sacrebleu_scores(tokenize="zh", **ter):
    """Return sacreBLEU's scores of the systems."""
    return {
        name: {
            "BLEU": sacrebleu.corpus_bleu(lines, [REFERENCE], tokenize=tokenize).score,
            "chrF": sacrebleu.corpus_chrf(lines, [REFERENCE]).score,
            "TER": sacrebleu.corpus_ter(
                lines, [REFERENCE], **(ter or {"normalized": True, "asian_support": True})
            ).score,
        }
        for name, lines in SYSTEMS.items()
    }


def approx(scores):
    return {name: pytest.approx(by, abs=1e-9) for name, by in scores.items()}


def test_chinese_scores_equal_sacrebleu(capsys, files):
    report = json_output(capsys, "score", "translations", *file_options(files), "--metric", *USUAL)
    assert report["systems"] == approx(sacrebleu_scores())
    assert "|tok:zh|ter-normalized:yes|ter-asian:yes" in report["signature"]
    assert any(note.startswith("BLEU: nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp") for note in report["notes"])
    # 13a leaves most of a Chinese sentence as one token
    plain = json_output(
        capsys, "score", "translations", *file_options(files), "--metric", *USUAL, "--tokenize", "13a",
        "--no-ter-asian", "--no-ter-normalized",
    )  # fmt: skip
    assert plain["systems"] == approx(sacrebleu_scores("13a", normalized=False))
    assert plain["systems"]["close"]["BLEU"] < report["systems"]["close"]["BLEU"] - 30
    assert "tok:13a" in plain["signature"]
    assert any("use tokenizer zh instead of 13a" in note for note in plain["notes"])


def test_language_pair_option_takes_precedence_over_the_script(capsys, files):
    named = json_output(
        capsys, "score", "translations", *file_options(files), "--metric", "BLEU", "--language-pair", "zh-en"
    )
    assert "tok:13a" in named["signature"]
    write_lines(files / "latin.ref", GERMAN)
    write_lines(files / "latin.txt", GERMAN)
    latin = ("--reference", files / "latin.ref", "--system", files / "latin.txt", "--metric", "BLEU")
    assert "tok:zh" in json_output(capsys, "score", "translations", *latin, "--language-pair", "de-zh")["signature"]
    assert "tok:13a" in json_output(capsys, "score", "translations", *latin)["signature"]


@pytest.mark.parametrize(
    ("options", "ter"),
    [
        (["--ter-normalized", "--no-ter-asian"], {"normalized": True}),
        (["--ter-asian-support"], {"normalized": True, "asian_support": True}),
        (["--ter-asian", "--no-ter-normalized"], {"asian_support": True}),
    ],
)
def test_ter_options_equal_those_of_sacrebleu(capsys, files, options, ter):
    report = json_output(capsys, "score", "translations", *file_options(files), "--metric", "TER", *options)
    assert {name: by["TER"] for name, by in report["systems"].items()} == pytest.approx(
        {name: by["TER"] for name, by in sacrebleu_scores(**ter).items()}, abs=1e-9
    )
    signature_part = (
        f"norm:{'yes' if 'normalized' in ter else 'no'}|punct:yes|asian:{'yes' if 'asian_support' in ter else 'no'}"
    )
    assert any(note.startswith("TER: ") and signature_part in note for note in report["notes"])


def test_comparisons_and_studies_state_the_tokenizer(capsys, files):
    compared = json_output(capsys, "compare", "translations", *file_options(files), "--metric", "BLEU", "--rounds", 50)
    assert compared["metrics"]["BLEU"]["scores"] == pytest.approx(
        {name: by["BLEU"] for name, by in sacrebleu_scores().items()}
    )
    assert "tok:zh" in compared["signature"]
    for number in range(3):
        write_lines(files / "systems" / f"s{number}.txt", SYSTEMS["close"][: 4 + number] + SYSTEMS["far"][4 + number :])
    scores = [f"{name}\t{number}" for number, name in enumerate(["far", "s0", "s1", "s2", "close"])]
    write_lines(files / "people.tsv", scores)
    study = json_output(
        capsys,
        "study",
        "meta-evaluation",
        "--human",
        files / "people.tsv",
        *file_options(files),
        "--rounds",
        20,
        "--curve",
        "recall",
    )
    assert study["metrics"]["BLEU"]["scores"]["close"] == pytest.approx(sacrebleu_scores()["close"]["BLEU"])
    assert "tok:zh" in study["signature"]
    assert any(note.startswith("BLEU: nrefs:1|") and "tok:zh" in note for note in study["notes"])


@pytest.mark.parametrize("command", ["score", "compare", "findings"])
@pytest.mark.parametrize("form", ["table", "tsv", "latex", "html"])
def test_every_output_format_names_the_tokenizer(capsys, files, command, form):
    arguments = [files] if command == "findings" else ["translations", *file_options(files)]
    rounds = [] if command == "score" else ["--rounds", 20]
    code, out, err = run_command(capsys, command, *arguments, "--metric", "BLEU", *rounds, "--format", form)
    assert (code, err if form != "tsv" else "") == (0, "")
    if form == "tsv":
        header, *rows = (line.split("\t") for line in out.splitlines())
        assert header[-1] == ("tokenizer" if command == "score" else "signature")
        assert all("zh" in row[-1].replace("tok:zh", "zh") for row in rows)
    else:
        assert "tok:zh" in out
    if form != "tsv" and command != "findings":
        assert "tokenizer zh" in out, "in the title"


def test_pairs_of_a_folder_have_their_own_tokenizers(capsys, files):
    folder = files / "task"
    write_lines(folder / "en-zh" / "ref.A", REFERENCE)
    write_lines(folder / "en-de" / "ref.A", GERMAN * 6)
    for name, lines in SYSTEMS.items():
        write_lines(folder / "en-zh" / "systems" / f"{name}.txt", lines)
        write_lines(folder / "en-de" / "systems" / f"{name}.txt", [*GERMAN, *[f"x {line}" for line in GERMAN]] * 3)
    file_options = (folder, "--metric", *USUAL, "--rounds", 20)
    findings = json_output(capsys, "findings", *file_options)
    scores = {name: {metric: finding["score"] for metric, finding in by.items()} for name, by in
              findings["pairs"]["en-zh"]["systems"].items()}  # fmt: skip
    assert scores == approx(sacrebleu_scores())
    german = json_output(
        capsys, "score", "translations", "--reference", folder / "en-de" / "ref.A", "--system",
        folder / "en-de" / "systems", "--metric", "BLEU",
    )  # fmt: skip
    assert findings["pairs"]["en-de"]["systems"]["far"]["BLEU"]["score"] == german["systems"]["far"]["BLEU"]
    assert "tok:en-de=13a,en-zh=zh" in findings["signature"]
    assert [note.split(": ")[0] for note in findings["notes"] if "BLEU: nrefs" in note] == ["en-de", "en-zh"]
    assert len([note for note in findings["notes"] if "chrF: nrefs" in note]) == 1
    code, out, _ = run_command(capsys, "findings", *file_options, "--by", "metric")
    assert code == 0
    assert f"{sacrebleu_scores()['close']['BLEU']:.3f}" in out
    chosen = json_output(capsys, "findings", *file_options, "--tokenize", "char")
    assert "|tok:char|" in chosen["signature"]
    assert chosen["pairs"]["en-zh"]["systems"]["far"]["BLEU"]["score"] == pytest.approx(
        sacrebleu_scores("char")["far"]["BLEU"]
    )


def test_japanese_without_mecab_is_tokenized_by_characters(capsys, monkeypatch, files):
    monkeypatch.setattr("qe_desktop.metrics.text.tokenization.is_available", lambda name: not name.endswith("mecab"))
    write_lines(files / "ja.ref", JAPANESE)
    write_lines(files / "ja.txt", [JAPANESE[0], "今日は天気がとてもいい。"])
    ja = ("--reference", files / "ja.ref", "--system", files / "ja.txt", "--metric", "BLEU")
    report = json_output(capsys, "score", "translations", *ja)
    assert "tok:char" in report["signature"]
    assert any('pip install "qe-desktop[ja]"' in note for note in report["notes"])
    by_characters = json_output(capsys, "score", "translations", *ja, "--tokenize", "char")
    assert by_characters["systems"] == report["systems"]
    assert not any("pip install" in note for note in by_characters["notes"])


def test_unknown_tokenizer_is_an_error(capsys, files):
    for command in ("score", "compare"):
        assert "no tokenizer “wrong”" in error_line(
            capsys, command, "translations", *file_options(files), "--tokenize", "wrong"
        )
    assert "no tokenizer “wrong”" in error_line(capsys, "findings", files, "--tokenize", "wrong")


# --- from Python


def test_tokenizer_from_python():
    report = qe_desktop.score("translations", REFERENCE, SYSTEMS, USUAL)
    assert report.json()["systems"] == approx(sacrebleu_scores())
    assert "tok:zh" in report.signature
    chosen = qe_desktop.score(
        "translations", REFERENCE, SYSTEMS, USUAL, tokenize="13a", ter_normalized=False, ter_asian=False
    )
    assert chosen.json()["systems"] == approx(sacrebleu_scores("13a", normalized=False))
    named = qe_desktop.compare("translations", REFERENCE, SYSTEMS, ["BLEU"], rounds=20, language_pair="zh-en")
    assert "tok:13a" in named.signature
    assert "tok:zh" in qe_desktop.compare("translations", REFERENCE, SYSTEMS, ["BLEU"], rounds=20).signature


def test_tokenizer_options_are_errors_for_other_levels():
    for options in ({"tokenize": "zh"}, {"language_pair": "en-zh"}, {"ter_asian": False}):
        with pytest.raises(qe_desktop.QeError) as raised:
            qe_desktop.score("words", [["OK"]], {"a": [["OK"]]}, **options)
        assert "applies only to translations" in str(raised.value)
    with pytest.raises(qe_desktop.QeError) as raised:
        qe_desktop.score("translations", REFERENCE, SYSTEMS, tokenize="14a")
    assert "no tokenizer “14a”" in str(raised.value)


# --- the level


def corpus_view(reference=REFERENCE, systems=SYSTEMS, pair=""):
    columns = {name: TextColumn.of(lines) for name, lines in systems.items()}
    return View(Corpus("", len(reference), references={"A": TextColumn.of(reference)}, translations=columns,
                       language_pair=pair))  # fmt: skip


def test_tokenized_level_of_a_corpus_is_one_object():
    """The window compares levels by identity at every change."""
    chinese, german = corpus_view(), corpus_view(GERMAN, {"a": GERMAN})
    level = TRANSLATIONS.of_view(chinese)
    assert level is TRANSLATIONS.of_view(corpus_view()) is level.of_view(chinese)
    assert level is not TRANSLATIONS
    assert TRANSLATIONS.of_view(german) is level.of_view(german) is TRANSLATIONS
    chosen = TRANSLATIONS.with_tokenization(Tokenization("char"))
    assert chosen.of_view(german) is level.with_tokenization(Tokenization("char")).of_view(german)
    assert [tokenized_level.tokenizer for tokenized_level in (level, TRANSLATIONS, chosen)] == ["zh", "13a", "char"]
    assert chosen.of_view(german).with_tokenization(Tokenization()).of_view(chinese) is level
    (result,) = levels_of(chinese, Tokenization("intl"))
    assert result.tokenizer == "intl"
    assert levels_of(chinese) == [level]


def test_script_of_the_texts_is_detected_once(monkeypatch):
    chinese = corpus_view()
    TRANSLATIONS.of_view(chinese)
    monkeypatch.setattr("qe_desktop.corpus.text.script_language", lambda lines: pytest.fail("looked at again"))
    for _ in range(3):
        assert TRANSLATIONS.of_view(chinese).tokenizer == "zh"


def test_rows_of_one_segment_equal_those_of_all_segments():
    from qe_desktop.levels.level import Selection

    chinese = corpus_view()
    level = TRANSLATIONS.of_view(chinese)
    selection = Selection(chinese, reference_key("A"), (system_key("close"),))
    families = [metric.family for metric in get_metrics(["BLEU", "TER", "WER"], level.metrics, "")]
    whole, one = level.rows(selection, families), level.rows_at(selection, families, [(chinese, 1)])
    for family in families:
        assert one[family.name][:, 0].tolist() == whole[family.name][:, 1].tolist()


@pytest.mark.parametrize("marking", ["n-grams", "unigrams", "chunks", "edits"])
def test_marks_follow_the_tokens_of_the_metric(marking):
    """With 13a, only the ends of these two sentences would match."""
    chinese = corpus_view()
    texts = available_texts(chinese.corpus)
    comparison = side_by_side(
        SideBySideRequest(chinese, 2, texts, tuple(texts), reference_key("A"), DIFF_STYLES[marking])
    )
    (line,) = (line for line in comparison.lines if line.name == "close")
    assert line.text == "我们明天要去北京看朋友。"
    shown = {line.text[mark.start : mark.end] for mark in line.marks}
    if marking == "edits":
        assert shown == {"要"}
    elif marking == "chunks":
        assert shown == {"我们明天", "去北京看朋友。"}
    else:
        assert shown == set(line.text) - {"要"}


def test_bleu_shortest_and_bleu_use_different_reference_lengths():
    texts = {"a": ["a b c d e f g h"], "b": ["a b c d"]}
    references = {name: TextColumn.of(lines) for name, lines in texts.items()}
    # seven words are closest to the reference of eight, and the shortest reference has four
    corpus = Corpus("", 1, translations={"s": TextColumn.of(["a b c d e f g"])}, references=references)
    level = TRANSLATIONS.of_view(View(corpus))
    relative = tokenized_pair(["a b c d e f g"], [*texts.values()])
    closest, shortest = (level.metrics[name].family.rows(relative)[0, 1] for name in ("BLEU", "BLEU-shortest"))
    assert (closest, shortest) == (8, 4)
