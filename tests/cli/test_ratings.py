"""`qe-desktop ratings` as scripts see it."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from qe_desktop.corpus import ItemRole, Ratings, Score
from qe_desktop.formats.ratings import read_journal, read_ratings, write_ratings
from qe_desktop.project.blind_key import unblind
from qe_desktop.project.store import Project
from qe_desktop.ratings.blinding import blind_ratings, design_letters
from tests.commands import refused, run
from tests.patience import PATIENCE
from tests.postgres import address, postgresql
from tests.ratings.campaigns import answered, designed
from tests.ratings.test_results import direct_assessment, oracle, rankings, two_scales

QUICK = ("--runs", 20, "--rounds", 20)

__all__ = ["address", "postgresql"]


@pytest.fixture
def folder(tmp_path):
    table = oracle("adequacy_fluency")
    with (tmp_path / "long.csv").open("w", newline="") as file:
        csv.writer(file).writerows([table["columns"], *table["ratings"]])
    write_ratings(rankings(), tmp_path / "ranks.csv", "wmt")
    write_ratings(direct_assessment(), tmp_path / "da.jsonl", "jsonl")
    return tmp_path


def report(capsys, *arguments):
    code, out, err = run(capsys, "ratings", "report", *arguments, *QUICK, "--json")
    assert code == 0
    return json.loads(out), err


def test_report_as_json(folder, capsys):
    found, err = report(capsys, folder / "long.csv")
    assert err == ""
    expected = oracle("adequacy_fluency")["system"]
    for name, means in expected.items():
        assert {key: found["systems"][name][key] for key in means} == pytest.approx(means)
    assert [name for cluster in found["clusters"] for name in cluster] == ["C", "A", "B"]
    ranked, _ = report(capsys, folder / "ranks.csv")
    for name, value in oracle("ranking_wins")["expected_wins_wmt13"].items():
        assert ranked["systems"][name]["expected-wins"] == pytest.approx(value, abs=1e-6)
    direct, _ = report(capsys, folder / "da.jsonl", "--standardise", "appraise")
    assert direct["systems"]["A"]["z"] == pytest.approx(0.612417, abs=1e-6)


def test_which_rule_holds_for_repeats_is_chosen_and_said(tmp_path, capsys):
    """B's rater said 1 and 3 of one output, A's 4: by ratings the mean is 2⅔, by raters' means first it is 3."""
    given = [("A", 4.0), ("B", 1.0), ("B", 3.0)]
    scores = [Score(rater, system, "1", "adequacy", value) for rater, value in given for system in ("X", "Y")]
    write_ratings(Ratings.of(scores), tmp_path / "again.jsonl", "jsonl")
    by_rule = {}
    for rule in ("each", "rater"):
        found, _ = report(capsys, tmp_path / "again.jsonl", "--repeats", rule)
        by_rule[rule] = found["systems"]["X"]["adequacy"]
        assert any(note.startswith("repeats: ") for note in found["notes"])
    assert by_rule == pytest.approx({"each": 8 / 3, "rater": 3.0})


def test_reports_for_reading(folder, capsys):
    for form, mark in (
        ("table", "Krippendorff's alpha"),
        ("latex", r"\begin{tabular}"),
        ("tsv", "system\tn\tadequacy"),
    ):
        code, out, err = run(capsys, "ratings", "report", folder / "long.csv", "--format", form, *QUICK)
        assert code == 0
        # TSV holds nothing but the table: what the other forms say beside it stands on stderr
        assert ("note: Based on 2 raters and 4 segments per system." in err) is (form == "tsv")
        assert bool(err) is (form == "tsv")
        assert ("Based on 2 raters and 4 segments per system." in out) is (form != "tsv")
        assert mark in out or "alpha, ordinal" in out
    assert len(out.splitlines()) == 4


def test_files_of_several_raters_are_joined_and_conflicts_named(folder, capsys):
    whole = two_scales().scores.rows()
    for rater in ("j1", "j2"):
        rows = [row for row in whole if row.rater == rater]
        write_ratings(Ratings.of(rows), folder / f"{rater}.csv", "long")
    together, err = report(capsys, folder / "j1.csv", folder / "j2.csv")
    alone, _ = report(capsys, folder / "long.csv")
    assert (together["systems"], err) == (alone["systems"], "")
    changed = [row._replace(value=1.0) if row.segment == "1" and row.system == "A" else row for row in whole]
    write_ratings(Ratings.of(changed), folder / "changed.csv", "long")
    found, err = report(capsys, folder / "long.csv", folder / "changed.csv")
    assert found["systems"] == alone["systems"]
    assert len(found["conflicts"]) == 4
    assert err.count("qe-desktop: conflict: ") == 4
    assert f"j1, segment 1, A, adequacy: 4 in {folder / 'long.csv'}, 1 in {folder / 'changed.csv'}" in err
    assert any("44 ratings are in several files" in note for note in found["notes"])


