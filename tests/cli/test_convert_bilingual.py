"""`qe-desktop convert` of bilingual files to texts and back: only the bytes of edits change."""

from __future__ import annotations

import os
import stat

import pytest

from qe_desktop.formats.bilingual import document as saving
from qe_desktop.formats.bilingual import parse_document, read_document
from tests.command_line import error_line, json_output, run_command
from tests.formats.bilingual.samples import NAMES, read_sample


@pytest.fixture
def job(tmp_path, monkeypatch):
    """The plain sample as job.xlf in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.xlf").write_bytes(read_sample("plain.xlf"))
    return tmp_path / "job.xlf"


def test_bilingual_file_is_converted_to_texts(job, tmp_path, capsys):
    code, out, err = run_command(capsys, "convert", "job.xlf", "texts")
    assert (code, out) == (0, "")
    assert err == "job.xlf (XLIFF 1.2) -> texts: 9 segments in job.src, job.mt, job.scores.tsv, job.other_notes\n"
    source, mt = ((tmp_path / "texts" / name).read_text().split("\n") for name in ("job.src", "job.mt"))
    assert len(source) == len(mt) == 10
    assert (source[1], mt[1]) == (
        "Press ⟨1⟩Stop⟨/1⟩ twice⟨2/⟩ & wait.",
        "Drücken Sie zweimal ⟨1⟩Stopp⟨/1⟩⟨2/⟩ & warten.",
    )
    assert mt[3] == ""
    scores = (tmp_path / "texts" / "job.scores.tsv").read_text()
    assert scores == "segment\tmatch-quality\n1\t\n2\t83.33\n" + "".join(f"{row}\t\n" for row in range(3, 10))
    assert (tmp_path / "texts" / "job.other_notes").read_text() == "Chapter 1\n" + "\n" * 8


def test_issues_are_converted_to_word_tags(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "okapi.xlf").write_bytes(read_sample("okapi.xlf"))
    assert run_command(capsys, "convert", "okapi.xlf", "texts")[0] == 0
    assert (tmp_path / "texts" / "okapi.mt_tok").read_text() == "Die Pumpe startet .\nStoppen .\n"
    assert (tmp_path / "texts" / "okapi.tags").read_text() == "OK BAD OK OK\nOK OK\n"
    assert "mtConfidence" in (tmp_path / "texts" / "okapi.scores.tsv").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_round_trip_without_edits_changes_nothing(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(read_sample(name))
    assert run_command(capsys, "convert", name, "texts")[0] == 0
    text = next((tmp_path / "texts").glob("*.mt"))
    code, _, err = run_command(capsys, "convert", text, "--into", name, "-o", "out")
    assert code == 0
    assert (tmp_path / "out").read_bytes() == read_sample(name)
    assert f"0 segments changed, {len(read_sample(name)):,} bytes unchanged" in err


def test_edits_are_written_and_counted(job, tmp_path, capsys):
    assert run_command(capsys, "convert", "job.xlf", "texts")[0] == 0
    text = tmp_path / "texts" / "job.mt"
    text.write_text(text.read_text().replace("Die Pumpe startet von selbst.", "Die Pumpe läuft an."))
    code, out, err = run_command(capsys, "convert", "texts/job.mt", "--into", "job.xlf", "--output", "out.xlf")
    before, after = job.read_bytes(), (tmp_path / "out.xlf").read_bytes()
    expected = before.replace(b"Die Pumpe startet von selbst.", "Die Pumpe läuft an.".encode())
    expected = expected.replace(b'state="final"', b'state="needs-review-translation"').replace(
        b'approved="yes"', b'approved="no"'
    )
    assert (code, out, after) == (0, "", expected)
    same = len(before) - len(b"Die Pumpe startet von selbst.") - len(b"final") - len(b"yes")
    assert err == f"texts/job.mt -> out.xlf: 1 segment changed, {same:,} bytes unchanged\n"


def test_overwriting_the_input_keeps_links_and_permissions(job, tmp_path, capsys):
    job.chmod(0o640)
    (tmp_path / "link.xlf").symlink_to(job)
    run_command(capsys, "convert", "job.xlf", "texts")
    text = tmp_path / "texts" / "job.mt"
    text.write_text(text.read_text().replace("Warten.", "Warte."))
    assert run_command(capsys, "convert", text, "--into", "job.xlf", "-o", "link.xlf")[0] == 0
    assert b">Warte.</mrk>" in job.read_bytes()
    assert stat.S_IMODE(os.stat(job).st_mode) == 0o640
    assert (tmp_path / "link.xlf").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".qe-desktop")) == []


def test_nothing_is_written_if_another_program_changed_the_input(job, tmp_path, capsys, monkeypatch):
    run_command(capsys, "convert", "job.xlf", "texts")
    original_check = saving.check_unchanged

    def change_then_check(document, source):
        job.write_bytes(job.read_bytes().replace(b"QX-7", b"QX-8"))
        original_check(document, source)

    monkeypatch.setattr(saving, "check_unchanged", change_then_check)
    error = error_line(capsys, "convert", "texts/job.mt", "--into", "job.xlf", "-o", "out.xlf")
    assert "another program has changed the file since it was read" in error
    assert not (tmp_path / "out.xlf").exists()


def test_edited_texts_are_not_overwritten(job, tmp_path, capsys):
    run_command(capsys, "convert", "job.xlf", "texts")
    assert run_command(capsys, "convert", "job.xlf", "texts")[0] == 0
    text = tmp_path / "texts" / "job.mt"
    text.write_text("work\n")
    assert "is not overwritten" in error_line(capsys, "convert", "job.xlf", "texts")
    assert text.read_text() == "work\n"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ({1: "Press"}, "segment 2 is unchanged: the codes ⟨1⟩, ⟨/1⟩ and ⟨2/⟩ are missing\n"),
        ({2: "x"}, "segment 3 is unchanged: the segment is locked\n"),
        ({1: "{}⟨"}, "segment 2 is unchanged: a ⟨ in the text is not doubled\n"),
        (
            {2: "x", 1: "Press"},
            "segment 2 is unchanged: the codes ⟨1⟩, ⟨/1⟩ and ⟨2/⟩ are missing\n"
            "segment 3 is unchanged: the segment is locked\n",
        ),
    ],
)
def test_invalid_line_leaves_its_segment_unchanged(job, tmp_path, capsys, lines, says):
    run_command(capsys, "convert", "job.xlf", "texts")
    texts = (tmp_path / "texts" / "job.mt").read_text().splitlines()
    expected = parse_document(job.read_bytes(), "job").with_targets({0: "Neu."}).data
    texts[0] = "Neu."
    for number, line in lines.items():
        texts[number] = line.format(texts[number])
    (tmp_path / "new.mt").write_text("".join(f"{line}\n" for line in texts))
    code, out, err = run_command(capsys, "convert", "new.mt", "--into", "job.xlf", "-o", "out.xlf")
    assert (code, out) == (1, "")
    assert err.startswith(f"{says}new.mt -> out.xlf: 1 segment changed, ")
    assert (tmp_path / "out.xlf").read_bytes() == expected


def test_a_text_with_another_number_of_lines_is_refused(job, tmp_path, capsys):
    (tmp_path / "new.mt").write_text("a\n")
    error = error_line(capsys, "convert", "new.mt", "--into", "job.xlf", "-o", "out.xlf")
    assert "the text has 1 line, but job.xlf has 9 segments" in error
    assert not (tmp_path / "out.xlf").exists()


def test_invalid_arguments_are_refused(job, tmp_path, capsys):
    (tmp_path / "text").write_text("a\n")
    (tmp_path / "job.pdf").write_bytes(b"%PDF-1.7\n")
    assert "needs an output file" in error_line(capsys, "convert", "text", "--into", "job.xlf")
    assert "needs an output file" in error_line(capsys, "convert", "text", "out", "--into", "job.xlf", "-o", "out")
    assert "the output file must be specified after IN" in error_line(capsys, "convert", "job.xlf")
    assert "this file is an input" in error_line(capsys, "convert", "text", "--into", "job.xlf", "-o", "text")
    assert "this is a PDF" in error_line(capsys, "convert", "job.pdf", "out")
    assert "this is a PDF" in error_line(capsys, "info", "job.pdf")
    assert "the folder cannot be created" in error_line(capsys, "convert", "job.xlf", "text/below")


def test_info_describes_a_bilingual_file(job, tmp_path, capsys):
    (tmp_path / "a.src").write_text("a\n")
    result = json_output(capsys, "info", "job.xlf", "a.src")
    assert [file["format"] for file in result["corpora"][0]["files"]] == ["text"]
    (document,) = result["documents"]
    assert document["format"] == "xliff-1"
    assert (document["source-language"], document["target-language"]) == ("en", "de")
    assert (document["segments"], document["with target"], document["locked"], document["codes"]) == (9, 4, 1, 5)
    assert document["states"] == {"final": 1, "new": 1}
    code, out, _ = run_command(capsys, "info", "job.xlf")
    assert code == 0
    assert "XLIFF 1.2" in out
    assert "en → de" in out


def test_tmx_of_three_languages_needs_a_language_pair(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    french = b'<tuv xml:lang="fr"><seg>Attendez.</seg></tuv>\n <tuv xml:lang="en-US"><seg>Wait'
    (tmp_path / "m.tmx").write_bytes(read_sample("memory.tmx").replace(b'<tuv xml:lang="en-US"><seg>Wait', french))
    assert "--language-pair" in error_line(capsys, "convert", "m.tmx", "out")
    assert run_command(capsys, "convert", "m.tmx", "out", "--language-pair", "en-US-fr")[0] == 0
    assert (tmp_path / "out" / "m.mt").read_text() == "\nAttendez.\n"


def test_tables_of_texts_and_of_scores_are_distinguished(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("id,source,target\n1,a b,c\n")
    (tmp_path / "s.tsv").write_text("seg\tgold\tone\tsource\ttarget\n0\t0.5\t0.25\ta\tb\n1\t0.25\t0.5\tc\td\n")
    (tmp_path / "o.csv").write_text("one,two\na,b\n")
    assert json_output(capsys, "info", "t.csv")["documents"][0]["format"] == "bilingual-table"
    assert "documents" not in json_output(capsys, "info", "s.tsv")
    assert run_command(capsys, "convert", "o.csv", "out", "--columns", "two", "one")[0] == 0
    assert (tmp_path / "out" / "o.src").read_text() == "b\n"
    (tmp_path / "new").write_text("z\n")
    assert run_command(capsys, "convert", "new", "--into", "o.csv", "-o", "p.csv", "--columns", "two", "one")[0] == 0
    assert (tmp_path / "p.csv").read_text() == "one,two\nz,b\n"


def test_tags_are_written_as_issues_and_read_back(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.xlf").write_bytes(read_sample("two.xlf"))
    tags = "OK OK BAD OK\n\nOK OK OK\nBAD OK OK\n"
    (tmp_path / "papago.tags").write_text(tags)
    code, out, err = run_command(capsys, "convert", "--into", "two.xlf", "--its", "papago.tags", "-o", "out.xlf")
    assert (code, out) == (0, "")
    assert err.startswith("papago.tags -> out.xlf: 2 word issues, ")
    written = (tmp_path / "out.xlf").read_bytes()
    assert b'its:annotatorsRef="localization-quality-issue|papago">Stopp</mrk></pc>.' in written
    assert b'state="reviewed" subState="x:y"' in written
    assert run_command(capsys, "convert", "out.xlf", "texts")[0] == 0
    assert (tmp_path / "texts" / "out.tags").read_text() == tags.replace("BAD OK OK", "BAD BAD BAD")


@pytest.mark.parametrize("output", ["out.html", "out.statistics.tsv", "out.tmx", "out"])
@pytest.mark.parametrize("option", ["--its", "--notes", "--statuses"])
def test_options_of_into_are_not_ignored_without_it(job, tmp_path, capsys, output, option):
    assert f"{option} needs --into" in error_line(capsys, "convert", "job.xlf", output, option, "missing")
    assert "--add-missing needs --into" in error_line(capsys, "convert", "job.xlf", output, "--add-missing")
    assert "-o is only for --into" in error_line(capsys, "convert", "job.xlf", "-o", output)
    assert not (tmp_path / output).exists()


def test_text_and_its_tags_are_written_together(job, tmp_path, capsys):
    assert run_command(capsys, "convert", "job.xlf", "texts")[0] == 0
    text = tmp_path / "texts" / "job.mt"
    text.write_text(text.read_text().replace("Die Pumpe startet von selbst.", "Die Pumpe läuft."))
    rest = "\n".join(["OK OK OK OK OK OK OK", "OK OK OK", "", "OK OK", *[""] * 4]) + "\n"
    (tmp_path / "new.tags").write_text("OK OK BAD OK\n" + rest)
    command = [
        "convert",
        text,
        "--into",
        "job.xlf",
        "--its",
        "new.tags",
        "--method",
        "https://qe.example",
        "-o",
        "out.xlf",
    ]
    code, _, err = run_command(capsys, *command)
    assert code == 0
    assert "1 segment changed" in err
    assert "1 word issue" in err
    assert b'|https://qe.example">l\xc3\xa4uft</mrk>.</target>' in (tmp_path / "out.xlf").read_bytes()


def test_tags_that_cannot_be_written_are_refused(job, tmp_path, capsys):
    (tmp_path / "new.tags").write_text("OK\n" * 9)
    assert "OUT" in error_line(capsys, "convert", "job.xlf", "out", "--its", "new.tags")
    assert error_line(capsys, "convert", "--into", "job.xlf", "--its", "new.tags", "-o", "out").startswith(
        "qe-desktop: error: new.tags:1: "
    )
    assert "there is nothing to write into the file" in error_line(capsys, "convert", "--into", "job.xlf", "-o", "out")
    assert "no files to convert are specified" in error_line(capsys, "convert")
    (tmp_path / "memory.tmx").write_bytes(read_sample("memory.tmx"))
    (tmp_path / "new.tags").write_text("BAD OK OK\n\n")
    error = error_line(capsys, "convert", "--into", "memory.tmx", "--its", "new.tags", "-o", "out")
    assert "TMX does not support word issues" in error
    assert not (tmp_path / "out").exists()


def test_table_with_unknown_columns_needs_the_columns_option(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("key;english;german\na;Hello.;Hallo.\n")
    for out in ("out", "out.xlf"):
        error = error_line(capsys, "convert", "t.csv", out)
        assert "t.csv:1: the source and target cannot be determined from the columns key, english, german" in error
        assert "--columns SOURCE TARGET" in error
    assert not (tmp_path / "out").exists()
    (file,) = json_output(capsys, "info", "t.csv")["corpora"][0]["files"]
    assert any("--columns SOURCE TARGET" in note for note in file["notes"])
    # a table that may contain tags is not read as texts
    (tmp_path / "tags.tsv").write_text("OK BAD\nOK\n")
    assert run_command(capsys, "convert", "tags.tsv", "new.tags")[0] == 0


def test_other_hard_links_to_an_output_are_reported(job, tmp_path, capsys):
    assert run_command(capsys, "convert", "job.xlf", "texts")[0] == 0
    text = tmp_path / "texts" / "job.mt"
    before = job.read_bytes()
    (tmp_path / "second.xlf").hardlink_to(job)
    text.write_text(text.read_text().replace("Warten.", "Warte."))
    code, _, err = run_command(capsys, "convert", text, "--into", "job.xlf", "-o", "job.xlf")
    assert (code, (tmp_path / "second.xlf").read_bytes()) == (0, before)
    assert err.splitlines()[1:] == [f"1 other hard link to {job.resolve()} still has the old content."]
    # the output is now a file of its own
    code, _, err = run_command(capsys, "convert", text, "--into", "job.xlf", "-o", "job.xlf")
    assert (code, err.count("\n")) == (0, 1)


def test_other_hard_links_to_tags_are_reported(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.tags").write_text("OK BAD\n")
    (tmp_path / "out.tags").write_text("OK\n")
    (tmp_path / "second.tags").hardlink_to(tmp_path / "out.tags")
    (tmp_path / "a.mt").write_text("a b\n")
    code, _, err = run_command(capsys, "convert", "a.tags", "out.tags", "--mt", "a.mt")
    assert code == 0
    assert "1 other hard link to " in err
    assert (tmp_path / "second.tags").read_text() == "OK\n"


@pytest.mark.parametrize(
    ("language", "options", "written"),
    [
        ("", [], None),
        (' trgLang="de"', [], b'srcLang="en" trgLang="de">'),
        ("", ["--language-pair", "en-pt_BR"], b'srcLang="en" trgLang="pt-BR">'),
    ],
)
def test_a_missing_language_of_targets_is_added_or_nothing_is_written(
    tmp_path, monkeypatch, capsys, language, options, written
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.xlf").write_text(
        f'<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en"{language}><file id="f">'
        '<unit id="1"><segment><source>Stop.</source></segment></unit></file></xliff>'
    )
    (tmp_path / "mt").write_text("Halt.\n")
    code, _, err = run_command(capsys, "convert", "mt", "--into", "job.xlf", "-o", "new.xlf", *options)
    assert (code == 0) is (written is not None)
    assert ("the targets have no language (trgLang)" in err) is (written is None)
    if written is None:
        assert "--language-pair en-de" in err
        assert not (tmp_path / "new.xlf").exists()
    else:
        assert written in (tmp_path / "new.xlf").read_bytes()


def test_marks_in_targets_without_a_language_need_one(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.xlf").write_text(
        '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en"><file id="f"><unit id="1">'
        "<segment><source>Stop.</source><target>Halt.</target></segment></unit></file></xliff>"
    )
    (tmp_path / "tags").write_text("BAD OK\n")
    command = ["convert", "--into", "job.xlf", "--its", "tags", "-o", "new.xlf"]
    code, _, err = run_command(capsys, *command)
    assert code != 0
    assert "the targets have no language (trgLang)" in err
    assert not (tmp_path / "new.xlf").exists()
    assert run_command(capsys, *command, "--language-pair", "en-de")[0] == 0
    assert 'srcLang="en" trgLang="de"' in (tmp_path / "new.xlf").read_text()


def test_notes_and_statuses_are_written_and_what_cannot_be_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.xlf").write_bytes(read_sample("plain.xlf"))
    (tmp_path / "notes").write_text("\u00e4\u2028b\n" + "\n" * 2 + "x\n" + "\n" * 5)
    (tmp_path / "statuses").write_text("rejected\nconfirmed\n\nconfirmed\n" + "\n" * 5)
    code, out, err = run_command(
        capsys, "convert", "--into", "job.xlf", "--notes", "notes", "--statuses", "statuses", "-o", "new.xlf"
    )
    assert (code, out) == (0, "")
    assert "3 segments changed" in err
    assert (
        "the file cannot store the status of 1 segment; with --add-missing, the status of 1 segment can be stored"
        in err
    )
    document = read_document(tmp_path / "new.xlf")
    assert [(document.status(segment).name, segment.note) for segment in document.segments[:4]] == [
        ("REJECTED", "\u00e4\nb"), ("CONFIRMED", ""), ("LOCKED", ""), ("OPEN", "x"),
    ]  # fmt: skip
    run_command(capsys, "convert", "--into", "job.xlf", "--statuses", "statuses", "--add-missing", "-o", "all.xlf")
    document = read_document(tmp_path / "all.xlf")
    assert document.status(document.segments[3]).name == "CONFIRMED"
    # the notes are extracted again, and writing the same notes again changes nothing
    assert run_command(capsys, "convert", "new.xlf", "texts")[0] == 0
    assert (tmp_path / "texts" / "new.notes").read_text() == (tmp_path / "notes").read_text()
    assert (tmp_path / "texts" / "new.other_notes").read_text() == "Chapter 1\n" + "\n" * 8
    run_command(capsys, "convert", "--into", "new.xlf", "--notes", "texts/new.notes", "-o", "same.xlf")
    assert (tmp_path / "same.xlf").read_bytes() == (tmp_path / "new.xlf").read_bytes()
    (tmp_path / "statuses").write_text("done\n" + "\n" * 8)
    error = error_line(capsys, "convert", "--into", "job.xlf", "--statuses", "statuses", "-o", "bad.xlf")
    assert error.startswith("qe-desktop: error: statuses:1: done is not a status that can be set.")


def test_a_note_that_cannot_be_written_leaves_out_its_segment_only(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\n'
    (tmp_path / "a.po").write_text(f'{head}msgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgstr "d"\n')
    (tmp_path / "notes").write_text("5 \u20ac\nx\n")
    code, _, err = run_command(capsys, "convert", "--into", "a.po", "--notes", "notes", "-o", "b.po")
    assert code == 1
    assert "segment 1 is unchanged: the file's encoding (ISO8859-1) cannot represent the character U+20AC" in err
    assert [segment.note for segment in read_document(tmp_path / "b.po").segments] == ["", "x"]
