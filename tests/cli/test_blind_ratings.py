"""Blind campaigns on the command line: systems are named by letters until a logged action unblinds them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.ratings import write_ratings
from qe_desktop.project.campaign_views import blind_campaign, unblind
from qe_desktop.project.events import AuditRow
from qe_desktop.project.store import Project
from qe_desktop.ratings.blinding import design_letters
from tests.command_line import error_line, json_output, run_command
from tests.ratings.campaigns import make_random_design, simulate_events
from tests.timeouts import PATIENCE

QUICK = ("--runs", 20, "--rounds", 20)
REASON = "all ratings are in"


def value_of(screen, field):
    """Return an answer that depends only on the outputs: ranks, or a score from 1 to 5."""
    numbers = [int(output[-2:], 16) for output in screen.outputs]
    return tuple(sorted(numbers).index(number) + 1 for number in numbers) if field == "ranks" else 1 + numbers[0] % 5


def create_project(path: Path, *designs) -> Path:
    with Project.create(path, None, person="owner") as project:
        for design in designs:
            project.add_campaign(design)
            uid = design.campaign.uid
            project.append([replace(event, uid=f"{uid} {event.uid}") for event in simulate_events(design, value_of)])
        assert project.flush(PATIENCE)
    return path


def rename_campaign(design, uid: str, name: str):
    return replace(design, campaign=replace(design.campaign, uid=uid, name=name))


@pytest.fixture(params=["adequacy-fluency", "rank"])
def project(request, tmp_path):
    design = make_random_design(request.param, 3, 6, 2, repeats=0.2)
    return create_project(tmp_path / "campaign.qedesk", design), design


def log_entries(path: Path, what: str) -> list:
    with Project.open(path, person="owner") as opened:
        return [row for row in opened.audit() if row.what == what]


def test_blind_reports_name_systems_by_letters_in_every_format(project, capsys):
    path, design = project
    for form in ("table", "tsv", "latex", "html", "json"):
        code, out, err = run_command(capsys, "ratings", "report", path, *QUICK, "--format", form)
        assert code == 0
        assert not any(system in out + err for system in design.setup.systems)
        assert "System A" in out
        assert "“A campaign” is blind, so systems are named by letters; --unblind REASON shows their names" in out + err
    assert not log_entries(path, "unblinded")


def test_unblinding_changes_only_the_names_of_systems(project, capsys):
    path, design = project
    letters = design_letters(design)
    blind = json_output(capsys, "ratings", "report", path, *QUICK)
    shown = json_output(capsys, "ratings", "report", path, *QUICK, "--unblind", REASON)
    assert set(blind["systems"]) == set(letters.values())
    assert {letters[name]: figures for name, figures in shown["systems"].items()} == blind["systems"]
    assert [[letters[name] for name in cluster] for cluster in shown["clusters"]] == blind["clusters"]
    assert shown["agreement"] == blind["agreement"]


@pytest.mark.parametrize("form", ["jsonl", "long", "journal"])
def test_blind_exports_name_systems_by_letters(project, capsys, tmp_path, form):
    path, design = project
    code, _, err = run_command(capsys, "ratings", "export", path, "--form", form, "-o", tmp_path / "out")
    assert code == 0
    assert "“A campaign” is blind, so systems are named by letters" in err
    text = (tmp_path / "out").read_text()
    assert "System A" in text
    assert not any(system in text for system in design.setup.systems)
    assert [(row.details["form"], row.details["blind"]) for row in log_entries(path, "ratings exported")] == [
        (form, True)
    ]
    # the project already has these ratings
    assert "0 added" in run_command(capsys, "ratings", "import", path, tmp_path / "out")[1]


@pytest.mark.parametrize("form", ["jsonl", "journal"])
def test_export_that_cannot_be_written_is_not_logged(project, capsys, tmp_path, form):
    path, _ = project
    code, _, err = run_command(capsys, "ratings", "export", path, "--form", form, "-o", tmp_path / "no folder" / "out")
    assert code != 0, err
    assert not log_entries(path, "ratings exported")


@pytest.mark.parametrize("form", ["jsonl", "long", "journal"])
def test_unblinding_needs_an_option_and_is_logged_once(project, capsys, tmp_path, form):
    path, design = project
    arguments = ("ratings", "export", path, "--form", form, "-o", tmp_path / "out")
    code, _, err = run_command(capsys, *arguments, "--unblind", REASON)
    assert code == 0
    assert "“A campaign” is now unblinded; the project's log contains the reason" in err
    assert all(system in (tmp_path / "out").read_text() for system in design.setup.systems)
    [row] = log_entries(path, "unblinded")
    events = len(design.screens) - sum(screen.training for screen in design.screens)
    assert row.details == {
        "campaign": "c1", "name": "A campaign", "reason": REASON, "done": [events, events], "where": "command line",
    }  # fmt: skip
    for again in ((), ("--unblind", "another reason")):
        assert set(json_output(capsys, "ratings", "report", path, *QUICK, *again)["systems"]) == set(
            design.setup.systems
        )
    assert log_entries(path, "unblinded") == [row]


def test_unblinding_needs_a_reason_and_a_project(project, capsys, tmp_path):
    path, _ = project
    assert "must be a reason for the log" in error_line(capsys, "ratings", "report", path, "--unblind", " ")
    assert run_command(capsys, "ratings", "export", path, "--form", "jsonl", "-o", tmp_path / "out")[0] == 0
    assert "only campaigns of a project can be unblinded" in error_line(
        capsys, "ratings", "report", tmp_path / "out", "--unblind", REASON
    )  # fmt: skip
    assert not log_entries(path, "unblinded")


def test_campaign_stays_blind_if_unblinding_cannot_be_logged(project):
    path, _ = project
    with Project.open(path, person="owner") as opened:
        campaign = blind_campaign(opened, None)
        opened.read_only = "the file can only be read"
        with pytest.raises(QeError, match="“A campaign” stays blind"):
            unblind(opened, campaign, REASON)
        opened.read_only, opened.role = "", "rater"
        with pytest.raises(QeError, match="only the owner of the project may unblind"):
            unblind(opened, campaign, REASON)
        assert blind_campaign(opened, None) == campaign


def test_campaign_stays_blind_if_the_database_rejects_the_log_entry(project):
    path, _ = project
    with Project.open(path, person="owner") as opened:
        campaign = blind_campaign(opened, None)
        # ids are ASCII
        opened.log = lambda what, details: opened.append([AuditRow(1.7e9, "owner", what, details, uid="ä")])
        with pytest.raises(QeError, match="“A campaign” stays blind"):
            unblind(opened, campaign, REASON)
        assert blind_campaign(opened, None) == campaign


def test_read_only_project_is_reported_by_letters(project, capsys, monkeypatch):
    path, _ = project
    monkeypatch.setattr(Project, "read_only", property(lambda _: "it can only be read", lambda *_: None), raising=False)
    assert "System A" in json_output(capsys, "ratings", "report", path, *QUICK)["systems"]
    message = error_line(capsys, "ratings", "report", path, *QUICK, "--unblind", REASON)
    assert "the project is read-only, so “A campaign” stays blind" in message


def test_conflicts_do_not_name_hidden_systems(tmp_path, capsys):
    design = make_random_design("adequacy-fluency", 3, 6, 2)
    path = create_project(tmp_path / "campaign.qedesk", design)
    with Project.open(path, person="owner") as opened:
        ratings = opened.ratings()
    other = [
        row._replace(value=row.value % 5 + 1, uid="", campaign="") if row.segment == "2" else row._replace(uid="")
        for row in ratings.scores.rows()
    ]
    write_ratings(type(ratings).of(other), tmp_path / "other.csv", "long")
    code, out, err = run_command(capsys, "ratings", "report", path, tmp_path / "other.csv", *QUICK, "--json")
    assert code == 0
    assert json.loads(out)["conflicts"]
    assert "a hidden system" in out
    assert not any(name in out + err for name in design.setup.systems)
    changed = [row._replace(value=row.value % 5 + 1) for row in other]
    write_ratings(type(ratings).of(changed), tmp_path / "changed.csv", "long")
    messages = [
        run_command(capsys, "ratings", "import", path, tmp_path / name)[1] for name in ("other.csv", "changed.csv")
    ]
    assert "conflict: rater-1, segment" in "".join(messages)
    logged = json.dumps([row.details for row in log_entries(path, "ratings imported")])
    assert not any(name in "".join(messages) + logged for name in design.setup.systems)


def test_two_blind_campaigns_are_not_combined(tmp_path, capsys):
    design = make_random_design("adequacy-fluency", 3, 6, 2)
    paths = [
        create_project(tmp_path / f"{uid}.qedesk", rename_campaign(design, uid, name))
        for uid, name in (("c1", "Spring"), ("c2", "Autumn"))
    ]
    message = error_line(capsys, "ratings", "report", *paths, *QUICK)
    assert "“Spring” and “Autumn” are blind, so they cannot be combined" in message
    assert "system-1" in json_output(capsys, "ratings", "report", *paths, *QUICK, "--unblind", REASON)["systems"]


def test_other_commands_keep_a_campaign_blind(tmp_path, capsys):
    design = make_random_design("adequacy-fluency", 3, 6, 2)
    path = create_project(tmp_path / "campaign.qedesk", design)
    result = json_output(capsys, "score", "human", "--human", path)
    assert set(result["systems"]) == set(design_letters(design).values())
    scores = tmp_path / "m.sys.score"
    scores.write_text("".join(f"{name}\t{number}\n" for number, name in enumerate(design.setup.systems)))
    study = ("study", "meta-evaluation", "--human", path, "--scores", f"M={scores}")
    assert "systems are named by letters in “A campaign”" in error_line(capsys, *study)
    for command in (("info", path), ("project", "info", path), ("project", "verify", path)):
        for more in ((), ("--json",)):
            _, out, err = run_command(capsys, *command, *more)
            assert not any(name in out + err for name in design.setup.systems)
    assert not log_entries(path, "unblinded")
    assert set(json_output(capsys, *study, "--unblind", REASON)["humans"]) == set(design.setup.systems)
    assert [row.details["reason"] for row in log_entries(path, "unblinded")] == [REASON]
