"""Files that other programs changed are reloaded into a project as one undo step."""

from __future__ import annotations

import re

import pytest

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.formats.atomic_write import write_bytes
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.project.events import ReviewField
from qe_desktop.project.journal.file_reload import read_project_files
from qe_desktop.project.reviewed_files import (
    RELOADED_SETTING,
    WrittenFile,
    record_written,
    reloaded_files,
    reviewed_files,
    sha256_hex,
)
from qe_desktop.project.session_restore import restore_session
from qe_desktop.project.store.project import Project
from tests.project.journal.journal_translator import SOURCES, TARGETS, set_target, targets, xliff
from tests.timeouts import PATIENCE


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "job.xlf"
    path.write_bytes(xliff(TARGETS))
    return path


@pytest.fixture
def project(path):
    (plan,) = plan_imports([path])
    with Project.create(path.with_name("all.qedesk"), build_corpus(plan), person="Ada") as project:
        yield project


def opened(project):
    session = restore_session(project, project.settings(own_only=True))
    session.set_storage(project.append, project.person, project.window)
    return session


def rewritten(session):
    (file,) = reviewed_files(session.view, session.corpus.job, session.written_files, session.reloaded_data)
    return file.rewrite(add_missing=True).data


def save(session, path):
    data = rewritten(session)
    write_bytes(path, data)
    record_written(session, 0, WrittenFile(str(path), sha256_hex(data)), 1e10)


def read_again(session):
    reload = read_project_files(session)
    reload.apply(session)
    return reload


def with_note_of_others(data: bytes) -> bytes:
    """Return a file to which another program added a header and a note."""
    data = data.replace(b"<body>", b"<header><note>checked</note></header><body>")
    return data.replace(b"Das Haus</target>", b"Das Haus</target><note from='PM'>!</note>")


def test_changes_of_others_are_one_undo_step_and_everything_else_in_the_file_stays(project, path):
    session = opened(project)
    set_target(session, 1, "Ein Hund", ReviewStatus.CONFIRMED)
    set_target(session, 2, "Eine Katze")
    theirs = with_note_of_others(xliff(["Das Haus", "Der Hund", "Der Kater", "Eine Maus"]))
    path.write_bytes(theirs)
    reload = read_again(session)
    assert targets(session) == ["Das Haus", "Ein Hund", "Der Kater", "Eine Maus"]
    assert session.view.status(1) is ReviewStatus.CONFIRMED
    assert (reload.overwritten_segments, sorted(reload.values)) == ((2,), [2, 3])
    saved = rewritten(session)
    # with the status that was confirmed here
    assert re.sub(rb' (state|approved)="[a-z-]*"', b"", saved) == theirs.replace(b"Der Hund", b"Ein Hund")
    session.undo()
    assert targets(session) == ["Das Haus", "Ein Hund", "Eine Katze", "Die Maus"]
    # including segments that were only loaded before
    segments = parse_document(rewritten(session), "job.xlf").segments
    assert [segment.target_line for segment in segments] == targets(session)


def test_a_reloaded_file_is_saved_the_same_after_the_project_was_opened_again(project, path):
    session = opened(project)
    theirs = with_note_of_others(xliff(["Das Haus", "Der Hund", "Der Kater", "Die Maus"]))
    path.write_bytes(theirs)
    read_again(session)
    assert rewritten(session) == theirs
    set_target(session, 0, "Ein Haus")
    before = rewritten(session)
    assert project.flush(PATIENCE)
    again = opened(project)
    assert rewritten(again) == before
    assert again.written_files[0].sha256 == sha256_hex(theirs)


def test_statuses_and_notes_of_others_are_shown_and_what_was_saved_here_is_not_a_change(project, path):
    session = opened(project)
    session.reviewing.set({
        0: {ReviewField.STATUS: int(ReviewStatus.CONFIRMED), ReviewField.NOTE: "mine"},
        1: {ReviewField.STATUS: int(ReviewStatus.REJECTED)},
    })  # fmt: skip
    save(session, path)
    theirs = parse_document(path.read_bytes(), "job.xlf").with_targets(
        {}, {1: ReviewStatus.CONFIRMED, 2: ReviewStatus.CONFIRMED}, {2: "theirs"}, add_missing=True
    )
    path.write_bytes(theirs.data)
    reload = read_again(session)
    assert sorted(reload.values) == [1, 2]
    statuses = [session.view.status(segment) for segment in range(4)]
    assert statuses == [*[ReviewStatus.CONFIRMED] * 3, ReviewStatus.OPEN]
    assert [session.view.note(segment) for segment in (0, 2)] == ["mine", "theirs"]
    assert rewritten(session) == theirs.data
    session.undo()
    assert session.view.status(1) is ReviewStatus.REJECTED
    assert session.view.note(2) == ""
    document = parse_document(rewritten(session), "job.xlf")
    assert document.status(document.segments[1]) is ReviewStatus.REJECTED
    assert [segment.note for segment in document.segments[:3]] == ["mine", "", ""]


def test_a_file_can_be_reloaded_several_times(project, path):
    session = opened(project)
    for target in ("Die Ratte", "Die Wühlmaus", "Die Maus"):
        theirs = xliff([*TARGETS[:3], target])
        path.write_bytes(theirs)
        read_again(session)
        assert (session.view.target(3), rewritten(session)) == (target, theirs)


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (xliff(TARGETS[:3], SOURCES[:3], "abc"), ["no longer in the file: the mouse"]),
        (
            xliff([*TARGETS[:3], "Neu"], [*SOURCES[:3], "new"]),
            ["no longer in the file: the mouse", "new in the file: new"],
        ),
        (
            xliff(TARGETS[::-1], SOURCES[::-1], "dcba"),
            ["the file now has its segments in another order and cannot be reloaded into the project"],
        ),
    ],
)
def test_files_with_other_segments_are_not_reloaded_and_their_segments_are_listed(project, path, data, faults):
    session = opened(project)
    path.write_bytes(data)
    with pytest.raises(QeError, match="cannot be reloaded into the project") as raised:
        read_project_files(session)
    messages = [fault.message for fault in raised.value.faults]
    assert [message.partition(",")[0] for message in messages] == faults
    assert "open the file without the project" in raised.value.hint
    assert not session.written_files


@pytest.mark.parametrize("value", ["", "no base64", "AAAA", 3, None])
def test_invalid_bytes_of_a_reloaded_file_are_skipped(value):
    assert reloaded_files({f"{RELOADED_SETTING}0": value}) == {}
