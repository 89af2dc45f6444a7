"""`qe-desktop ratings` as scripts see it: report, export, import and undo-import."""

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
from qe_desktop.project.campaign_views import unblind
from qe_desktop.project.store import Project
from qe_desktop.ratings.blinding import blind_ratings, design_letters
from tests.command_line import error_line, run_command
from tests.postgres import address, postgresql
from tests.ratings.campaigns import make_random_design, simulate_events
from tests.ratings.test_rating_results import load_expected, make_direct_assessment, make_rankings, make_two_scales
from tests.timeouts import PATIENCE

QUICK = ("--runs", 20, "--rounds", 20)

__all__ = ["address", "postgresql"]


@pytest.fixture
def folder(tmp_path):
    table = load_expected("adequacy_fluency")
    with (tmp_path / "long.csv").open("w", newline="") as file:
        csv.writer(file).writerows([table["columns"], *table["ratings"]])
    write_ratings(make_rankings(), tmp_path / "ranks.csv", "wmt")
    write_ratings(make_direct_assessment(), tmp_path / "da.jsonl", "jsonl")
    return tmp_path


def report(capsys, *arguments):
    code, out, err = run_command(capsys, "ratings", "report", *arguments, *QUICK, "--json")
    assert code == 0
    return json.loads(out), err


def test_report_as_json(folder, capsys):
    result, err = report(capsys, folder / "long.csv")
    assert err == ""
    expected = load_expected("adequacy_fluency")["system"]
    for name, means in expected.items():
        assert {key: result["systems"][name][key] for key in means} == pytest.approx(means)
    assert [name for cluster in result["clusters"] for name in cluster] == ["C", "A", "B"]
    ranked, _ = report(capsys, folder / "ranks.csv")
    for name, value in load_expected("ranking_wins")["expected_wins_wmt13"].items():
        assert ranked["systems"][name]["expected-wins"] == pytest.approx(value, abs=1e-6)
    direct, _ = report(capsys, folder / "da.jsonl", "--standardise", "appraise")
    assert direct["systems"]["A"]["z"] == pytest.approx(0.612417, abs=1e-6)


def test_repeats_option_sets_the_rule_for_repeated_ratings(tmp_path, capsys):
    """Rater A gave 4, rater B gave 1 and 3: the mean of the ratings is 2⅔, the mean of the rater means is 3."""
    values = [("A", 4.0), ("B", 1.0), ("B", 3.0)]
    scores = [Score(rater, system, "1", "adequacy", value) for rater, value in values for system in ("X", "Y")]
    write_ratings(Ratings.of(scores), tmp_path / "again.jsonl", "jsonl")
    by_rule = {}
    for rule in ("each", "rater"):
        result, _ = report(capsys, tmp_path / "again.jsonl", "--repeats", rule)
        by_rule[rule] = result["systems"]["X"]["adequacy"]
        assert any(note.startswith("repeats: ") for note in result["notes"])
    assert by_rule == pytest.approx({"each": 8 / 3, "rater": 3.0})


def test_report_as_table_latex_and_tsv(folder, capsys):
    for form, mark in (
        ("table", "alpha, ordinal"),
        ("latex", r"\begin{tabular}"),
        ("tsv", "system\tn\tadequacy"),
    ):
        code, out, err = run_command(capsys, "ratings", "report", folder / "long.csv", "--format", form, *QUICK)
        assert code == 0
        # TSV contains only the table, so the notes are on stderr
        assert ("note: Based on 2 raters and 4 segments." in err) is (form == "tsv")
        assert bool(err) is (form == "tsv")
        assert ("Based on 2 raters and 4 segments." in out) is (form != "tsv")
        assert mark in out
    assert len(out.splitlines()) == 4


