"""A new protocol with a scale only needs an entry in the registry."""

from __future__ import annotations

import csv
import json

import pytest

from qe_desktop.answers.scale import Anchor, ScaleAnswer
from qe_desktop.corpus import QeError
from qe_desktop.formats.ratings import read_ratings
from qe_desktop.project.store import Project
from qe_desktop.ratings.campaign_draft import CampaignDraft
from qe_desktop.ratings.protocols import PROTOCOLS, Protocol
from qe_desktop.ratings.results.rating_results import build_results
from tests.command_line import run_command
from tests.project.store.small_projects import full_corpus, make_design

SQM = Protocol(
    id="sqm",
    title="Scalar quality",
    summary="How good the translation is, from 0 to 6",
    answers=(
        ScaleAnswer("quality", "Quality", "How good is it?", 0, 6, (Anchor(6, "Perfect"), Anchor(0, "No meaning"))),
    ),
    task_paragraphs=lambda campaign: ("Say how good each translation is.",),
    target_only=True,
)
QUALITY = {"A": 6, "B": 4, "C": 1}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setitem(PROTOCOLS, SQM.id, SQM)
    with Project.create(tmp_path / "sqm.qedesk", full_corpus(), person="owner") as project:
        project.add_campaign(make_design(protocol=SQM.id))
        yield project


def rate(project: Project, rater: str) -> None:
    """Rate all items of a rater by the quality of their systems, and undo one rating."""
    key = {row.output: row.systems[0] for row in project.design("campaign-1").output_keys}
    work = project.rater_session("campaign-1", rater)
    for index, screen in enumerate(work.screens):
        assert work.missing_answers(screen.uid) == ["quality missing"]
        value = min(6, QUALITY[key[screen.outputs[0]]] + index % 2)
        project.rate(work.rate(screen.uid, "quality", value, 2.0))
        if index == 1:
            project.rate(work.rate(screen.uid, "quality", 0))
            assert work.undo_text == f"quality 0 (was {value}), item {work.number(screen.uid)}"
            project.rate(work.undo())
        assert work.is_done(screen.uid)
    with pytest.raises(QeError, match="7 is not a valid value for quality"):
        work.rate(work.screens[0].uid, "quality", 7)
    with pytest.raises(QeError, match="“fluency” is not a field of this item"):
        work.rate(work.screens[0].uid, "fluency", 3)


def test_new_protocol_is_set_up_rated_reported_and_exported(project, tmp_path, capsys):
    assert CampaignDraft(protocol=SQM.id).selected_protocol is SQM
    for rater in ("ann", "bob"):
        rate(project, rater)
    project.flush()
    done, total = project.progress("campaign-1")["ann"]
    assert done == total > 0

    ratings = project.ratings("campaign-1")
    assert ratings.ranges == (("quality", 0.0, 6.0),)
    results = build_results(ratings)
    assert results.scales == ("quality",)
    assert [system.name for system in results.systems] == ["A", "B", "C"]
    path = project.place
    project.close()

    code, out, _ = run_command(capsys, "ratings", "report", path, "--json", "--rounds", 20, "--unblind", "all is rated")
    report = json.loads(out)
    assert code == 0
    assert list(report["systems"]) == ["A", "B", "C"]
    assert report["systems"]["A"]["raw"] > report["systems"]["C"]["raw"]
    code, out, _ = run_command(capsys, "ratings", "report", path, "--rounds", 20)
    assert code == 0
    assert "quality (0–6)" in out

    journal, table = tmp_path / "journal.jsonl", tmp_path / "table.csv"
    assert run_command(capsys, "ratings", "export", path, "--form", "journal", "-o", journal)[0] == 0
    assert sorted(map(repr, read_ratings(journal).scores.rows())) == sorted(map(repr, ratings.scores.rows()))
    assert run_command(capsys, "ratings", "export", path, "--form", "long", "-o", table)[0] == 0
    with table.open() as file:
        assert {row["scale"] for row in csv.DictReader(file)} == {"quality"}
