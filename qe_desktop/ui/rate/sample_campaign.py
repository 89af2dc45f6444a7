"""Practice rating of a bundled sample, in a new project with a small campaign."""

from __future__ import annotations

import time
import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import TextRole
from qe_desktop.escaping import safe_file_name
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.project_paths import PRACTICE_FOLDER
from qe_desktop.ui.projects.project_opener import ProjectOpener
from qe_desktop.ui.rate.training_examples import TRAINING_SEGMENTS
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.corpus import Corpus
    from qe_desktop.ratings.campaign import CampaignDesign

MAX_ITEMS = 10
"""Maximum number of segments in a practice campaign, without the training item; each is shown once per system."""
MAX_SEEDS = 10_000
"""Maximum number of seeds that are tried; about 1 seed in 20 selects the intended training item."""


class SampleCampaign(QObject):
    """Controller that creates practice campaigns, each in a project in the user's data folder."""

    ready = Signal(str)
    """Emitted with the uid of a practice campaign when it has been created in the open project."""

    def __init__(self, workspace: Workspace, opener: ProjectOpener, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self._opener = opener
        self._path = ""
        workspace.project_changed.connect(self._on_project)

    @property
    def is_possible(self) -> bool:
        """Whether no project is open, and the open corpus is a bundled sample with translations."""
        corpus = self.workspace.corpus
        if corpus is None or self.workspace.project is not None or not corpus.folder:
            return False
        rateable = bool(corpus.translations) or TextRole.MT in corpus.texts
        return rateable and Path(corpus.folder).resolve().is_relative_to(icons.resource_folder().resolve())

    @property
    def last_path(self) -> str:
        """Path of the most recent practice project for the open sample; empty if there is none."""
        corpus = self.workspace.corpus
        if corpus is None or not self.is_possible:
            return ""
        # file names contain the start time
        started = _practice_folder().glob(f"{escape(corpus.name)} 2*.qedesk")
        return str(max(started, default=""))

    def begin(self) -> None:
        """Save the sample as a project and create a practice campaign in it, in the background; then emit `ready`."""
        corpus = self.workspace.corpus
        if corpus is None or not self.is_possible:
            return
        folder = _practice_folder()
        with suppress(OSError):
            # otherwise, creating the project reports the error
            folder.mkdir(parents=True, exist_ok=True)
        name = safe_file_name(f"{corpus.name} {datetime.now():%Y-%m-%d %H.%M.%S}", "practice")
        self._path = str(folder / f"{name}.qedesk")
        self._opener.create(self._path)

    def _on_project(self) -> None:
        project, corpus = self.workspace.project, self.workspace.corpus
        path, self._path = self._path, ""
        if not path or project is None or corpus is None or project.place != path:
            return
        person = self.workspace.person

        def work(progress: Progress) -> str:
            design = sample_design(corpus, person)
            project.add_campaign(design)
            return design.campaign.uid

        def on_done(uid: str) -> None:
            if self.workspace.project is project:
                self.ready.emit(uid)

        self.workspace.jobs.submit(tr("Preparing the practice campaign"), work, on_done, owner=self)


def _practice_folder() -> Path:
    from qe_desktop.project.store.spool import data_folder

    return data_folder() / PRACTICE_FOLDER


def sample_design(corpus: Corpus, person: str) -> CampaignDesign:
    """Return a small adequacy and fluency campaign for a single rater.

    The campaign begins with the training item of the sample, if `TRAINING_SEGMENTS` defines one. The systems of
    the corpus are rated or, if the corpus has none, the MT.
    """
    from qe_desktop.corpus.corpus import MT_SYSTEM
    from qe_desktop.ratings.assignment.design import design_campaign
    from qe_desktop.ratings.assignment.random_stream import new_secret
    from qe_desktop.ratings.campaign_draft import CampaignDraft, SegmentScope, visible_segments
    from qe_desktop.ratings.campaign_texts import CampaignTexts

    texts = CampaignTexts.of_corpus(corpus)
    source, target = texts.languages
    training_segment = TRAINING_SEGMENTS.get(corpus.name)
    draft = CampaignDraft(
        name=f"Practice on the sample {corpus.name}",
        source_language=source,
        target_language=target,
        raters=person,
        systems=tuple(corpus.translations) or (MT_SYSTEM,),
        extent=SegmentScope.DRAWN,
        # one extra segment, because the segment of the training item is left out
        count=MAX_ITEMS if training_segment is None else MAX_ITEMS + 1,
        repeats=0,
        training=0,
    )
    campaign = draft.campaign(uid=uuid.uuid4().hex, created=time.time(), created_by=person)
    setup = draft.setup(texts)
    if training_segment is not None:
        segments = [segment for segment in setup.segments if segment != training_segment]
        setup = replace(setup, segments=tuple(segments[:MAX_ITEMS]), training=1)
    visible = {
        *visible_segments(draft, texts, setup.segments),
        *([] if training_segment is None else [training_segment]),
    }
    passages, secret, outputs = texts.passages(sorted(visible)), new_secret(), texts.outputs()
    translations = {name: outputs[name] for name in draft.systems}
    designs = (
        design_campaign(campaign, replace(setup, seed=seed), passages, translations, secret=secret)
        for seed in range(1, MAX_SEEDS + 1)
    )
    # the training item is a random visible segment, so seeds are tried until it is the intended one
    return next(design for design in designs if training_segment in (None, design.screens[0].segment))