@pytest.mark.parametrize("form", ["wmt", "wide", "long", "jsonl"])
def test_export_from_file_to_file(folder, capsys, form):
    source = folder / ("ranks.csv" if form == "wmt" else "long.csv")
    code, out, err = run(capsys, "ratings", "export", source, "--form", form, "-o", folder / "out.gz")
    assert (code, out) == (0, "")
    assert f"({form}): " in err
    one, other = read_ratings(source), read_ratings(folder / "out.gz")
    assert sorted(map(repr, one.scores.rows())) == sorted(map(repr, other.scores.rows()))
    assert repr(one.pairs.rows()) == repr(other.pairs.rows())


def test_errors_are_one_line(folder, capsys):
    assert "file not found" in refused(capsys, "ratings", "report", folder / "none.csv")
    bad = folder / "bad.csv"
    bad.write_text("rater,segment,score\nAda,1,x\n")
    assert f'{bad}:2: "x" is not a number. Correct this line.' in refused(capsys, "ratings", "report", bad)
    assert "no pairwise judgements" in refused(
        capsys, "ratings", "export", folder / "long.csv", "--form", "wmt", "-o", folder / "x"
    )
    assert "cannot be written" in refused(
        capsys, "ratings", "export", folder / "long.csv", "--form", "long", "-o", folder / "long.csv"
    )
    assert "contains one campaign of a project" in refused(
        capsys, "ratings", "export", folder / "long.csv", "--form", "journal", "-o", folder / "x"
    )
    assert refused(capsys, "ratings", "report", folder / "long.csv", "--runs", "0")
    assert refused(capsys, "ratings")
    assert refused(capsys, "ratings", "report")
    assert "there are no ratings that count toward the results" in refused(
        capsys, "ratings", "report", _only_training(folder)
    )


def _only_training(folder):
    write_ratings(Ratings.of([Score("a", "X", "1", "score", 3, ItemRole.TRAINING)]), folder / "t", "jsonl")
    return folder / "t"


@pytest.fixture
def project(tmp_path):
    """A project with a finished campaign that is unblinded; the raters answered with numbers that depend on the output
    only.
    """
    of = designed("adequacy-fluency", 3, 6, 2, repeats=0.2)
    events = answered(
        of, lambda screen, field: 1 + (len(screen.outputs[0]) + int(screen.outputs[0][-2:], 16) + len(field)) % 5
    )
    place = tmp_path / "campaign.qedesk"
    with Project.create(place, None, person="owner") as made:
        made.add_campaign(of)
        made.append(events)
        assert unblind(made, of.campaign, "all is rated")
        assert made.flush(PATIENCE)
    return place, of, events


def test_a_project_is_reported_like_its_export(project, tmp_path, capsys):
    place, of, _ = project
    found, err = report(capsys, place)
    assert err == ""
    assert set(found["systems"]) == set(of.setup.systems)
    for form in ("long", "wide", "jsonl"):
        assert run(capsys, "ratings", "export", place, "--form", form, "-o", tmp_path / form)[0] == 0
        again, _ = report(capsys, tmp_path / form)
        assert again["systems"] == found["systems"]
        assert again["agreement"] == found["agreement"]
    assert "campaign" in refused(capsys, "ratings", "report", place, "--campaign", "another")
    named, _ = report(capsys, place, "--campaign", of.campaign.name)
    assert named["systems"] == found["systems"]


def test_a_journal_is_exported_reported_and_imported(project, tmp_path, capsys):
    place, of, events = project
    code, _, err = run(capsys, "ratings", "export", place, "--form", "journal", "-o", tmp_path / "journal.jsonl")
    assert code == 0
    assert f"{len(events):,} events" in err
    assert len(read_journal(tmp_path / "journal.jsonl").lines) == len(events)
    found, _ = report(capsys, place)
    assert report(capsys, tmp_path / "journal.jsonl")[0]["systems"] == found["systems"]
    copy = tmp_path / "copy.qedesk"
    with Project.create(copy, None, person="owner") as made:
        made.add_campaign(of)
    dry = run(capsys, "ratings", "import", copy, tmp_path / "journal.jsonl", "--dry-run")
    assert dry[0] == 0
    assert f"{len(events):,} would be added" in dry[1]
    assert "there are no ratings that count toward the results" in refused(capsys, "ratings", "report", copy)
    assert (
        f"{len(events):,} added, 0 already in the project; 0 conflicts"
        in run(capsys, "ratings", "import", copy, tmp_path / "journal.jsonl")[1]
    )
    assert (
        f"0 added, {len(events):,} already in the project"
        in run(capsys, "ratings", "import", copy, tmp_path / "journal.jsonl")[1]
    )
    assert report(capsys, copy, "--unblind", "all is rated")[0]["systems"] == found["systems"]