def test_files_of_several_raters_are_combined_and_conflicts_listed(folder, capsys):
    whole = make_two_scales().scores.rows()
    for rater in ("j1", "j2"):
        rows = [row for row in whole if row.rater == rater]
        write_ratings(Ratings.of(rows), folder / f"{rater}.csv", "long")
    together, err = report(capsys, folder / "j1.csv", folder / "j2.csv")
    alone, _ = report(capsys, folder / "long.csv")
    assert (together["systems"], err) == (alone["systems"], "")
    changed = [row._replace(value=1.0) if row.segment == "1" and row.system == "A" else row for row in whole]
    write_ratings(Ratings.of(changed), folder / "changed.csv", "long")
    result, err = report(capsys, folder / "long.csv", folder / "changed.csv")
    assert result["systems"] == alone["systems"]
    assert len(result["conflicts"]) == 4
    assert err.count("qe-desktop: conflict: ") == 4
    assert f"j1, segment 1, A, Adequacy: 4 in {folder / 'long.csv'}, 1 in {folder / 'changed.csv'}" in err
    assert any("44 duplicate ratings in later files" in note for note in result["notes"])


@pytest.mark.parametrize("form", ["wmt", "wide", "long", "jsonl"])
def test_export_from_file_to_file(folder, capsys, form):
    source = folder / ("ranks.csv" if form == "wmt" else "long.csv")
    code, out, err = run_command(capsys, "ratings", "export", source, "--form", form, "-o", folder / "out.gz")
    assert (code, out) == (0, "")
    assert f"({form}): " in err
    before, after = read_ratings(source), read_ratings(folder / "out.gz")
    assert sorted(map(repr, before.scores.rows())) == sorted(map(repr, after.scores.rows()))
    assert repr(before.pairs.rows()) == repr(after.pairs.rows())


def test_errors_are_one_line(folder, capsys):
    assert "file not found" in error_line(capsys, "ratings", "report", folder / "none.csv")
    bad = folder / "bad.csv"
    bad.write_text("rater,segment,score\nAda,1,x\n")
    assert f'{bad}:2: "x" is not a number. Correct this line.' in error_line(capsys, "ratings", "report", bad)
    assert "no pairwise judgements" in error_line(
        capsys, "ratings", "export", folder / "long.csv", "--form", "wmt", "-o", folder / "x"
    )
    assert "this file is an input" in error_line(
        capsys, "ratings", "export", folder / "long.csv", "--form", "long", "-o", folder / "long.csv"
    )
    assert "contains one campaign of a project" in error_line(
        capsys, "ratings", "export", folder / "long.csv", "--form", "journal", "-o", folder / "x"
    )
    assert error_line(capsys, "ratings", "report", folder / "long.csv", "--runs", "0")
    assert error_line(capsys, "ratings")
    assert error_line(capsys, "ratings", "report")
    assert "there are no ratings that count toward the results" in error_line(
        capsys, "ratings", "report", _write_training_ratings(folder)
    )


def _write_training_ratings(folder):
    write_ratings(Ratings.of([Score("a", "X", "1", "score", 3, ItemRole.TRAINING)]), folder / "t", "jsonl")
    return folder / "t"


@pytest.fixture
def project(tmp_path):
    """A project with a finished, unblinded campaign whose answers depend only on the output."""
    design = make_random_design("adequacy-fluency", 3, 6, 2, repeats=0.2)
    events = simulate_events(
        design, lambda screen, field: 1 + (len(screen.outputs[0]) + int(screen.outputs[0][-2:], 16) + len(field)) % 5
    )
    path = tmp_path / "campaign.qedesk"
    with Project.create(path, None, person="owner") as created:
        created.add_campaign(design)
        created.append(events)
        assert unblind(created, design.campaign, "all is rated")
        assert created.flush(PATIENCE)
    return path, design, events


