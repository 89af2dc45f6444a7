"""Trial rating of a bundled sample, in a new project with a small campaign."""

from __future__ import annotations

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
from qe_desktop.ui.projects.project_opener import ProjectOpener
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.corpus import Corpus
    from qe_desktop.ratings.campaign import CampaignDesign

MAX_ITEMS = 10
"""Maximum number of segments of a trial; each segment is shown once per system."""


class SampleCampaign(QObject):
    """Controller that creates trial campaigns. Ratings stay in a project in the user's data folder."""

    ready = Signal(str)
    """Emitted with the uid of the trial campaign in the open project."""

    def __init__(self, workspace: Workspace, opener: ProjectOpener, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self._opener = opener
        self._place = ""
        workspace.project_changed.connect(self._on_project)

    @property
    def is_possible(self) -> bool:
        """Whether a bundled sample with translations is open without a project."""
        corpus = self.workspace.corpus
        if corpus is None or self.workspace.project is not None or not corpus.folder:
            return False
        rateable = bool(corpus.translations) or TextRole.MT in corpus.texts
        return rateable and Path(corpus.folder).resolve().is_relative_to(icons.resource_folder().resolve())

    @property
    def last(self) -> str:
        """Path of the last trial with the open sample; empty if there is none."""
        corpus = self.workspace.corpus
        if corpus is None or not self.is_possible:
            return ""
        # file names contain the time of the start
        started = _trials_folder().glob(f"{escape(corpus.name)} 2*.qedesk")
        return str(max(started, default=""))

    def begin(self) -> None:
        """Save the sample as a project and create the campaign in it, in the background; emits `ready`.

        Raises OSError if the folder of the trials cannot be created.
        """
        corpus = self.workspace.corpus
        if corpus is None or not self.is_possible:
            return
        folder = _trials_folder()
        folder.mkdir(parents=True, exist_ok=True)
        name = safe_file_name(f"{corpus.name} {datetime.now():%Y-%m-%d %H.%M.%S}", "trial")
        self._place = str(folder / f"{name}.qedesk")
        self._opener.make(self._place)

    def _on_project(self) -> None:
        project, corpus = self.workspace.project, self.workspace.corpus
        path, self._place = self._place, ""
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

        self.workspace.jobs.submit(tr("Preparing the trial"), work, on_done, owner=self)


def _trials_folder() -> Path:
    from qe_desktop.project.store.write_queue.spool import data_folder

    return data_folder() / "trials"


def sample_design(corpus: Corpus, person: str) -> CampaignDesign:
    """Return a small adequacy and fluency campaign for a single rater.

    Its systems are those of the corpus or, if there are none, the MT.
    """
    from qe_desktop.ratings.campaign_draft import CampaignDraft, SegmentScope, make_campaign
    from qe_desktop.ratings.campaign_texts import MT_SYSTEM, CampaignTexts

    texts = CampaignTexts.of_corpus(corpus)
    source, target = texts.languages
    draft = CampaignDraft(
        name=f"Trial on the sample {corpus.name}",
        source_language=source,
        target_language=target,
        raters=person,
        systems=tuple(corpus.translations) or (MT_SYSTEM,),
        extent=SegmentScope.DRAWN,
        count=MAX_ITEMS,
        repeats=0,
        training=0,
    )
    return make_campaign(draft, texts, person)
