from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import PairwiseJudgement, QeError, Ratings, Score
from qe_desktop.formats.ratings import write_journal, write_ratings
from qe_desktop.i18n import messages
from qe_desktop.i18n.messages import LocalizedStr
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.rating_table import pack_ratings, unpack_ratings
from qe_desktop.ratings.blinding import journal_header, journal_lines
from tests.project.store.small_projects import full_corpus, make_design, rate_all
from tests.timeouts import PATIENCE


def make_rating_set(*values: float, rater: str = "zoe", origin: str = "foreign.csv", system: str = "A") -> Ratings:
    scores = [Score(rater, system, str(n), "adequacy", value, started=n, seconds=2.0) for n, value in enumerate(values)]
    return Ratings.of(
        scores,
        [PairwiseJudgement(rater, "1", "A", "B", 1, 2, "s1", started=5.0, seconds=1.0)],
        origin=origin,
    )  # fmt: skip


def test_packed_ratings_are_unpacked_unchanged():
    ratings = Ratings.of(
        [Score("a\udcff", "S+T", "x", "z", -0.25), Score("b", "S+T", "y", "score", 17.0, flags=3, started=1.0)],
        [PairwiseJudgement("a", "1", "A+B", "C", 2, 1, "s"), PairwiseJudgement("a", "1", "C", "C", 0, 0, "t")],
        origin="file", notes=["one", "two"],
    )  # fmt: skip
    restored = unpack_ratings(pack_ratings(ratings))
    for name in ("scores", "pairs"):
        packed, unpacked = getattr(ratings, name), getattr(restored, name)
        for column in type(packed).__slots__:
            left, right = getattr(packed, column), getattr(unpacked, column)
            if isinstance(left, tuple):
                assert left == right
            else:
                assert left.dtype == right.dtype
                assert left.tobytes() == right.tobytes()
    assert (restored.origin, restored.notes) == ("file", ("one", "two"))
    empty = unpack_ratings(pack_ratings(Ratings.of()))
    assert (len(empty.scores), len(empty.pairs)) == (0, 0)


def test_a_rating_set_is_stored_once_with_its_file(location):
    project = location.create(full_corpus(), person="ann")
    done = project.add_ratings(make_rating_set(4.0, 3.0), file="wide.csv", sha256="ab")
    assert (done.added, done.known, done.conflicts) == (3, 0, ())
    again = project.add_ratings(make_rating_set(4.0, 3.0), file="copy of wide.csv", sha256="ab")
    assert (again.added, again.known) == (0, 3)
    stored = location.open().ratings()
    assert stored.scores.rows() == make_rating_set(4.0, 3.0).scores.rows()
    [row] = project.audit()
    assert (row.what, row.who) == ("ratings imported", "ann")
    assert (row.details["file"], row.details["sha256"], row.details["added"]) == ("wide.csv", "ab", 3)


def test_a_set_from_a_copy_is_recognized_by_its_contents(location, tmp_path):
    project = location.create(None)
    project.add_ratings(make_rating_set(4.0, 3.0), file="wide.csv", sha256="ab")
    with Project.create(tmp_path / "ben.qedesk", None, person="ben") as other:
        # with notes in another language, another name and another hash of the file
        other.add_ratings(replace(make_rating_set(4.0, 3.0), notes=("nic",), origin="x"), file="breit.csv", sha256="cd")
        other.add_ratings(make_rating_set(4.0, 2.0), file="late.csv", sha256="ef")
    results = project.import_ratings(tmp_path / "ben.qedesk")
    assert [(result.added, result.known, len(result.conflicts)) for result in results] == [(0, 3, 0), (3, 0, 1)]
    again = project.import_ratings(tmp_path / "ben.qedesk")
    assert [(result.added, result.known) for result in again] == [(0, 3), (0, 3)]


def test_a_withdrawn_import_stays_withdrawn_if_another_file_has_its_ratings(location, tmp_path):
    project = location.create(None)
    first = project.add_ratings(make_rating_set(4.0), file="wide.csv", sha256="ab")
    project.withdraw_import(first.uid)
    project.add_ratings(make_rating_set(4.0), file="fixed.csv", sha256="cd")
    project.save_as(tmp_path / "copy.qedesk").close()
    [again] = project.import_ratings(tmp_path / "copy.qedesk")
    assert (again.added, again.known) == (0, 2)
    assert [(row.file, row.is_withdrawn) for row in project.imports()] == [("wide.csv", True), ("fixed.csv", False)]


