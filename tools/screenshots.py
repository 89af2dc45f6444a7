"""Open every view in the real window and save a screenshot of each: `make screenshots`.

    python tools/screenshots.py OUT [--size 1280x800] [--theme light|dark|contrast] [--text-size 150] [--data FOLDER]

The script needs a display; `make screenshots` starts one (Xvfb). With `--data`, it also saves views of real corpora.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from driver import Driver
from rating_tour import rating_tour
from reviewing_tour import marked, reviewing_tour


def tour(driver: Driver) -> None:
    """Save the start page, the Inspect and Scores areas, and dialogs, with the bundled samples."""
    discard(driver)
    driver.wiring.workspace.close()
    driver.save("start")
    driver.sample("en-de")
    driver.do("inspect.next-disputed")
    driver.save("inspect")
    driver.wiring.workspace.go_to(longest(driver))
    driver.do("inspect.next-bad")
    driver.save("inspect-longest")
    driver.do("inspect.kind")
    driver.save("inspect-gaps")
    driver.do("inspect.kind")
    driver.save("inspect-source")
    driver.do("inspect.kind")
    driver.shell.show_area("scores")
    driver.do("scores.page-systems")
    driver.save("scores")
    levels = {level.name: level for level in driver.wiring.workspace.levels()}
    for name in ("sentences", "translations", "people"):
        driver.wiring.workspace.set_level(levels[name])
        driver.save(f"scores-{name}")
    driver.wiring.workspace.set_level(levels["words"])
    driver.settle()
    findings(driver, Path(driver_samples()))
    layers = driver.wiring.scores.layers
    workspace = driver.wiring.workspace
    workspace.segments_requested.emit(layers[0], layers[-1], "F1-mult", workspace.level, workspace.reference)
    driver.settle()
    driver.do("inspect.lock")
    driver.do("inspect.toggle")
    driver.save("inspect-difference-edited")
    driver.do("inspect.lock")
    side_by_side(driver)
    for key in ("en-he", "en-ja"):
        discard(driver)
        driver.sample(key)
        driver.do("inspect.next-disputed")
        driver.save(f"inspect-{key}")
    driver.sample("en-de")
    for name, action in (
        ("shortcuts", "help.shortcuts"), ("glossary", "help.glossary"), ("palette", "help.commands"),
        ("about", "help.about"), ("preferences", "edit.preferences"), ("connect", "file.connect"),
        ("import-details", "file.recognised"),
    ):  # fmt: skip
        driver.shell.commands[action].trigger()
        driver.save(name)
        driver.close_dialogs()
    troubles(driver)


def side_by_side(driver: Driver) -> None:
    """Save the translations of two systems where their BLEU and TER differ most, and those of all systems."""
    workspace = driver.wiring.workspace
    workspace.set_level(next(level for level in workspace.levels() if level.name == "translations"))
    driver.settle()
    layers = driver.wiring.scores.layers
    for metric in ("BLEU", "TER"):
        workspace.segments_requested.emit(layers[0], layers[1], metric, workspace.level, workspace.reference)
        driver.save(f"inspect-translations-{metric}")
    driver.do("inspect.all-translations")
    driver.do("inspect.translations")
    driver.save("inspect-translations-all")
    driver.do("inspect.all-translations")


def studies(driver: Driver) -> None:
    """Save the metric meta-evaluation and the studies of the sample."""
    discard(driver)
    driver.sample("en-de")
    driver.shell.show_area("scores")
    driver.do("scores.page-people")
    driver.save("meta-evaluation")
    driver.do("scores.page-studies")
    for name in ("labellings", "thresholds", "sampling"):
        driver.do(f"scores.study-{name}")
        driver.save(f"study-{name}")


def findings(driver: Driver, task: Path) -> None:
    """Save leaderboards of the open corpus and the folder `task`, the offer to open a language pair, and an error."""
    driver.do("scores.page-findings")
    driver.save("findings")
    controller = driver.wiring.findings
    assert controller is not None
    controller.read(task)
    driver.settle()
    view = controller.page.view
    view.setFocus()
    pair = view.cells.columnCount() - 1
    view.setCurrentIndex(view.cells.index(0, pair))
    driver.save("findings-folder")
    controller.page.set_pair_order(view.cells.columns[pair].header)
    controller.show_segments(view.cells.index(0, pair))
    driver.save("findings-offer")
    with tempfile.TemporaryDirectory() as empty:
        controller.read(Path(empty))
        driver.settle()
    driver.save("findings-error")
    driver.do("scores.page-systems")


def troubles(driver: Driver) -> None:
    """Save the error for a file that does not match the corpus, and a corpus without gold."""
    samples = Path(driver_samples())
    with tempfile.TemporaryDirectory() as folder:
        lines = (samples / "en-de/sample.tags").read_text().splitlines()
        bad = Path(folder) / "broken.tags"
        bad.write_text("\n".join(line.removesuffix(" OK") for line in lines) + "\n")
        driver.sample("en-de")
        driver.shell.open_paths([str(bad)])
        driver.until(lambda: driver.wiring.opener.sheet is not None)
        sheet = driver.wiring.opener.sheet
        assert sheet is not None
        sheet.add_button.click()
        driver.settle()
        driver.save("error")
        driver.close_dialogs()
        for name in ("sample.src", "sample.mt"):
            (Path(folder) / name).write_bytes((samples / "en-de" / name).read_bytes())
        bad.unlink()
        (Path(folder) / "systems").mkdir()
        weak = (samples / "en-de/systems/strong.probabilities").read_bytes()
        (Path(folder) / "systems/strong.probabilities").write_bytes(weak)
        driver.open(Path(folder))
        driver.wiring.workspace.go_to(1)
        driver.save("inspect-probabilities-only")
        driver.shell.show_area("scores")
        driver.save("scores-no-gold")


def discard(driver: Driver) -> None:
    """Mark edits as saved, so that no dialog asks whether to save them."""
    session = driver.wiring.workspace.session
    if session is not None:
        session.mark_saved(session.unsaved_layers())
        session.reviewing.mark_saved()


def longest(driver: Driver) -> int:
    """Return the index of the segment with the most words; 0 if the word counts are unknown."""
    corpus = driver.wiring.workspace.corpus
    counts = None if corpus is None else corpus.word_counts()
    return 0 if counts is None else int(counts.argmax())


def driver_samples() -> str:
    """Return the folder of the bundled samples."""
    from qe_desktop.ui import icons

    return str(icons.resource_folder() / "samples")


def real(driver: Driver, folder: Path) -> None:
    """Save views of the corpora in the subfolder wmt22_word of `folder`."""
    for pair in ("en-de", "ps-en", "en-ja"):
        driver.open(folder / "wmt22_word" / pair)
        driver.wiring.workspace.go_to(8)
        driver.do("inspect.next-disputed")
        driver.save(f"wmt22-{pair}-inspect")
        driver.wiring.workspace.go_to(longest(driver))
        driver.save(f"wmt22-{pair}-longest")
        driver.shell.show_area("scores")
        driver.do("scores.page-systems")
        driver.save(f"wmt22-{pair}-scores")
    findings(driver, folder / "wmt22_word")


def main() -> int:
    """Save all screenshots; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--theme", default="light")
    parser.add_argument("--text-size", type=int, default=100, help="in percent")
    parser.add_argument("--data", type=Path)
    args = parser.parse_args()
    # the language must be set before the modules of the window are imported
    from qe_desktop.__main__ import apply_language_setting

    apply_language_setting()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as settings:
        os.environ["QE_DESKTOP_SETTINGS"] = str(Path(settings) / "settings.ini")
        width, _, height = args.size.partition("x")
        driver = Driver(args.out, (int(width), int(height)), args.theme, args.text_size)
        rating_tour(driver)
        reviewing_tour(driver, Path(driver_samples()), discard)
        with tempfile.TemporaryDirectory() as folder:
            marked(driver, Path(folder), Path(driver_samples()) / "en-de")
            discard(driver)
        tour(driver)
        studies(driver)
        if args.data is not None:
            real(driver, args.data)
        discard(driver)
        driver.shell.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
