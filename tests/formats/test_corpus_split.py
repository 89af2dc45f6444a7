"""Several corpora in one folder, distinguished by the stems of file names or by language pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, TextRole
from qe_desktop.formats import CorpusPlan, Role, build_corpus, plan_imports
from tests.command_line import error_line, run_command

SYSTEM = Provenance.SYSTEM
TEXTS = {
    "train": ("a b\nc\n", "x y\nz\n", "OK BAD OK OK OK\nOK OK OK\n", "OK BAD\nOK\n", "0-0 1-1\n0-0\n"),
    "dev": ("d\ne f\n", "u\nv w\n", "OK BAD OK\nOK OK OK OK OK\n", "BAD\nOK OK\n", "0-0\n0-0 1-1\n"),
    "test": ("g h\ni\nj\n", "p q\nr\ns\n", "", "", "0-0\n0-0\n0-0\n"),
}
ENDINGS = ("src", "mt", "tags", "src_tags", "src-mt.alignments")


def write_split_corpus(write, name: str = "wmt_en-de") -> Path:
    for stem, contents in TEXTS.items():
        for ending, content in zip(ENDINGS, contents, strict=True):
            if content:
                write(f"{name}/{stem}.{ending}", content)
    return write(f"{name}/README.md", "about\n").parent


def used_roles(plan: CorpusPlan) -> dict[str, Role]:
    return {file.path.name: file.role for file in plan.files if file.role is not Role.IGNORED}


def notes(plan: CorpusPlan) -> dict[str, str]:
    return {file.path.name: "; ".join(file.notes) for file in plan.files if file.role is Role.IGNORED}


def plans_by_part(plans: list[CorpusPlan]) -> dict[str, CorpusPlan]:
    return {plan.part: plan for plan in plans}


def test_train_dev_and_test_are_separate_corpora(write):
    plans = plans_by_part(plan_imports([write_split_corpus(write)]))
    assert list(plans) == ["dev", "test", "train"]
    assert plans["dev"].name == "wmt_en-de dev"
    assert {plan.language_pair for plan in plans.values()} == {"en-de"}
    for stem in ("dev", "train"):
        assert used_roles(plans[stem]) == {
            f"{stem}.src": Role.SOURCE,
            f"{stem}.mt": Role.MT,
            f"{stem}.tags": Role.GOLD,
            f"{stem}.src_tags": Role.GOLD,
            f"{stem}.src-mt.alignments": Role.ALIGNMENTS,
        }
    assert set(used_roles(plans["test"])) == {"test.src", "test.mt", "test.src-mt.alignments"}
    assert [build_corpus(plan).size for plan in plans.values()] == [2, 3, 2]
    assert build_corpus(plans["train"]).gold(Kind.GAPS).form == "2n+1"


def test_files_without_a_stem_belong_to_the_corpus_they_fit(write):
    folder = write_split_corpus(write)
    write("wmt_en-de/systems/S.tags", "BAD\nOK OK\n")
    write("wmt_en-de/sys.hter", "0.5\n0\n0.1\n")
    write("wmt_en-de/other.hter", "0.5\n0\n")
    write("wmt_en-de/systems/T.dev.tags", "OK\nOK OK\n")
    write("wmt_en-de/systems/none.tags", "OK OK OK OK\n")
    plans = plans_by_part(plan_imports([folder]))
    assert used_roles(plans["dev"])["S.tags"] is Role.SYSTEM
    assert "S.tags" not in {**used_roles(plans["train"]), **notes(plans["train"])}
    assert build_corpus(plans["dev"]).names(SYSTEM) == ["S", "T"]
    assert used_roles(plans["test"])["sys.hter"] is Role.SYSTEM
    for plan in plans.values():
        assert "fits several corpora" in notes(plan)["other.hter"]
        assert "fits none" in notes(plan)["none.tags"]
        assert "not a corpus file" in notes(plan)["README.md"]


def test_shared_source_is_part_of_each_corpus(write):
    write("c/source.src", "a b\nc\n")
    for name, tags in (("one", "OK BAD\nOK\n"), ("two", "OK\nOK OK\n")):
        write(f"c/{name}.mt", "x y\nz\n" if name == "one" else "x\ny z\n")
        write(f"c/{name}.tags", tags)
    plans = plans_by_part(plan_imports([write("c/README", "x\n").parent]))
    assert list(plans) == ["one", "two"]
    assert all(build_corpus(plan).text(TextRole.SOURCE)[0] == "a b" for plan in plans.values())


def test_references_and_documents_are_shared_only_if_they_fit_all(write):
    for stem, lines in (("a", 2), ("b", 2), ("c", 3)):
        for ending in ("mt", "pe"):
            write(f"all/{stem}.{ending}", "x\n" * lines)
            if stem != "c":
                write(f"two/{stem}.{ending}", "x\n" * lines)
    for folder in ("all", "two"):
        write(f"{folder}/text.ref", "y\ny\n")
        write(f"{folder}/text.docs", "one\none\n")
    for plan in plan_imports([write("two/README", "x\n").parent]):
        assert used_roles(plan)["text.ref"] is Role.REFERENCE
        assert build_corpus(plan).documents.names == ("one",)
    for plan in plan_imports([write("all/README", "x\n").parent]):
        assert "fits several corpora (a, b)" in notes(plan)["text.ref"]
        assert "fits several corpora (a, b)" in notes(plan)["text.docs"]


def test_400_corpora_in_a_folder_are_distinguished(write):
    for number in range(400):
        write(f"many/text-{number}.mt", f"w{number}\n")
        write(f"many/text-{number}.src", "s\n")
    plans = plan_imports([write("many/README", "x\n").parent])
    assert len(plans) == 400
    assert all(len(used_roles(plan)) == 2 for plan in plans)


def test_mlqe_pe_files_are_assigned_to_their_stem(write):
    """File names of MLQE-PE: word_probas.dev.neen, mt.dev.neen, dev.doc_ids, task2_wordlevel_mt.tags."""
    folder = write_split_corpus(write, "mlqe_ne-en")
    write("mlqe_ne-en/word-probas/word_probas.dev.neen", "-1 -2 -9\n-1 -3 -2 -9\n")
    write("mlqe_ne-en/word-probas/mt.dev.neen", "▁ u\n▁v ▁w ▁\n")
    write("mlqe_ne-en/dev.doc_ids", "doc_id\none\ntwo\n")
    words = [
        (segment, index, word)
        for segment, line in enumerate(("p q", "r", "s"))
        for index, word in enumerate(line.split())
    ]
    rows = "".join(f"ne-en\tREFERENCE\tmt\t{segment}\t{index}\t{word}\tBAD\n" for segment, index, word in words)
    write("mlqe_ne-en/goldlabels/task2_wordlevel_mt.tags", rows)
    plans = plans_by_part(plan_imports([folder]))
    assert list(plans) == ["dev", "test", "train"]
    assert used_roles(plans["dev"])["mt.dev.neen"] is Role.PIECES
    dev = build_corpus(plans["dev"])
    assert np.allclose(
        dev.layers[LayerKey(SYSTEM, "word_probas", Kind.PROBABILITIES)].numbers.values[0], 1 - np.exp(-1.5)
    )
    assert dev.documents.names == ("one", "two")
    assert build_corpus(plans["test"]).gold(Kind.WORDS).tags.bad_share() == 1


def test_files_of_one_stem_are_one_corpus(write):
    for name, content in {
        "test21.tok.mt": "a b\n", "test21.mt": "a b\n", "test21.tok.src": "c\n", "test21.src": "c\n",
        "word-probas/mt.test21.neen": "▁a ▁b\n",
        "word-probas/word_probas.test21.neen": "-1 -2\n", "sys.tags": "OK OK\n",
    }.items():  # fmt: skip
        write(f"c/{name}", content)
    (plan,) = plan_imports([write("c/README", "x\n").parent])
    assert (plan.name, plan.part) == ("c", "")
    assert used_roles(plan)["sys.tags"] is Role.SYSTEM


def test_command_line_selects_a_corpus_by_name(write, capsys, tmp_path):
    folder, project_path = write_split_corpus(write), tmp_path / "p.qedesk"
    message = error_line(capsys, "project", "create", project_path, folder)
    assert "3 corpora: dev, test, train" in message
    assert "--corpus dev" in message
    assert "there is no corpus eval, only dev, test, train" in error_line(
        capsys, "project", "create", project_path, folder, "--corpus", "eval"
    )
    assert run_command(capsys, "project", "create", project_path, folder, "--corpus", "train")[0] == 0
    assert "2 segments" in run_command(capsys, "project", "info", project_path)[1]
    test_files = [folder / f"test.{ending}" for ending in ("src", "mt")]
    assert run_command(capsys, "project", "create", project_path, *test_files, "--replace")[0] == 0
    assert "3 segments" in run_command(capsys, "project", "info", project_path)[1]
    output = run_command(capsys, "info", folder)[1]
    assert "wmt_en-de dev (en-de)" in output


GOLD = (
    "en-de\tgold\t0\tDas Rad\tDas Rad <EOS>\tOK BAD OK\n"
    "en-de\tgold\t1\tJa\tJa <EOS>\tOK OK\n"
    "en-mr\tgold\t0\tHo\tHo <EOS>\tBAD OK\n"
)
WORDS = {"en-de": ("Das Rad <EOS>", "Ja <EOS>"), "en-mr": ("Ho <EOS>",), "en-ja": ("Hai <EOS>",)}


def predictions(*pairs: str) -> str:
    rows = [
        f"{pair}\tensemble\tMT\t{segment}\t{index}\t{word}\tBAD\n"
        for pair in pairs
        for segment, line in enumerate(WORDS[pair])
        for index, word in enumerate(line.split())
    ]
    return "1\n2\n3\n" + "".join(rows)


def scores(*pairs: str) -> str:
    return "".join(f"{pair}\tbest\t{segment}\t0.{segment}\n" for pair in pairs for segment in range(len(WORDS[pair])))


def systems(plan: CorpusPlan) -> set[tuple[str, Kind]]:
    return {(key.name, key.kind) for key in build_corpus(plan).layers if key.provenance is SYSTEM}


def test_submissions_are_assigned_by_language_pair(write):
    write("task/gold.tsv", "lp\tgold\tsid\tmt\tmttok\ttags\n" + GOLD)
    write("task/Both/predictions.txt", predictions("en-mr", "en-de"))
    write("task/Both/metadata.txt", "about\n")
    write("task/German/predictions.txt", predictions("en-de"))
    write("task/German/scores/en-de/predictions.txt", scores("en-de"))
    write("task/Many/en-de/predictions.txt", predictions("en-de"))
    write("task/Many/en-mr/predictions.txt", predictions("en-mr"))
    write("task/Japanese/predictions.txt", predictions("en-ja"))
    plans = plans_by_part(plan_imports([write("task/README", "x\n").parent]))
    assert list(plans) == ["en-de", "en-mr"]
    words, numbers = Kind.WORDS, Kind.SCORES
    assert systems(plans["en-de"]) == {("Both", words), ("German", words), ("German", numbers), ("Many", words)}
    assert systems(plans["en-mr"]) == {("Both", words), ("Many", words)}
    for plan in plans.values():
        (unmatched,) = (file for file in plan.files if file.path.parent.name == "Japanese")
        assert (unmatched.role, unmatched.name) == (Role.IGNORED, "Japanese")
        assert "no rows for any language pair that has gold" in unmatched.notes[0]
    (selected,) = plan_imports([write("task/README", "x\n").parent], language_pair="en-mr")
    assert selected.part == "en-mr"


def test_wmt23_folder_layout_is_read(write):
    """gold_labels/ next to submissions/TASK/TEAM/PAIR/predictions.txt, for words and for segments."""
    write("qe/gold_labels/gold_T1w.tsv", GOLD)
    write("qe/gold_labels/gold_T1s.tsv", scores("en-de", "en-mr").replace("\tbest\t", "\tgold\t"))
    write("qe/submissions/T1_word/One-Team/en-de/predictions.txt", predictions("en-de"))
    write("qe/submissions/T1_word/baseline/predictions.txt", predictions("en-de", "en-mr"))
    write("qe/submissions/T1_sentence/One-Team/en-mr/predictions.txt", scores("en-mr"))
    write("qe/submissions/T1_sentence/One-Team/multilingual/predictions.txt", scores("en-de"))
    plans = plans_by_part(plan_imports([write("qe/README.md", "x\n").parent]))
    assert list(plans) == ["en-de", "en-mr"]
    words, numbers = Kind.WORDS, Kind.SCORES
    assert systems(plans["en-de"]) == {("One-Team", words), ("baseline", words), ("One-Team", numbers)}
    assert systems(plans["en-mr"]) == {("baseline", words), ("One-Team", numbers)}
    for plan in plans.values():
        golds = {key.kind for key in build_corpus(plan).layers if key.provenance is Provenance.GOLD}
        assert golds == {words, numbers}


def test_submissions_next_to_a_corpus_are_added(write):
    write("en-de/test.mt", "Das Rad <EOS>\nJa <EOS>\n")
    write("en-de/test.tags", "OK OK OK\nBAD OK\n")
    for team, content in {
        "A": predictions("en-de"),
        "B": predictions("en-de", "en-mr"),
        "C": predictions("en-ja"),
    }.items():
        write(f"en-de/submissions/word/{team}/predictions.txt", content)
    write("en-de/D/predictions.txt", scores("en-de"))
    (plan,) = plan_imports([write("en-de/README", "x\n").parent])
    assert (plan.name, plan.language_pair) == ("en-de", "en-de")
    assert {name for name, _ in systems(plan)} == {"A", "B", "D"}


def test_submissions_next_to_language_pair_folders_are_added(write):
    for pair in ("en-de", "en-mr"):
        write(f"all/{pair}/test.mt", "".join(f"{line}\n" for line in WORDS[pair]))
        write(f"all/{pair}/test.tags", "".join("OK " * len(line.split()) + "\n" for line in WORDS[pair]))
    write("all/A/predictions.txt", predictions("en-de", "en-mr"))
    write("all/B/predictions.txt", predictions("en-mr"))
    write("all/C/predictions.txt", predictions("en-ja"))
    plans = plan_imports([write("all/README", "x\n").parent])
    # a submission for a language pair without gold is a separate corpus
    assert [plan.name for plan in plans] == ["C", "en-de", "en-mr"]
    plans = plans[1:]
    assert [{name for name, _ in systems(plan)} for plan in plans] == [{"A"}, {"A", "B"}]


def test_submission_is_added_to_the_corpus_it_fits(write):
    for stem, lines in (("dev", ("Das Rad <EOS>", "Ja <EOS>")), ("test", ("Nein <EOS>",))):
        write(f"all/en-de/{stem}.mt", "".join(f"{line}\n" for line in lines))
        write(f"all/en-de/{stem}.src", "".join("x\n" for _ in lines))
        write(f"all/en-de/{stem}.tags", "".join("OK " * len(line.split()) + "\n" for line in lines))
    write("all/A/predictions.txt", predictions("en-de"))
    plans = plans_by_part(plan_imports([write("all/README", "x\n").parent]))
    assert list(plans) == ["dev", "test"]
    assert systems(plans["dev"]) == {("A", Kind.WORDS)}
    assert systems(plans["test"]) == set()


def test_scores_that_fit_two_corpora_are_ignored(write):
    for stem in ("dev", "test"):
        for ending in ("mt", "src"):
            write(f"en-de/{stem}.{ending}", "a\nb\n")
        write(f"en-de/{stem}.hter", "0\n1\n")
    write("en-de/A/predictions.txt", scores("en-de"))
    for plan in plan_imports([write("en-de/README", "x\n").parent]):
        assert plan.files_with_role(Role.GOLD)
        assert "fits several corpora" in notes(plan)["predictions.txt"]


def test_large_submissions_are_scanned_for_language_pairs(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.importing.file_classification.MAX_WHOLE_BYTES", 10)
    monkeypatch.setattr("qe_desktop.formats.importing.corpus_split.MAX_WHOLE_BYTES", 10)
    monkeypatch.setattr("qe_desktop.formats.text_files.HEAD_BYTES", 60)
    write("task/gold.tsv", GOLD)
    write("task/A/predictions.txt", predictions("en-de", "en-mr"))
    (team,) = (
        file
        for plan in plan_imports([write("task/README", "x\n").parent])[:1]
        for file in plan.files
        if file.path.name == "predictions.txt"
    )
    assert team.pairs == ("en-de", "en-mr")


def test_folders_with_texts_are_not_submissions(write):
    write("c/test.mt", "Das Rad <EOS>\nJa <EOS>\n")
    write("c/test.tags", "OK OK OK\nBAD OK\n")
    write("c/old/output.mt", "x\n")
    write("c/old/predictions.txt", predictions("en-de"))
    (plan,) = plan_imports([write("c/README", "x\n").parent])
    assert systems(plan) == set()


def test_submissions_without_gold_are_separate_corpora(write):
    write("all/A/predictions.txt", predictions("en-de"))
    write("all/B/predictions.txt", predictions("en-de"))
    assert [plan.name for plan in plan_imports([write("all/README", "x\n").parent])] == ["A", "B"]


@pytest.mark.published
def test_published_train_dev_and_test_are_separate_corpora(data_folder):
    folder = data_folder / "shared_tasks/wmt18_en-de_nmt_train_dev_test"
    plans = plans_by_part(plan_imports([folder]))
    assert list(plans) == ["dev", "test", "train"]
    corpora = {name: build_corpus(plan) for name, plan in plans.items()}
    assert {name: corpus.size for name, corpus in corpora.items()} == dict.fromkeys(plans, 100)
    assert all(corpus.alignments is not None and corpus.language_pair == "en-de" for corpus in corpora.values())
    for name in ("dev", "train"):
        assert {key.kind for key in corpora[name].layers} == {Kind.WORDS, Kind.GAPS, Kind.SOURCE}
        assert corpora[name].text(TextRole.POST_EDIT) is not None
        assert not notes(plans[name])
    assert not corpora["test"].layers
    with pytest.raises(QeError, match="no data for en-cs"):
        plan_imports([folder], language_pair="en-cs")


@pytest.mark.published
def test_published_gold_of_two_pairs_becomes_two_corpora(data_folder):
    plans = plans_by_part(plan_imports([data_folder / "shared_tasks/wmt23_word_gold/gold_T1w_header.tsv"]))
    assert {name: build_corpus(plan).size for name, plan in plans.items()} == {"en-de": 300, "en-mr": 200}


@pytest.mark.published
def test_published_submissions_are_added_to_the_gold(data_folder, tmp_path):
    """The word and sentence submissions of WMT22, each in its team's folder next to the gold."""
    words, sentences = data_folder / "wmt22_word/en-de", data_folder / "wmt22_sentence/raw_en-de"
    folder = tmp_path / "en-de"
    for path in words.glob("test.2022.*"):
        (folder / path.name).parent.mkdir(exist_ok=True)
        (folder / path.name).symlink_to(path)
    for task, paths in (("words", (words / "raw").iterdir()), ("sentences", sentences.iterdir())):
        for path in paths:
            team = folder / path.name.split(".")[0] / task
            team.mkdir(parents=True)
            (team / "predictions.txt").symlink_to(path)
    (plan,) = plan_imports([folder])
    corpus = build_corpus(plan)
    assert (corpus.size, corpus.language_pair) == (511, "en-de")
    assert len([key for key in corpus.layers if key.kind is Kind.SCORES]) == 10
    published = build_corpus(plan_imports([words])[0])
    for name in published.names(SYSTEM):
        key = LayerKey(SYSTEM, name, Kind.WORDS)
        assert corpus.layers[key].tags == published.layers[key].tags


def test_thousands_of_language_pairs_are_not_split_into_corpora(write):
    """A corpus per language pair, each compared with all others, would take quadratic time."""
    write("t/gold.tsv", "".join(f"pair{number}\tREFERENCE\tmt\t0\t0\tword\tOK\n" for number in range(3000)))
    (plan,) = plan_imports([write("t/x.mt", "word\n").parent])
    assert plan.part == ""
    gold = next(file for file in plan.files if file.path.name == "gold.tsv")
    assert len(gold.pairs) == 3000
    with pytest.raises(QeError):
        build_corpus(plan)


def test_ratings_in_a_folder_of_several_corpora_are_left_out_with_a_note(write):
    for name, text in (("dev", "a\n"), ("test", "a\nb\n")):
        write(f"all/{name}.src", text)
        write(f"all/{name}.mt", text)
    header = '{"format": "qe-desktop ratings", "version": 1, "origin": "", "notes": []}\n'
    ratings = write("all/ratings.jsonl", header)
    for plan in plan_imports([ratings.parent]):
        (file,) = (file for file in plan.files if file.path == ratings)
        note = "not used, because the file fits none of the corpora (dev, test)"
        assert (file.role, file.notes[-1]) == (Role.IGNORED, note)
