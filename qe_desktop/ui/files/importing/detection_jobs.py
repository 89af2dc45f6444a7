"""Background jobs that detect file formats and preview files.

The functions report their progress, and raise JobCancelled when their job is cancelled.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from qe_desktop.corpus import QeError
from qe_desktop.formats import CorpusPlan, PlannedFile, plan_imports
from qe_desktop.formats.importing.bilingual_detection import FilePreview, preview_file
from qe_desktop.formats.io.files import list_folder
from qe_desktop.ui.jobs import Progress


def make_plans(places: list[Path], progress: Progress) -> list[CorpusPlan]:
    """Return the import plans of files and folders.

    If planning fails with a QeError, the files in the folders are planned as individual files. These plans are returned
    if one of them has several unclear files, which the user can then assign; otherwise, the QeError is raised.
    """
    report = progress_reporter(progress)
    try:
        return plan_imports(places, progress=report, watch=progress.check)
    except QeError:
        inside = [file for place in places if place.is_dir() for file in list_folder(place)[0]]
        plans = plan_imports(inside, progress=report, watch=progress.check) if inside else []
        if not any(len(plan.unclear()) > 1 for plan in plans):
            raise
        return plans


def make_preview(file: PlannedFile, progress: Progress) -> FilePreview:
    """Return the first segments of a file. Raises QeError as `preview_file` does."""
    return preview_file(file, progress.check)


def progress_reporter(progress: Progress) -> Callable[[str, float], None]:
    """Return a function that reports reading progress to a job, and raises JobCancelled if the job was cancelled."""
    return lambda name, share: progress.report(share, name)
