"""Journals of files that are opened alone, together and in another order."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, TagColumn
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.project import Edit
from qe_desktop.project.events import ReviewField
from qe_desktop.project.journal.file_journal import JournalFolder
from qe_desktop.project.journal.journal_opening import JournalOpening
from qe_desktop.project.journal.typing_draft import TypedText
from tests.project.journal.journal_translator import SOURCES, TARGETS, close, kill, set_target, targets, xliff

QE = LayerKey(Provenance.SYSTEM, "qe", Kind.WORDS)


@pytest.fixture
def files(tmp_path):
    """Opens files by their letters, each with the sources and targets of the sample."""
    folder = tmp_path / "journals"

    def open_files(letters):
        paths = [tmp_path / f"{letter}.xlf" for letter in letters]
        for path in paths:
            if not path.exists():
                path.write_bytes(xliff(TARGETS))
        opening = JournalOpening(JournalFolder(folder), "Ada")
        (plan,) = plan_imports(paths)
        session, journal, report = opening.finish(build_corpus(plan, with_mt=opening.with_mt))
        assert journal is not None, report.problem
        return session, journal, report

    return open_files


def edit(files, letters, segment, target):
    session, journal, _ = files(letters)
    set_target(session, segment, target)
    close(journal)


def test_edits_of_files_that_were_opened_alone_come_with_both(files, tmp_path):
    for letter, target in (("a", "Ein Haus"), ("b", "Mein Haus")):
        edit(files, letter, 0, target)
    session, journal, report = files("ab")
    assert [targets(session)[segment] for segment in (0, 4)] == ["Ein Haus", "Mein Haus"]
    assert (report.unsaved, session.reviewing.unsaved_segments(), report.unmatched) == (2, [0, 4], ())
    session.undo()
    session.undo()
    assert targets(session) == [*TARGETS, *TARGETS]
    session.redo()
    close(journal)
    # one journal has everything
    assert len(JournalFolder(tmp_path / "journals").entries()) == 1


def test_the_order_of_files_may_change(files):
    edit(files, "ab", 5, "Ein Hund")
    session, journal, report = files("ba")
    assert targets(session) == [TARGETS[0], "Ein Hund", *TARGETS[2:], *TARGETS]
    assert report.unsaved == 1
    close(journal)


def test_a_file_opened_alone_has_its_edits_and_leaves_those_of_others(files):
    edit(files, "ab", 0, "Ein Haus")
    edit(files, "ab", 5, "Ein Hund")
    session, journal, report = files("b")
    assert targets(session) == [TARGETS[0], "Ein Hund", *TARGETS[2:]]
    assert (report.unsaved, report.unmatched) == (1, ())
    set_target(session, 1, "Mein Hund")
    close(journal)
    session, journal, report = files("abc")
    assert targets(session)[:6] == ["Ein Haus", *TARGETS[1:], TARGETS[0], "Mein Hund"]
    assert report.unsaved == 2
    close(journal)


def test_a_damaged_journal_does_not_hide_what_others_changed_in_another_file(files, tmp_path):
    for letter in "ab":
        edit(files, letter, 0, "Ein Haus")
    damaged = next(
        entry.database
        for entry in JournalFolder(tmp_path / "journals").entries()
        if entry.files[0].path.endswith("a.xlf")
    )
    damaged.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    (tmp_path / "b.xlf").write_bytes(xliff(["Sein Haus", *TARGETS[1:]]))
    session, journal, report = files("ab")
    assert (report.damaged, report.changed) == (damaged, (4,))
    assert [targets(session)[segment] for segment in (0, 4)] == [TARGETS[0], "Sein Haus"]
    close(journal)


def test_highlights_and_drafts_of_several_journals_are_joined(files):

    for letter, tags in (("a", [0, 1]), ("b", [1, 0])):
        session, journal, _ = files(letter)
        session.add_layers([Layer(QE, TagColumn.of([tags] * 4))], (), "qe")
        close(journal)
    session, journal, _ = files("b")
    journal.store_draft(TypedText(3, ReviewField.TARGET, "Eine Ma"))
    kill(journal)
    session, journal, report = files("ab")
    assert [session.view.segment_tags(QE, segment).tolist() for segment in (3, 4)] == [[0, 1], [1, 0]]
    assert (report.draft, targets(session)[7]) == (7, "Eine Ma")
    close(journal)


def test_a_file_that_is_there_again_has_its_edits(files, tmp_path):
    edit(files, "a", 0, "Ein Haus")
    path = tmp_path / "a.xlf"
    before = path.read_bytes()
    path.write_bytes(xliff(["Eins", "Zwei"], ["one", "two"], "xy"))
    session, journal, _ = files("a")
    assert targets(session) == ["Eins", "Zwei"]
    close(journal)
    path.write_bytes(before)
    session, journal, report = files("a")
    assert (targets(session)[0], report.unsaved) == ("Ein Haus", 1)
    close(journal)


def test_the_last_edits_of_each_file_win_when_an_earlier_combination_is_opened_again(files):
    edit(files, "ab", 0, "Ein Haus")
    edit(files, "ab", 4, "Mein Haus")
    edit(files, "b", 0, "Dein Haus")
    session, journal, report = files("ab")
    assert [targets(session)[segment] for segment in (0, 4)] == ["Ein Haus", "Dein Haus"]
    assert (report.unsaved, report.changed, report.unmatched) == (2, (), ())
    # the earlier journal has a copy of the rows of the file that was opened alone
    assert [row.segment for row in session.reviewing.rows()] == [0, 4, 4]
    session.undo()
    assert [targets(session)[segment] for segment in (0, 4)] == ["Ein Haus", "Mein Haus"]
    close(journal)


def test_edits_stay_with_their_language(files, tmp_path):
    """Units of the same name move from a French file to a German one, whose edits they do not take."""
    french = [f"le {source}" for source in SOURCES]
    for letter, language, names in (("a", "de", "abc"), ("b", "fr", "abcd")):
        (tmp_path / f"{letter}.xlf").write_bytes(in_language(language, names))
    edit(files, "ab", 6, french[3])
    for letter, language, names in (("a", "de", "abcd"), ("b", "fr", "abc")):
        (tmp_path / f"{letter}.xlf").write_bytes(in_language(language, names))
    session, journal, report = files("ab")
    assert targets(session) == [*TARGETS, *TARGETS[:3]]
    assert session.reviewing.history(3) == ()
    assert report.unmatched == ((SOURCES[3], french[3], ""),)
    close(journal)


def in_language(language, names):
    units = xliff(TARGETS[: len(names)], SOURCES[: len(names)], names)
    return units.replace(b'target-language="de"', f'target-language="{language}"'.encode())


def test_changed_ratings_replace_those_of_the_journal(files, tmp_path):
    ratings = tmp_path / "ratings.csv"

    def opened_ratings(score):
        ratings.write_text("rater,system,segment,score\n" + "".join(f"ann,A,{n},{score}\n" for n in range(1, 5)))
        opening = JournalOpening(JournalFolder(tmp_path / "journals"), "Ada")
        (plan,) = plan_imports([tmp_path / "a.xlf", ratings])
        session, journal, report = opening.finish(build_corpus(plan, with_mt=opening.with_mt))
        assert journal is not None, report.problem
        set_target(session, 0, f"Haus {score}")
        close(journal)
        return session.corpus.ratings.scores.value.tolist(), report.unsaved, journal.entry.stem

    edit(files, "a", 1, "Ein Baum")
    assert opened_ratings(50)[:2] == ([50.0] * 4, 1)
    scores, unsaved, stem = opened_ratings(90)
    assert (scores, unsaved) == ([90.0] * 4, 2)
    assert opened_ratings(90)[2] == stem, "equal ratings are those of the journal"


def test_changed_companion_files_are_used_with_the_review_and_the_edited_tags(translator):
    """Tags of a QE system and of an annotator are read again; edits of the annotator's tags are kept."""
    qe, gold = translator.folder / "qe.tags", translator.folder / "gold.tags"
    qe.write_text("OK BAD\nOK OK\nBAD OK\nOK OK\n")
    gold.write_text("OK OK\nOK OK\nOK OK\nOK OK\n")
    session, journal, _ = translator.open(qe, gold)
    keys = {key.name: key for key in session.corpus.layers if key.kind is Kind.WORDS}
    system, reference = keys["qe"], next(key for key in keys.values() if key.provenance is Provenance.GOLD)
    session.apply(Edit(reference, 3, (1,), (1,)))
    set_target(session, 1, "Ein Hund")
    close(journal)

    qe.write_text("BAD OK\nOK OK\nOK OK\nOK OK\n")
    session, journal, report = translator.open(qe, gold)
    assert report.unsaved == 1
    assert session.view.segment_tags(system, 0).tolist() == [1, 0]
    assert session.view.segment_tags(reference, 3).tolist() == [0, 1]
    assert targets(session)[1] == "Ein Hund"
    # the tag edit can still be undone
    session.undo()
    assert session.view.segment_tags(reference, 3).tolist() == [0, 0]
    close(journal)
    assert len(JournalFolder(translator.folder / "journals").entries()) == 1