def test_reports_of_a_project_and_of_its_export_are_equal(project, tmp_path, capsys):
    path, design, _ = project
    result, err = report(capsys, path)
    assert err == ""
    assert set(result["systems"]) == set(design.setup.systems)
    for form in ("long", "wide", "jsonl"):
        assert run_command(capsys, "ratings", "export", path, "--form", form, "-o", tmp_path / form)[0] == 0
        again, _ = report(capsys, tmp_path / form)
        assert again["systems"] == result["systems"]
        assert again["agreement"] == result["agreement"]
    assert "campaign" in error_line(capsys, "ratings", "report", path, "--campaign", "another")
    by_name, _ = report(capsys, path, "--campaign", design.campaign.name)
    assert by_name["systems"] == result["systems"]


def test_journal_is_exported_reported_and_imported(project, tmp_path, capsys):
    path, design, events = project
    code, _, err = run_command(capsys, "ratings", "export", path, "--form", "journal", "-o", tmp_path / "journal.jsonl")
    assert code == 0
    assert f"{len(events):,} events" in err
    assert len(read_journal(tmp_path / "journal.jsonl").lines) == len(events)
    result, _ = report(capsys, path)
    assert report(capsys, tmp_path / "journal.jsonl")[0]["systems"] == result["systems"]
    copy = tmp_path / "copy.qedesk"
    with Project.create(copy, None, person="owner") as created:
        created.add_campaign(design)
    dry = run_command(capsys, "ratings", "import", copy, tmp_path / "journal.jsonl", "--dry-run")
    assert dry[0] == 0
    assert f"{len(events):,} would be added" in dry[1]
    assert "there are no ratings that count toward the results" in error_line(capsys, "ratings", "report", copy)
    assert (
        f"{len(events):,} added, 0 already in the project; 0 conflicts"
        in run_command(capsys, "ratings", "import", copy, tmp_path / "journal.jsonl")[1]
    )
    assert (
        f"0 added, {len(events):,} already in the project"
        in run_command(capsys, "ratings", "import", copy, tmp_path / "journal.jsonl")[1]
    )
    assert report(capsys, copy, "--unblind", "all is rated")[0]["systems"] == result["systems"]


def test_importing_lists_conflicts_and_exits_with_0(tmp_path, capsys, folder):
    path = tmp_path / "empty.qedesk"
    Project.create(path, None, person="owner").close()
    assert run_command(capsys, "ratings", "import", path, folder / "long.csv")[0] == 0
    changed = [row._replace(value=1.0) if row.segment == "1" else row for row in make_two_scales().scores.rows()]
    write_ratings(Ratings.of(changed), folder / "changed.csv", "long")
    code, out, err = run_command(capsys, "ratings", "import", path, folder / "changed.csv")
    assert (code, err) == (0, "")
    assert "12 conflicts" in out
    assert out.count("conflict: j1, segment 1") == 6


def test_a_project_on_a_server(address, tmp_path, capsys, folder, monkeypatch):
    Project.create(address.url, None, person="owner", password=address.password).close()
    # the password is in the URL and must not appear in any output
    url = address.url.replace("@", f":{address.password}@")
    texts = []
    for arguments in (
        ("import", url, folder / "long.csv", "--dry-run"),
        ("import", url, folder / "long.csv"),
        ("export", url, "--form", "long", "-o", tmp_path / "out.csv"),
    ):
        code, out, err = run_command(capsys, "ratings", *arguments)
        assert code == 0
        texts += [out, err]
    assert "48 would be added" in texts[0]
    assert "48 added" in texts[2]
    monkeypatch.setenv("PGPASSWORD", address.password)
    result, err = report(capsys, address.url)
    assert result["systems"]["C"]["total"] == 8.75
    texts += [
        err,
        json.dumps(result),
        error_line(capsys, "ratings", "export", url, "--form", "journal", "-o", tmp_path / "x"),
    ]
    texts.append(error_line(capsys, "ratings", "export", url, folder / "x", "--form", "journal", "-o", tmp_path / "x"))
    monkeypatch.setenv("PGPASSWORD", "wrong")
    texts.append(error_line(capsys, "ratings", "report", address.url))
    assert "password" in texts[-1]
    assert not any(address.password in text for text in texts)