def test_notes_are_stored_in_english_in_projects_and_files(location, tmp_path):
    project = location.create(None)
    note = LocalizedStr("oceniający są symulowani")
    note.english = "the raters are simulated"
    noted = replace(make_rating_set(4.0), notes=(note,))
    project.add_ratings(noted, file="wide.csv", sha256="ab")
    assert project.ratings().notes == ("the raters are simulated",)
    write_ratings(noted, tmp_path / "noted.jsonl", "jsonl")
    assert '"notes": ["the raters are simulated"]' in (tmp_path / "noted.jsonl").read_text()


def test_shared_ratings_count_once_and_conflicts_are_listed(location):
    project = location.create(None)
    project.add_ratings(make_rating_set(4.0, 3.0), file="early.csv")
    later = project.add_ratings(make_rating_set(4.0, 2.0, 5.0), file="late.csv")
    [conflict] = later.conflicts
    assert (conflict.rater, conflict.segment, conflict.system, conflict.scale) == ("zoe", "1", "A", "adequacy")
    assert conflict.values == (("early.csv", 3.0), ("late.csv", 2.0))
    assert project.ratings().scores.value.tolist() == [4.0, 3.0, 5.0]
    assert len(project.ratings().pairs) == 1
    # known conflicts are not reported again
    third = project.add_ratings(make_rating_set(1.0, rater="yan"), file="third.csv")
    assert third.conflicts == ()
    listed = [row.details for row in project.audit()]
    assert [details["conflicts"] for details in listed] == [0, 1, 0]
    assert "late.csv" in listed[1]["listed"][0]


def test_a_table_can_be_imported_again_with_more_rater_columns(tmp_path):
    """The file was already known, so the ratings of the other column were never imported."""
    table = tmp_path / "wide.csv"
    table.write_text("segment,Ada,Ben\n1,61,33\n2,70,20\n", encoding="utf-8")
    with Project.create(tmp_path / "p.qedesk", None, person="ann") as project:
        counts = [
            [(done.added, done.known) for done in project.import_ratings(table, form="wide", raters=raters)]
            for raters in (("Ada",), ("Ada", "Ben"), ("Ada", "Ben"))
        ]
        assert counts == [[(2, 0)], [(4, 0)], [(0, 4)]]
        assert sorted(row.rater for row in project.ratings().scores.rows()) == ["Ada", "Ada", "Ben", "Ben"]


def test_a_file_without_ratings_adds_nothing(tmp_path):
    """It was listed as an import, and undoing it failed, so that the files imported with it were not undone either."""
    table = tmp_path / "none.csv"
    table.write_text("rater,segment,system,scale,score\nAda,1,A,adequacy,nan\n", encoding="utf-8")
    with Project.create(tmp_path / "p.qedesk", None, person="ann") as project:
        (done,) = project.import_ratings(table)
        assert (done.added, done.known, done.uid) == (0, 0, "")
        assert project.audit() == []


def test_an_import_of_comments_can_be_undone(tmp_path):
    file = tmp_path / "comments.jsonl"
    file.write_text('{"rater": "Ada", "segment": "1", "comment": "unclear"}\n', encoding="utf-8")
    with Project.create(tmp_path / "p.qedesk", None, person="ann") as project:
        (done,) = project.import_ratings(file)
        assert done.added == 0
        assert done.notes == ("the file has no ratings, only 1 comment or skipped item",)
        assert [row.uid for row in project.imports()] == [done.uid]
        assert len(project.ratings().comments) == 1
        project.withdraw_import(done.uid)
        assert project.ratings().comments == ()
        (again,) = project.import_ratings(file)
        assert again.uid == done.uid
        assert len(project.ratings().comments) == 1


def test_spelling_of_the_language_pair_does_not_matter(tmp_path):
    table = tmp_path / "wide.csv"
    table.write_text("lp,segment,Ada,Ben\nen-de,1,61,33\nen-fr,1,70,20\n", encoding="utf-8")
    with Project.create(tmp_path / "p.qedesk", None, person="ann") as project:
        results = [
            project.import_ratings(table, language_pair=pair, form="wide")[0] for pair in ("en-de", "en-DE", "en-fr")
        ]
        assert [(done.added, done.known) for done in results] == [(2, 0), (0, 2), (2, 0)]