def test_importing_lists_conflicts_and_exits_with_0(tmp_path, capsys, folder):
    place = tmp_path / "empty.qedesk"
    Project.create(place, None, person="owner").close()
    assert run(capsys, "ratings", "import", place, folder / "long.csv")[0] == 0
    changed = [row._replace(value=1.0) if row.segment == "1" else row for row in two_scales().scores.rows()]
    write_ratings(Ratings.of(changed), folder / "changed.csv", "long")
    code, out, err = run(capsys, "ratings", "import", place, folder / "changed.csv")
    assert (code, err) == (0, "")
    assert "12 conflicts" in out
    assert out.count("conflict: j1, segment 1") == 6


def test_a_project_on_a_server(address, tmp_path, capsys, folder, monkeypatch):
    Project.create(address.url, None, person="owner", password=address.password).close()
    # the password is in the URL, and in nothing that is said
    url = address.url.replace("@", f":{address.password}@")
    said = []
    for arguments in (
        ("import", url, folder / "long.csv", "--dry-run"),
        ("import", url, folder / "long.csv"),
        ("export", url, "--form", "long", "-o", tmp_path / "out.csv"),
    ):
        code, out, err = run(capsys, "ratings", *arguments)
        assert code == 0
        said += [out, err]
    assert "48 would be added" in said[0]
    assert "48 added" in said[2]
    monkeypatch.setenv("PGPASSWORD", address.password)
    found, err = report(capsys, address.url)
    assert found["systems"]["C"]["total"] == 8.75
    said += [
        err,
        json.dumps(found),
        refused(capsys, "ratings", "export", url, "--form", "journal", "-o", tmp_path / "x"),
    ]
    said.append(refused(capsys, "ratings", "export", url, folder / "x", "--form", "journal", "-o", tmp_path / "x"))
    monkeypatch.setenv("PGPASSWORD", "wrong")
    said.append(refused(capsys, "ratings", "report", address.url))
    assert "password" in said[-1]
    assert not any(address.password in text for text in said)


def test_what_is_no_project(folder, capsys):
    assert refused(capsys, "ratings", "import", folder / "long.csv", folder / "long.csv")
    assert refused(capsys, "ratings", "report", folder / "none.qedesk")
    assert refused(capsys, "ratings", "import", folder / "none.qedesk", folder / "long.csv")
    assert not (folder / "none.qedesk").exists()


def test_help_says_what_the_numbers_mean(capsys):
    with pytest.raises(SystemExit) as ended:
        run(capsys, "ratings", "report", "--help")
    assert ended.value.code == 0
    out = capsys.readouterr().out
    for word in ("wmt-kappa-as-published", "rank-low", "Appraise", "notes"):
        assert word in re.sub(r"-\s+", "-", out)


def test_the_command_line_starts_without_the_slow_ones():
    code = "import sys; from qe_desktop.cli.main import build_parser; build_parser(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    loaded = set(done.stdout.split())
    assert not loaded & {
        "PySide6",
        "pyqtgraph",
        "scipy.stats",
        "sqlalchemy",
        "qe_desktop.ratings.aggregation.trueskill",
    }


def test_tables_fit_the_terminal(folder, capsys, monkeypatch):
    names = [f"newstest2016.online-{letter}.4313.de-en" for letter in "ABCDEFGHIJ"]
    rows = [
        Score(f"r{rater}", name, str(segment), "score", (rater * 31 + segment * 17 + place * 7) % 101)
        for rater in range(2)
        for segment in range(5)
        for place, name in enumerate(names)
    ]
    write_ratings(Ratings.of(rows), folder / "ten.jsonl", "jsonl")
    for columns, numbered in (("80", True), ("400", False)):
        monkeypatch.setenv("COLUMNS", columns)
        code, out, _ = run(capsys, "ratings", "report", folder / "ten.jsonl", *QUICK)
        assert code == 0
        assert all(name in out for name in names)
        assert max(len(line) for line in out.splitlines() if "──" in line) <= int(columns)
        assert ("10 newstest201…" in out) is numbered


def test_a_journal_of_a_project_without_campaigns_is_refused(folder, capsys):
    run(capsys, "project", "create", folder / "p.qedesk")
    said = refused(
        capsys, "ratings", "export", folder / "p.qedesk", "--form", "journal", "-o", folder / "j.jsonl"
    )  # fmt: skip
    assert "the project has no campaigns." in said