def test_files_that_are_not_projects_are_refused(folder, capsys):
    assert error_line(capsys, "ratings", "import", folder / "long.csv", folder / "long.csv")
    assert error_line(capsys, "ratings", "report", folder / "none.qedesk")
    assert error_line(capsys, "ratings", "import", folder / "none.qedesk", folder / "long.csv")
    assert not (folder / "none.qedesk").exists()


def test_help_explains_the_numbers(capsys):
    with pytest.raises(SystemExit) as ended:
        run_command(capsys, "ratings", "report", "--help")
    assert ended.value.code == 0
    out = capsys.readouterr().out
    for word in ("wmt-kappa-as-published", "rank-low", "Appraise", "notes"):
        assert word in re.sub(r"-\s+", "-", out)


def test_command_line_starts_without_slow_modules():
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
        Score(f"r{rater}", name, str(segment), "score", (rater * 31 + segment * 17 + index * 7) % 101)
        for rater in range(2)
        for segment in range(5)
        for index, name in enumerate(names)
    ]
    write_ratings(Ratings.of(rows), folder / "ten.jsonl", "jsonl")
    for columns, numbered in (("80", True), ("400", False)):
        monkeypatch.setenv("COLUMNS", columns)
        code, out, _ = run_command(capsys, "ratings", "report", folder / "ten.jsonl", *QUICK)
        assert code == 0
        assert all(name in out for name in names)
        assert max(len(line) for line in out.splitlines() if "──" in line) <= int(columns)
        assert ("10 newstest201…" in out) is numbered


def test_journal_of_a_project_without_campaigns_is_refused(folder, capsys):
    run_command(capsys, "project", "create", folder / "p.qedesk")
    error = error_line(
        capsys, "ratings", "export", folder / "p.qedesk", "--form", "journal", "-o", folder / "j.jsonl"
    )  # fmt: skip
    assert "the project has no campaigns." in error


def test_several_campaigns_are_listed_and_not_combined(tmp_path, capsys):
    path = tmp_path / "two.qedesk"
    designs = [make_random_design("adequacy-fluency", 3, 4, 2, seed=seed) for seed in (1, 2)]
    renamed = [
        replace(design, campaign=replace(design.campaign, uid=uid, name=name))
        for design, uid, name in zip(designs, ("c1", "c2"), ("Spring", "Autumn"), strict=True)
    ]
    with Project.create(path, None, person="owner") as created:
        for design in renamed:
            created.add_campaign(design)
            created.append(
                [
                    replace(event, uid=f"{design.campaign.uid} {event.uid}")
                    for event in simulate_events(design, lambda *_: 3)
                ]
            )
        assert created.flush(PATIENCE)
    for command in (("report", path), ("export", path, "--form", "long", "-o", tmp_path / "x")):
        error = error_line(capsys, "ratings", *command)
        assert "ratings of different campaigns cannot be combined. Use --campaign with one of:" in error
        assert "Use --campaign with one of: “Spring”, “Autumn”." in error
    assert not (tmp_path / "x").exists()
    assert report(capsys, path, "--campaign", "Autumn")[0]["raters"]
    assert report(capsys, path, "--campaign", "c1")[0]["raters"]
    assert "no such campaign" in error_line(capsys, "ratings", "report", path, "--campaign", "Winter")


def test_blind_export_is_not_combined_with_other_ratings(project, tmp_path, capsys):
    path, design, _ = project
    with Project.open(path, person="owner") as opened:
        blind = blind_ratings(opened.ratings(design.campaign.uid), design_letters(design), design.campaign.uid)
    write_ratings(blind, tmp_path / "blind.csv", "long")
    assert set(report(capsys, tmp_path / "blind.csv")[0]["systems"]) == set(design_letters(design).values())
    for others in ([path], [path, "--campaign", design.campaign.name]):
        error = error_line(capsys, "ratings", "report", tmp_path / "blind.csv", *others)
        assert f"{tmp_path / 'blind.csv'}: this blind export of the campaign {design.campaign.uid}" in error
    assert "0 added" in run_command(capsys, "ratings", "import", path, tmp_path / "blind.csv")[1]


