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
from tests.commands import run
from tests.postgres import address, postgresql
from tests.project.store.made import a_campaign, an_edit, full_corpus, rate_all
from tests.project.store.reviewed import a_review, a_visit, reviewed_corpus

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


def test_info_names_references_and_metrics(capsys, files, tmp_path):
    (files / "test.ref").write_text("one house\ntwo cats\n")
    (files / "ref.B").write_text("the house\nboth cats\n")
    (files / "COMET.seg.score").write_text("MT\t0.5\nMT\tNone\n")
    place = tmp_path / "a.qedesk"
    assert run(capsys, "project", "create", place, files)[0] == 0
    code, out, _ = run(capsys, "project", "info", place, "--json")
    assert code == 0
    texts = ["source", "MT", "reference", "reference B", "COMET scores"]
    assert sorted(json.loads(out)["corpus"]["texts"]) == sorted(texts)


def test_create_and_info(capsys, files, tmp_path):
    place = tmp_path / "a.qedesk"
    code, out, err = run(capsys, "project", "create", place, files, "--title", "Mine")
    assert (code, out) == (0, "")
    assert "2 segments, 1 layer" in err
    code, out, _ = run(capsys, "project", "info", place, "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["title"], found["role"], found["read-only"]) == ("Mine", "owner", "")
    assert found["corpus"] == {"name": found["corpus"]["name"], "segments": 2, "texts": ["source", "MT"]}
    assert (len(found["layers"]), found["edits"], found["campaigns"]) == (1, 0, [])
    code, out, _ = run(capsys, "project", "info", place, "--check")
    assert code == 0
    assert out.startswith("Mine (")
    code, _, err = run(capsys, "project", "create", place, files)
    assert code == 2
    assert "already" in err
    assert run(capsys, "project", "create", place, "--replace")[0] == 0
    assert json.loads(run(capsys, "project", "info", place, "--json")[1])["corpus"] is None


def test_info_names_campaigns_and_how_far_their_raters_are(capsys, tmp_path):
    place = tmp_path / "a.qedesk"
    with Project.create(place, full_corpus(), person="owner") as project:
        project.add_campaign(a_campaign())
        project.append([an_edit(project)])
        rate_all(project, "campaign-1", "ann")
    out = run(capsys, "project", "info", place)[1]
    assert "1 edit" in out
    assert "campaign Campaign campaign-1 (adequacy-fluency)" in out
    total = json.loads(run(capsys, "project", "info", place, "--json")[1])["campaigns"][0]["raters"]["ann"]
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
def test_bad_input_is_one_line(capsys, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("qe-desktop: error: ")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_damage_is_found(capsys, files, tmp_path):
    place = tmp_path / "a.qedesk"
    run(capsys, "project", "create", place, files)
    data = bytearray(place.read_bytes())
    at = data.rindex(b"ein Haus")
    data[at : at + 3] = b"EIN"
    place.write_bytes(data)
    code, _, err = run(capsys, "project", "info", place, "--check")
    assert code == 2
    assert "damaged" in err


def test_secure_lets_raters_in(capsys, address, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", address.password)
    monkeypatch.setenv("QE_DESKTOP_NEW_PASSWORD", "first pass")
    rater = f"rater-{address.name}"
    code, out, err = run(capsys, "project", "secure", address.url, "--rater", rater)
    assert (code, err) == (0, "")
    assert rater in out
    assert "first pass" not in out + address.server.log()
    monkeypatch.setenv("PGPASSWORD", "first pass")
    code, out, _ = run(capsys, "project", "info", address.server.url(address.name, rater))
    assert code == 0
    assert "you are one of its raters" in out


def test_a_password_is_asked_for_at_the_prompt(capsys, address, monkeypatch):
    asked = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return address.password if prompt == "Password: " else "new pass"

    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.delenv("QE_DESKTOP_NEW_PASSWORD", raising=False)
    monkeypatch.setattr("getpass.getpass", answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    rater = f"rater-{address.name}"
    assert run(capsys, "project", "secure", address.url, "--rater", rater)[0] == 0
    assert asked == ["Password: ", f"Password for the new role {rater}: ", "Repeat the password: "]
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    code, _, err = run(capsys, "project", "info", address.url)
    assert code == 2
    assert "password" in err


def a_project_with_a_campaign(place: Path, secret: bytes = bytes(range(32))) -> None:
    """Of texts that the project's corpus has, so that it can be drawn again."""
    texts = CampaignTexts.of_corpus(full_corpus())
    lines = {name: [line or "-" for line in lines] for name, lines in texts.outputs().items()}
    corpus = full_corpus()
    corpus = replace(
        corpus,
        texts={role: TextColumn.of([column[n] or "-" for n in range(4)]) for role, column in corpus.texts.items()},
        translations={"B": TextColumn.of(lines["B"])},
        # they are of other tokens
        layers={},
        alignments=None,
    )
    passages = CampaignTexts.of_corpus(corpus).passages(range(4))
    campaign = Campaign("c", "News", "rank", EvaluationBasis.SOURCE, "de", "en", created=1.7e9)
    setup = CampaignSetup(
        ("MT", "B"), (0, 2), ("ann", "ben"), repeats=0.5, controls=0.5, training=2, per_screen=2, seed=7
    )
    with Project.create(place, corpus, person="owner") as project:
        project.add_campaign(design_campaign(campaign, setup, passages, lines, secret=secret))


def test_verify_finds_a_campaign_as_it_was_published(capsys, tmp_path):
    place = tmp_path / "a.qedesk"
    a_project_with_a_campaign(place)
    code, out, err = run(capsys, "project", "verify", place, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["agrees"] is True
    [one] = found["campaigns"]
    assert one["published"] == one["computed"]
    assert len(one["published"]) == 64
    assert (one["drawn-again"], one["agrees"], one["differences"], one["first-rating"]) == (True, True, [], None)
    code, out, _ = run(capsys, "project", "verify", place)
    assert code == 0
    assert f"published {one['published']}" in out
    assert "repeated from its secret" in out


@pytest.mark.parametrize(
    ("table", "change", "said"),
    [
        ("output_keys", "systems = '[\"B\"]'", "systems and roles"),
        ("screens", "position = 99 - position", "screens:"),
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
def test_verify_tells_what_was_changed_afterwards(capsys, tmp_path, table, change, said):
    place = tmp_path / "a.qedesk"
    a_project_with_a_campaign(place)
    with sqlite3.connect(place) as connection:
        connection.execute(f"DROP TRIGGER {table}_no_update")
        connection.execute(f"UPDATE {table} SET {change}")
    code, out, err = run(capsys, "project", "verify", place, "--json")
    assert code == 2
    assert err.count("\n") == 1
    assert "differs from the one that was published" in err
    [one] = json.loads(out)["campaigns"]
    assert (one["agrees"], json.loads(out)["agrees"]) == (False, False)
    assert one["published"] != one["computed"]
    assert any(said in difference for difference in one["differences"])


def test_verify_says_of_earlier_campaigns_that_there_is_nothing_to_compare(capsys, tmp_path):
    place = tmp_path / "a.qedesk"
    a_project_with_a_campaign(place, secret=b"")
    code, out, _ = run(capsys, "project", "verify", place, "--json")
    assert code == 0
    [one] = json.loads(out)["campaigns"]
    assert (one["agrees"], one["published"]) == (None, "")
    assert "before design hashes were published" in one["notes"][0]
    assert "nothing to compare" in run(capsys, "project", "verify", place)[1]


def test_verify_says_where_a_campaign_cannot_be_drawn_again(capsys, tmp_path):
    place = tmp_path / "a.qedesk"
    with Project.create(place, None, person="owner") as project:
        project.add_campaign(a_campaign())
        rate_all(project, "campaign-1", "ann")
    code, out, _ = run(capsys, "project", "verify", place, "--json")
    assert code == 0
    [one] = json.loads(out)["campaigns"]
    assert (one["agrees"], one["drawn-again"]) == (True, None)
    assert "no corpus" in one["notes"][0]
    assert one["first-rating"] > one["created"]


def test_raters_verify_nothing(capsys, address, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", address.password)
    monkeypatch.setenv("QE_DESKTOP_NEW_PASSWORD", "pass")
    rater = f"rater-{address.name}"
    assert run(capsys, "project", "secure", address.url, "--rater", rater)[0] == 0
    with Project.open(address.url, person="owner", password=address.password) as project:
        project.add_campaign(a_campaign((rater,)))
    assert run(capsys, "project", "verify", address.url)[0] == 0
    monkeypatch.setenv("PGPASSWORD", "pass")
    code, out, err = run(capsys, "project", "verify", address.server.url(address.name, rater))
    assert (code, out) == (2, "")
    assert "rater" in err


def test_info_says_how_far_a_review_is(tmp_path, capsys):
    place = tmp_path / "a.qedesk"
    with Project.create(place, reviewed_corpus(), person="ann") as project:
        confirmed = {"fields": (ReviewField.STATUS,), "values": (2,)}
        project.append([a_review(project), a_review(project, 2, **confirmed), a_visit(project)])
    said = run(capsys, "project", "info", place)[1]
    assert "bilingual file a.xlf" in said
    assert "review: 1 translation edited, 1 segment confirmed, 0 rejected, notes on 0 segments" in said
    assert "recorded: 1 visit to 1 segment, 0.7 minutes of work" in said
    found = json.loads(run(capsys, "project", "info", place, "--json")[1])
    assert (found["review"]["edited"], found["files"]) == (1, ["a.xlf", "empty.po", "b.po"])