def test_several_campaigns_are_named_and_never_joined(tmp_path, capsys):
    place = tmp_path / "two.qedesk"
    designs = [designed("adequacy-fluency", 3, 4, 2, seed=seed) for seed in (1, 2)]
    named = [
        replace(one, campaign=replace(one.campaign, uid=uid, name=name))
        for one, uid, name in zip(designs, ("c1", "c2"), ("Spring", "Autumn"), strict=True)
    ]
    with Project.create(place, None, person="owner") as made:
        for one in named:
            made.add_campaign(one)
            made.append(
                [replace(event, uid=f"{one.campaign.uid} {event.uid}") for event in answered(one, lambda *_: 3)]
            )
        assert made.flush(PATIENCE)
    for command in (("report", place), ("export", place, "--form", "long", "-o", tmp_path / "x")):
        said = refused(capsys, "ratings", *command)
        assert "ratings of different campaigns are not combined. Use --campaign with one of:" in said
        assert "Use --campaign with one of: Spring, Autumn." in said
    assert not (tmp_path / "x").exists()
    assert report(capsys, place, "--campaign", "Autumn")[0]["raters"]
    assert report(capsys, place, "--campaign", "c1")[0]["raters"]
    assert "no such campaign" in refused(capsys, "ratings", "report", place, "--campaign", "Winter")


def test_a_blind_export_is_not_joined_with_other_ratings(project, tmp_path, capsys):
    place, of, _ = project
    with Project.open(place, person="owner") as opened:
        blind = blind_ratings(opened.ratings(of.campaign.uid), design_letters(of), of.campaign.uid)
    write_ratings(blind, tmp_path / "blind.csv", "long")
    assert set(report(capsys, tmp_path / "blind.csv")[0]["systems"]) == set(design_letters(of).values())
    for others in ([place], [place, "--campaign", of.campaign.name]):
        said = refused(capsys, "ratings", "report", tmp_path / "blind.csv", *others)
        assert f"{tmp_path / 'blind.csv'}: this is a blind export of the campaign {of.campaign.uid}" in said
    assert "0 added" in run(capsys, "ratings", "import", place, tmp_path / "blind.csv")[1]


def test_tables_that_do_not_say_that_they_hold_ratings_are_asked_for(tmp_path, capsys):
    table = tmp_path / "table.csv"
    table.write_text("segment,Ada,Ben,age\n1,61,33,34\n2,70,20,51\n3,50,20,9\n")
    said = refused(capsys, "ratings", "report", table)
    assert (
        f"{table}: it is unclear whether this is a table of ratings: "
        'the columns "Ada", "Ben", "age" would be read as raters' in said
    )
    assert "--table wide, or name the rater columns, as in --raters Ada,Ben" in said
    assert [*report(capsys, table, "--table", "wide")[0]["raters"]] == ["Ada", "Ben", "age"]
    found, _ = report(capsys, table, "--raters", "Ada, Ben")
    assert [*found["raters"]] == ["Ada", "Ben"]
    assert 'column not read: "age"' in found["notes"]
    place = tmp_path / "p.qedesk"
    Project.create(place, None, person="owner").close()
    assert "unclear whether this is a table of ratings" in refused(capsys, "ratings", "import", place, table)
    code, out, _ = run(capsys, "ratings", "import", place, table, "--raters", "Ada,Ben")
    assert code == 0
    assert "6 added" in out
    assert 'note: column not read: "age"' in out


def test_an_import_is_listed_and_taken_back(tmp_path, capsys, folder):
    place = tmp_path / "empty.qedesk"
    Project.create(place, None, person="owner").close()
    run(capsys, "ratings", "import", place, folder / "long.csv")
    listed = run(capsys, "ratings", "undo-import", place)[1]
    assert f"48 from {folder / 'long.csv'}" in listed
    assert listed.rstrip().endswith("owner: counts") or ": counts" in listed
    code, out, err = run(capsys, "ratings", "undo-import", place, folder / "long.csv")
    assert (code, err) == (0, "")
    assert "withdrawn; the rows stay but no longer count" in out
    assert "there are no ratings that count toward the results" in refused(capsys, "ratings", "report", place)
    assert ": withdrawn" in run(capsys, "ratings", "undo-import", place)[1]
    assert "there is no import of x that counts" in refused(capsys, "ratings", "undo-import", place, "x")
    assert "48 added" in run(capsys, "ratings", "import", place, folder / "long.csv")[1]
    assert report(capsys, place)[0]["systems"]["C"]["total"] == 8.75