def test_ambiguous_tables_of_ratings_need_an_option(tmp_path, capsys):
    table = tmp_path / "table.csv"
    table.write_text("segment,Ada,Ben,age\n1,61,33,34\n2,70,20,51\n3,50,20,9\n")
    error = error_line(capsys, "ratings", "report", table)
    assert (
        f"{table}: it is unclear whether this is a table of ratings: "
        'the columns "Ada", "Ben", "age" would be read as the ratings of one rater each' in error
    )
    assert "--table wide, or name the rater columns, as in --raters Ada,Ben" in error
    assert [*report(capsys, table, "--table", "wide")[0]["raters"]] == ["Ada", "Ben", "age"]
    result, _ = report(capsys, table, "--raters", "Ada, Ben")
    assert [*result["raters"]] == ["Ada", "Ben"]
    assert 'column not read: "age"' in result["notes"]
    path = tmp_path / "p.qedesk"
    Project.create(path, None, person="owner").close()
    assert "unclear whether this is a table of ratings" in error_line(capsys, "ratings", "import", path, table)
    code, out, _ = run_command(capsys, "ratings", "import", path, table, "--raters", "Ada,Ben")
    assert code == 0
    assert "6 added" in out
    assert 'note: column not read: "age"' in out


def test_imports_are_listed_and_withdrawn(tmp_path, capsys, folder):
    path = tmp_path / "empty.qedesk"
    Project.create(path, None, person="owner").close()
    run_command(capsys, "ratings", "import", path, folder / "long.csv")
    listed = run_command(capsys, "ratings", "undo-import", path)[1]
    assert f"48 ratings and events from {folder / 'long.csv'}" in listed
    assert ": active" in listed
    # all names are checked before anything is withdrawn
    assert "no active import of x" in error_line(capsys, "ratings", "undo-import", path, folder / "long.csv", "x")
    assert run_command(capsys, "ratings", "undo-import", path)[1] == listed
    code, out, err = run_command(capsys, "ratings", "undo-import", path, folder / "long.csv")
    assert (code, err) == (0, "")
    assert "withdrawn: 48 ratings and events no longer count" in out
    assert "there are no ratings that count toward the results" in error_line(capsys, "ratings", "report", path)
    assert ": withdrawn" in run_command(capsys, "ratings", "undo-import", path)[1]
    assert "there is no active import of x" in error_line(capsys, "ratings", "undo-import", path, "x")
    assert "48 added" in run_command(capsys, "ratings", "import", path, folder / "long.csv")[1]
    assert report(capsys, path)[0]["systems"]["C"]["total"] == 8.75


def test_nothing_is_withdrawn_if_one_of_the_imports_is_withdrawn_already(tmp_path, capsys, folder):
    path = tmp_path / "empty.qedesk"
    Project.create(path, None, person="owner").close()
    run_command(capsys, "ratings", "import", path, folder / "long.csv")
    first = run_command(capsys, "ratings", "undo-import", path)[1].split()[0]
    run_command(capsys, "ratings", "undo-import", path, first)
    other = tmp_path / "other.csv"
    other.write_text("rater,segment,system,adequacy\nAda,1,A,3\n")
    run_command(capsys, "ratings", "import", path, other)
    listed = run_command(capsys, "ratings", "undo-import", path)[1]
    error = error_line(capsys, "ratings", "undo-import", path, other, first)
    assert "has already been withdrawn" in error
    assert run_command(capsys, "ratings", "undo-import", path)[1] == listed