def test_a_changed_file_is_compared_with_its_earlier_import(location):
    project = location.create(None)
    project.add_ratings(make_rating_set(4.0), file="same.csv")
    done = project.add_ratings(make_rating_set(5.0), file="same.csv")
    assert [conflict.values for conflict in done.conflicts] == [(("same.csv", 4.0), ("same.csv (new)", 5.0))]


def test_a_changed_file_is_named_in_the_language_of_the_interface(location, monkeypatch):
    translations = {("{file} (new)", ""): ("{file} (neu)",)}
    monkeypatch.setattr(messages, "_language", messages.Language("de", translations, lambda number: 0))
    project = location.create(None)
    project.add_ratings(make_rating_set(4.0), file="same.csv")
    [conflict] = project.add_ratings(make_rating_set(5.0), file="same.csv").conflicts
    assert [file for file, _ in conflict.values] == ["same.csv", "same.csv (neu)"]
    assert "same.csv (new)" in project.audit()[-1].details["listed"][0]


@pytest.fixture
def campaign(location):
    """Project with a campaign that one of two raters has rated."""
    project = location.create(full_corpus())
    project.add_campaign(make_design())
    rate_all(project, "campaign-1", "ann")
    assert project.flush(PATIENCE)
    return project


def journal(project: Project, path: Path) -> Path:
    design = project.design("campaign-1")
    write_journal(path, journal_lines(design, project.events("campaign-1")), journal_header(design.campaign))
    return path


def test_a_journal_is_merged_into_its_campaign(campaign, tmp_path):
    path = journal(campaign, tmp_path / "all.jsonl")
    before = campaign.events("campaign-1")
    [done] = campaign.import_ratings(path)
    assert (done.added, done.known, done.invalid_count, done.conflicts) == (0, len(before), 0, ())
    assert campaign.events("campaign-1") == before
    with Project.create(tmp_path / "owner.qedesk", None, person="owner") as other:
        other.add_campaign(make_design())
        [done] = other.import_ratings(path)
        assert (done.added, done.known) == (len(before), 0)
        assert [event.uid for event in other.events("campaign-1")] == [event.uid for event in before]
        # this window also receives them as remote changes
        assert len(other.new_changes().ratings) == len(before)
        merged, expected = other.ratings("campaign-1"), campaign.ratings("campaign-1")
        assert merged.scores.value.tolist() == expected.scores.value.tolist()


def test_lines_without_a_campaign_belong_to_that_of_the_header(campaign, tmp_path):
    """They were dropped silently if other lines named another campaign of the project."""
    path = journal(campaign, tmp_path / "all.jsonl")
    header, *lines = path.read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows[:-1]:
        row.pop("campaign", None)
    rows[-1]["campaign"] = "campaign-2"
    path.write_text("\n".join([header, *map(json.dumps, rows)]) + "\n")
    with Project.create(tmp_path / "owner.qedesk", None, person="owner") as other:
        other.add_campaign(make_design())
        other.add_campaign(make_design(uid="campaign-2"))
        done = other.import_ratings(path)
        assert [result.added + result.invalid_count for result in done] == [len(rows) - 1, 1]


def test_two_diverged_copies_are_merged_and_conflicts_are_listed(campaign, tmp_path):
    """As happens if a project is mailed to a rater who opens it on two computers."""
    screens = [screen.uid for screen in campaign.rater_session("campaign-1", "bob").screens]
    copy = campaign.save_as(tmp_path / "mailed.qedesk")
    own_session, copy_session = campaign.rater_session("campaign-1", "bob"), copy.rater_session("campaign-1", "bob")
    for work, project, value in ((own_session, campaign, 2), (copy_session, copy, 5)):
        project.rate(work.rate(screens[0], "fluency", value))
        project.rate(work.rate(screens[1], "fluency", 4))
        assert project.flush(PATIENCE)
    copy.rate(copy_session.rate(screens[2], "fluency", 1))
    copy.close()
    [done] = campaign.import_ratings(tmp_path / "mailed.qedesk")
    assert done.added == 3
    [conflict] = done.conflicts
    assert (conflict.rater, conflict.field, conflict.project_value, conflict.file_value) == ("bob", "fluency", 2.0, 5.0)
    assert conflict.item.startswith("segment ")
    assert campaign.rater_session("campaign-1", "bob").values(screens[2]) == {"fluency": 1.0}
    [again] = campaign.import_ratings(tmp_path / "mailed.qedesk")
    assert (again.added, again.conflicts) == (0, ())
    assert [row.details["conflicts"] for row in campaign.audit() if row.what == "ratings imported"] == [1]


