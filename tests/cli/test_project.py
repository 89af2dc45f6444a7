"""`qe-desktop project`: create, info, secure and verify."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from qe_desktop.__main__ import COMMANDS
from qe_desktop.corpus import TextColumn
from qe_desktop.project.events import ReviewField
from qe_desktop.project.store import Project
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.campaign import Campaign, CampaignSetup, EvaluationBasis
from qe_desktop.ratings.campaign_texts import CampaignTexts
from tests.command_line import run_command
from tests.postgres import address, postgresql
from tests.project.store.review_rows import make_review_row, make_visit_row, reviewed_corpus
from tests.project.store.small_projects import full_corpus, make_design, make_edit_row, rate_all

__all__ = ["address", "postgresql"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "test.src").write_text("ein Haus\nzwei Katzen\n")
    (folder / "test.mt").write_text("a house\ntwo cats\n")
    (folder / "test.tags").write_text("OK BAD\nOK OK\n")
    return folder


def test_project_is_a_command():
    assert "project" in COMMANDS


def test_info_lists_references_and_metrics(capsys, files, tmp_path):
    (files / "test.ref").write_text("one house\ntwo cats\n")
    (files / "ref.B").write_text("the house\nboth cats\n")
    (files / "COMET.seg.score").write_text("MT\t0.5\nMT\tNone\n")
    path = tmp_path / "a.qedesk"
    assert run_command(capsys, "project", "create", path, files)[0] == 0
    code, out, _ = run_command(capsys, "project", "info", path, "--json")
    assert code == 0
    texts = ["source", "MT", "reference", "reference B", "COMET scores"]
    assert sorted(json.loads(out)["corpus"]["texts"]) == sorted(texts)


def test_create_and_info(capsys, files, tmp_path):
    path = tmp_path / "a.qedesk"
    code, out, err = run_command(capsys, "project", "create", path, files, "--title", "Mine")
    assert (code, out) == (0, "")
    assert "2 segments, 1 layer" in err
    code, out, _ = run_command(capsys, "project", "info", path, "--json")
    assert code == 0
    result = json.loads(out)
    assert (result["title"], result["role"], result["read-only"]) == ("Mine", "owner", "")
    assert result["corpus"] == {"name": result["corpus"]["name"], "segments": 2, "texts": ["source", "MT"]}
    assert (len(result["layers"]), result["edits"], result["campaigns"]) == (1, 0, [])
    code, out, _ = run_command(capsys, "project", "info", path, "--check")
    assert code == 0
    assert out.startswith("Mine (")
    code, _, err = run_command(capsys, "project", "create", path, files)
    assert code == 2
    assert "already" in err
    assert run_command(capsys, "project", "create", path, "--replace")[0] == 0
    assert json.loads(run_command(capsys, "project", "info", path, "--json")[1])["corpus"] is None


def test_info_lists_campaigns_and_the_progress_of_their_raters(capsys, tmp_path):
    path = tmp_path / "a.qedesk"
    with Project.create(path, full_corpus(), person="owner") as project:
        project.add_campaign(make_design())
        project.append([make_edit_row(project)])
        rate_all(project, "campaign-1", "ann")
    out = run_command(capsys, "project", "info", path)[1]
    assert "1 tag edit" in out
    assert "campaign Campaign campaign-1 (adequacy-fluency)" in out
    total = json.loads(run_command(capsys, "project", "info", path, "--json")[1])["campaigns"][0]["raters"]["ann"]
    assert total[0] == total[1] > 0
    assert f"  ann: {total[0]} of {total[1]}" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("project",),
        ("project", "info", "missing.qedesk"),
        ("project", "info", "mysql://host/db"),
        ("project", "create", "no/such/folder/a.qedesk"),
        ("project", "secure", "a.qedesk", "--rater", "ann"),
        ("project", "info", "postgresql://host"),
        ("project", "create", "a.qedesk", "missing-file"),
    ],
)
def test_bad_input_is_a_one_line_error(capsys, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run_command(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("qe-desktop: error: ")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_check_reports_a_damaged_project(capsys, files, tmp_path):
    path = tmp_path / "a.qedesk"
    run_command(capsys, "project", "create", path, files)
    data = bytearray(path.read_bytes())
    offset = data.rindex(b"ein Haus")
    data[offset : offset + 3] = b"EIN"
    path.write_bytes(data)
    code, _, err = run_command(capsys, "project", "info", path, "--check")
    assert code == 2
    assert "damaged" in err


def test_secure_gives_raters_access(capsys, address, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", address.password)
    monkeypatch.setenv("QE_DESKTOP_NEW_PASSWORD", "first pass")
    rater = f"rater-{address.name}"
    code, out, err = run_command(capsys, "project", "secure", address.url, "--rater", rater)
    assert (code, err) == (0, "")
    assert rater in out
    assert "first pass" not in out + address.server.log()
    monkeypatch.setenv("PGPASSWORD", "first pass")
    code, out, _ = run_command(capsys, "project", "info", address.server.url(address.name, rater))
    assert code == 0
    assert "you are a rater" in out


def test_missing_passwords_are_prompted_for(capsys, address, monkeypatch):
    prompts = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return address.password if prompt == "Password: " else "new pass"

    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.delenv("QE_DESKTOP_NEW_PASSWORD", raising=False)
    monkeypatch.setattr("getpass.getpass", answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    rater = f"rater-{address.name}"
    assert run_command(capsys, "project", "secure", address.url, "--rater", rater)[0] == 0
    assert prompts == ["Password: ", f"Password for the new role {rater}: ", "Repeat the password: "]
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    code, _, err = run_command(capsys, "project", "info", address.url)
    assert code == 2
    assert "password" in err


def create_project_with_campaign(path: Path, secret: bytes = bytes(range(32))) -> None:
    """Create a project with a campaign of its own texts, so that the campaign can be regenerated."""
    texts = CampaignTexts.of_corpus(full_corpus())
    lines = {name: [line or "-" for line in lines] for name, lines in texts.outputs().items()}
    corpus = full_corpus()
    corpus = replace(
        corpus,
        texts={role: TextColumn.of([column[n] or "-" for n in range(4)]) for role, column in corpus.texts.items()},
        translations={"B": TextColumn.of(lines["B"])},
        # the original layers and alignments belong to other tokens
        layers={},
        alignments=None,
    )
    passages = CampaignTexts.of_corpus(corpus).passages(range(4))
    campaign = Campaign("c", "News", "rank", EvaluationBasis.SOURCE, "de", "en", created=1.7e9)
    setup = CampaignSetup(
        ("MT", "B"), (0, 2), ("ann", "ben"), repeats=0.5, controls=0.5, training=2, per_screen=2, seed=7
    )
    with Project.create(path, corpus, person="owner") as project:
        project.add_campaign(design_campaign(campaign, setup, passages, lines, secret=secret))


def test_verify_confirms_an_unchanged_campaign(capsys, tmp_path):
    path = tmp_path / "a.qedesk"
    create_project_with_campaign(path)
    code, out, err = run_command(capsys, "project", "verify", path, "--json")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert result["agrees"] is True
    [row] = result["campaigns"]
    assert row["published"] == row["computed"]
    assert len(row["published"]) == 64
    assert (row["drawn-again"], row["agrees"], row["differences"], row["first-rating"]) == (True, True, [], None)
    code, out, _ = run_command(capsys, "project", "verify", path)
    assert code == 0
    assert f"published {row['published']}" in out
    assert "computed from the campaign's secret" in out


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        ("output_keys", "systems = '[\"B\"]'", "systems and roles"),
        ("screens", "position = 99 - position", "items:"),
        ("outputs", "text = text || '!'", "outputs:"),
        (
            "campaign_setups",
            "setup = replace(setup, '\"seed\":7', '\"seed\":8')",
            "regenerated from its secret and seed",
        ),
        ("campaign_setups", "draws = replace(draws, '00', 'ff')", "regenerated from its secret and seed"),
        ("screen_keys", "role = 0", "roles"),
    ],
)
def test_verify_reports_later_changes(capsys, tmp_path, table, change, message):
    path = tmp_path / "a.qedesk"
    create_project_with_campaign(path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"DROP TRIGGER {table}_no_update")
        connection.execute(f"UPDATE {table} SET {change}")
    code, out, err = run_command(capsys, "project", "verify", path, "--json")
    assert code == 2
    assert err.count("\n") == 1
    assert "differs from the one that was published" in err
    [campaign] = json.loads(out)["campaigns"]
    assert (campaign["agrees"], json.loads(out)["agrees"]) == (False, False)
    assert campaign["published"] != campaign["computed"]
    assert any(message in difference for difference in campaign["differences"])


def test_verify_compares_nothing_for_campaigns_without_a_design_hash(capsys, tmp_path):
    path = tmp_path / "a.qedesk"
    create_project_with_campaign(path, secret=b"")
    code, out, _ = run_command(capsys, "project", "verify", path, "--json")
    assert code == 0
    [campaign] = json.loads(out)["campaigns"]
    assert (campaign["agrees"], campaign["published"]) == (None, "")
    assert "did not publish design hashes" in campaign["notes"][0]
    assert "nothing to compare" in run_command(capsys, "project", "verify", path)[1]


def test_verify_notes_campaigns_that_cannot_be_regenerated(capsys, tmp_path):
    path = tmp_path / "a.qedesk"
    with Project.create(path, None, person="owner") as project:
        project.add_campaign(make_design())
        rate_all(project, "campaign-1", "ann")
    code, out, _ = run_command(capsys, "project", "verify", path, "--json")
    assert code == 0
    [campaign] = json.loads(out)["campaigns"]
    assert (campaign["agrees"], campaign["drawn-again"]) == (True, None)
    assert "no corpus" in campaign["notes"][0]
    assert campaign["first-rating"] > campaign["created"]


def test_raters_cannot_verify(capsys, address, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", address.password)
    monkeypatch.setenv("QE_DESKTOP_NEW_PASSWORD", "pass")
    rater = f"rater-{address.name}"
    assert run_command(capsys, "project", "secure", address.url, "--rater", rater)[0] == 0
    with Project.open(address.url, person="owner", password=address.password) as project:
        project.add_campaign(make_design((rater,)))
    assert run_command(capsys, "project", "verify", address.url)[0] == 0
    monkeypatch.setenv("PGPASSWORD", "pass")
    code, out, err = run_command(capsys, "project", "verify", address.server.url(address.name, rater))
    assert (code, out) == (2, "")
    assert "rater" in err


def test_info_shows_the_progress_of_a_review(tmp_path, capsys):
    path = tmp_path / "a.qedesk"
    with Project.create(path, reviewed_corpus(), person="ann") as project:
        confirmed = {"fields": (ReviewField.STATUS,), "values": (2,)}
        project.append([make_review_row(project), make_review_row(project, 2, **confirmed), make_visit_row(project)])
    out = run_command(capsys, "project", "info", path)[1]
    assert "bilingual file a.xlf" in out
    assert "review: 1 translation edited, 1 segment confirmed, 0 rejected, notes on 0 segments" in out
    assert "recorded: 1 visit to 1 segment, 0.7 minutes of work" in out
    result = json.loads(run_command(capsys, "project", "info", path, "--json")[1])
    assert (result["review"]["edited"], result["files"]) == (1, ["a.xlf", "empty.po", "b.po"])


def test_notes_on_all_layers_of_a_file_are_reported(capsys, tmp_path):
    rows = (("gold", 0, 0.5), ("gold", 1, "hallucination"), ("A", 0, 0.4), ("A", 1, 0.3))
    lines = ["lp\tmethod\tsegment\tscore\trank", *(f"en-de\t{name}\t{at}\t{score}\t1" for name, at, score in rows)]
    (tmp_path / "t.mt").write_text("a b\nc d\n")
    (tmp_path / "t.tsv").write_text("\n".join(lines) + "\n")
    files = (tmp_path / "t.mt", tmp_path / "t.tsv")
    _, _, err = run_command(capsys, "project", "create", tmp_path / "p.qedesk", *files)
    assert "t.tsv: column not read: rank; 1 segment left out: marked as a hallucination in the gold" in err
