"""Screenshots of the Rate area: results of the sample, items of every protocol, and the project owner's pages."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from driver import Driver

    from qe_desktop.ui.rate.area import RateArea

PROTOCOLS = ("adequacy-fluency", "rank", "pairwise", "direct-assessment", "adequacy", "fluency")
KEYS = {
    "adequacy-fluency": "4",
    "rank": "a2b1",
    "pairwise": "1",
    "direct-assessment": "72",
    "adequacy": "3",
    "fluency": "4",
}
RATERS = ("anna", "ben")


def rating_tour(driver: Driver) -> None:
    """Save the views of the Rate area, with the bundled samples and with projects made from them."""
    os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp()
    driver.shell.settings.person = RATERS[0]
    driver.sample("en-de")
    driver.shell.show_area("rate")
    driver.save("rate-the-sample")
    _area(driver).show_page("results")
    driver.save("results-of-the-sample")
    for pair in ("en-de", "en-he", "en-ja"):
        driver.sample(pair)
        with tempfile.TemporaryDirectory() as folder:
            _project(driver, Path(folder) / f"{pair}.qedesk", pair)
            driver.wiring.workspace.close()
            driver.settle()


def _project(driver: Driver, path: Path, pair: str) -> None:
    wiring = driver.wiring
    wiring.projects.opener.create(str(path))
    driver.until(lambda: wiring.workspace.project is not None)
    driver.settle()
    driver.shell.notices.clear()
    area = _area(driver)
    area.show_page("set-up")
    driver.save(f"set-up-{pair}")
    for protocol in PROTOCOLS:
        _campaign(driver, protocol, pair)
    area.show_page("rate")
    driver.shell.activateWindow()
    for protocol in PROTOCOLS:
        _rate(driver, protocol, pair)
    driver.until(lambda: not wiring.projects.service.pending)
    for page in ("progress", "results"):
        area.show_page(page)
        driver.settle()
        driver.save(f"{page}-{pair}")


def _area(driver: Driver) -> RateArea:
    driver.shell.show_area("rate")
    area = driver.wiring.rating.area
    assert area is not None
    return area


def _campaign(driver: Driver, protocol: str, pair: str) -> None:
    from qe_desktop.ratings.assignment.design import design_campaign
    from qe_desktop.ratings.campaign import Campaign, CampaignSetup, EvaluationBasis
    from qe_desktop.ratings.campaign_texts import CampaignTexts

    workspace = driver.wiring.workspace
    assert workspace.corpus is not None
    texts = CampaignTexts.of_corpus(workspace.corpus)
    outputs = dict(list(texts.outputs().items())[:3])
    source, _, target = pair.partition("-")
    campaign = Campaign(
        f"{pair}-{protocol}",
        f"{pair} {protocol}",
        protocol,
        EvaluationBasis.SOURCE,
        source,
        target,
        1,
        created=time.time(),
    )
    setup = CampaignSetup(tuple(outputs), tuple(range(2, 12)), RATERS, repeats=0.1, controls=0.1, per_screen=3)
    owner = driver.wiring.rating.campaign_controller
    assert owner is not None
    owner.service.add_campaign(
        design_campaign(campaign, setup, texts.passages(range(14)), outputs, reference_rated=True)
    )
    # as after the set-up page
    owner.service.select_new(campaign.uid)
    driver.settle()


def _rate(driver: Driver, protocol: str, pair: str) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    area = _area(driver)
    area.rater.open_campaign(f"{pair}-{protocol}", RATERS[0])
    driver.settle()
    if pair == "en-de":
        driver.save(f"rate-{protocol}-profile")
    area.rater.show_instructions()
    driver.save(f"rate-{protocol}-instructions-{pair}")
    area.rater.show_items()
    driver.save(f"rate-{protocol}-{pair}")
    for key in KEYS.get(protocol, ""):
        focused = QApplication.focusWidget()
        QTest.keyClick(driver.shell if focused is None else focused, Qt.Key(ord(key.upper())))
    QTest.qWait(600)
    driver.save(f"rate-{protocol}-{pair}-rated")