def test_a_copy_with_only_newer_ratings_causes_no_conflict(campaign, tmp_path):
    copy = campaign.save_as(tmp_path / "mailed.qedesk")
    work = copy.rater_session("campaign-1", "ann")
    copy.rate(work.rate(work.screens[0].uid, "adequacy", 1 + work.values(work.screens[0].uid)["adequacy"] % 5))
    copy.close()
    [done] = campaign.import_ratings(tmp_path / "mailed.qedesk")
    assert (done.added, done.conflicts) == (1, ())


def test_events_for_items_of_others_are_skipped_and_counted(campaign):
    from qe_desktop.project.store.rating_imports import ImportWriter

    screen_of_bob = next(screen.uid for screen in campaign.design("campaign-1").screens if screen.rater == "bob")
    events = [
        RatingEvent("x1", "campaign-1", screen_of_bob, "ann", 1.0, "fluency", 3),
        RatingEvent("x2", "campaign-1", "no screen", "ann", 1.0, "fluency", 3),
        RatingEvent("x3", "another", screen_of_bob, "bob", 1.0, "fluency", 3),
        RatingEvent("x4", "campaign-1", screen_of_bob, "bob", 1.0, "fluency", 3),
    ]
    done = ImportWriter(campaign._database).add_events("campaign-1", events, file="f", sha256="", who="owner")
    assert (done.added, done.invalid_count) == (1, 3)


def test_files_of_ratings_are_recognized(campaign, tmp_path):
    write_ratings(make_rating_set(4.0, 2.0), tmp_path / "foreign.jsonl", "jsonl")
    [done] = campaign.import_ratings(tmp_path / "foreign.jsonl")
    assert done.added == 3
    shutil.copy(tmp_path / "foreign.jsonl", tmp_path / "renamed.jsonl")
    [again] = campaign.import_ratings(tmp_path / "renamed.jsonl")
    assert (again.added, again.known) == (0, 3)
    # a journal of an unknown campaign is stored as ratings
    path = journal(campaign, tmp_path / "all.jsonl")
    with Project.create(tmp_path / "other.qedesk", None, person="owner") as other:
        [done] = other.import_ratings(path)
        assert done.added > 0
        assert other.campaigns() == []
        assert sorted(other.ratings().scores.raters) == ["ann"]


def test_files_without_suitable_ratings_are_rejected_and_nothing_changes(campaign, tmp_path):
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("neither this nor that\n")
    with pytest.raises(QeError):
        campaign.import_ratings(wrong)
    with Project.create(tmp_path / "strange.qedesk", None, person="x") as unrelated:
        unrelated.add_campaign(replace(make_design(uid="campaign-9")))
    with pytest.raises(QeError, match="no campaign in common"):
        campaign.import_ratings(tmp_path / "strange.qedesk")
    assert not [row for row in campaign.audit() if row.what == "ratings imported"]


def test_notes_describe_how_imports_are_combined(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.qedesk", None, person="me") as project:
        assert project.ratings().notes == ()
        project.add_ratings(make_rating_set(4.0, origin="one.csv"))
        assert project.ratings().notes == ()
        project.add_ratings(make_rating_set(5.0, origin="two.csv"))
        assert project.ratings().notes == (
            "combined: 2 imported files",
            "the combined ratings disagree once; the first rating counts",
        )


def test_an_import_can_be_withdrawn_and_repeated(location):
    project = location.create(full_corpus(), person="ann")
    done = project.add_ratings(make_rating_set(4.0, 3.0), file="wide.csv", sha256="ab")
    project.withdraw_import(done.uid)
    assert len(project.ratings().scores) == 0
    again = location.open()
    assert [(row.file, row.added, row.is_withdrawn) for row in again.imports()] == [("wide.csv", 3, True)]
    assert len(again.ratings().scores) == 0
    restored = project.add_ratings(make_rating_set(4.0, 3.0), file="wide.csv", sha256="ab")
    assert restored.added == 3
    assert len(again.ratings().scores) == 2
    assert [row.what for row in again.audit()] == ["ratings imported", "import taken back", "import brought again"]
    # the restored import has its first id, with which it can be withdrawn again
    assert project.withdraw_import(restored.uid).file == "wide.csv"
    assert len(project.ratings().scores) == 0
