"""Project: a corpus, its campaigns and all changes, which are saved to a database as they are made."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import Corpus, LayerKey, QeError, Ratings
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.corpus.ratings_merge import added_ratings
from qe_desktop.formats.files import never_cancelled
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import COPIED_FOR_RATERS, AuditRow, ImportRow, Row
from qe_desktop.project.store.committer import Committer
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.errors import translate_corruption
from qe_desktop.project.store.location import locate
from qe_desktop.project.store.project_campaigns import pool_ratings
from qe_desktop.project.store.project_copy import copy_project
from qe_desktop.project.store.project_creation import create_database
from qe_desktop.project.store.project_opening import open_database
from qe_desktop.project.store.project_reader import ProjectReader
from qe_desktop.project.store.rating_imports import ImportResult, ImportWriter, write_rating_set
from qe_desktop.project.store.server_setup import prepare_server
from qe_desktop.project.store.spool import Spool, recover_spool
from qe_desktop.project.store.tables.corpus_columns import CorpusWriter
from qe_desktop.project.store.writer import Writer

if TYPE_CHECKING:
    from qe_desktop.formats.ratings.cell_parsing import Ranges
    from qe_desktop.project.store.tables.campaign_tables import CampaignVerdict


class Project(ProjectReader):
    """Project that is open; use `create` or `open` to get one. A writer thread saves appended rows.

    `role` is the role of the user: "owner" or, only on a server, "rater". `place` is the path or the URL without a
    password. `uid` is the project's unique id, `window` the id of this client in the rows that the client writes.
    `read_only` is the reason why the project cannot be changed; it is empty if the project can be changed. `warning`
    describes an insecure connection. `writer` reports pending rows and errors. Methods that read may be called from any
    thread; they raise QeError on failure. Methods that append never block.
    """

    def __init__(self, database: Database, person: str) -> None:
        """Not for direct use: call `open` or `create` instead."""
        committer = Committer(database)
        super().__init__(database, person, committer.rejected_layers)
        self._imports = ImportWriter(database)
        self.role, self.window, self.read_only = database.role, database.window, database.read_only
        self.warning = database.warning
        self.place = str(database.location)
        self.uid = str(self._metadata["project"])
        self.title = str(self._metadata.get("title") or Path(self.place).stem)
        spool = Spool(self.place, self.uid, self.window)
        self.writer = Writer(committer.commit, spool=spool, checkpoint=database.checkpoint, name=self.title)
        database.checkpoint_later = self.writer.checkpoint_later
        if not self.read_only:
            recover_spool(spool, committer.recover)
        self.recovery_errors = tuple(spool.recovery_errors)
        """Errors about rows of earlier sessions that could not be saved; each error names the file with the rows."""

    # --- create, open, close

    @classmethod
    def create(
        cls,
        path_or_url: str | Path,
        corpus: Corpus | None,
        *,
        person: str,
        title: str = "",
        password: str | None = None,
        replace: bool = False,
        uids: Mapping[LayerKey, str] | None = None,
        check_cancelled: CheckCancelled = never_cancelled,
    ) -> Project:
        """Create a project from a corpus (None: ratings only) and open it.

        `path_or_url` is the path of a new file or a `postgresql://` URL; `replace` overwrites a file. `uids` are the
        uids of layers that already have one (`Session.layer_uids`). Raises QeError, and creates nothing, if the project
        exists (unless `replace`, for a file) or cannot be written. If `check_cancelled` raises an exception, nothing is
        created either.
        """
        location = locate(path_or_url, password)
        create_database(
            location, corpus, person=person, title=title, replace=replace, uids=uids, check_cancelled=check_cancelled
        )
        return cls.open(path_or_url, person=person, password=password)

    @classmethod
    def open(cls, path_or_url: str | Path, *, person: str, password: str | None = None) -> Project:
        """Open a project and migrate an older schema.

        The default password comes from the URL, PGPASSWORD or pgpass; it is never stored. Raises QeError if the server
        cannot be reached, if the project does not exist, is damaged or was made by a newer version, if `path_or_url` is
        not a project, or if an older schema may not be migrated.
        """
        database = open_database(locate(path_or_url, password))
        try:
            return cls(database, person)
        except BaseException:
            database.close()
            raise

    def close(self, timeout: float = 5.0) -> int:
        """Save pending rows within `timeout` seconds and close; return the number of unsaved rows."""
        unsaved_count = self.writer.close(timeout)
        self._stop_watching()
        self._database.close()
        return unsaved_count

    def save_as(self, path_or_url: str | Path, *, password: str | None = None, replace: bool = False) -> Project:
        """Copy the project to another file or an empty database and open the copy; this project stays open.

        The copy also contains pending rows. Raises QeError for raters, and if the target cannot be written or exists
        (unless `replace`, for a file).
        """
        waiting = () if self.flush(1.0) else self.writer.pending_rows()
        copy_project(self._database, locate(path_or_url, password), person=self.person, replace=replace)
        copy = Project.open(path_or_url, person=self.person, password=password)
        copy.append(waiting)
        return copy

    def save_for_raters(self, path_or_url: str | Path, *, replace: bool = False) -> None:
        """Write a copy for raters (see `copy_for_raters`) to a file, and add an audit entry.

        Raises QeError for raters, if the project has no campaigns, or if the target cannot be written or exists (unless
        `replace`).
        """
        from qe_desktop.project.store.project_copy import copy_for_raters

        copy_for_raters(self._database, locate(path_or_url), replace=replace)
        if not self.read_only:
            self.log(COPIED_FOR_RATERS, {"file": str(path_or_url)})

    @staticmethod
    def prepare_server(
        url: str,
        *,
        raters: Sequence[str],
        owner: str = "",
        password: str | None = None,
        new_password: Callable[[str], str],
    ) -> list[str]:
        """Set up a project with isolated raters on a PostgreSQL server; return lines that describe what was done.

        Creates missing tables and roles; `new_password(role)` provides passwords, which are not stored. The name of a
        rater is also the name of the rater's role. `owner` will own new tables (default: the role in the URL). Raises
        QeError if `url` is a file, if the server cannot be reached, if required privileges are missing, or if a rater's
        role could read everything, could rate as another rater or cannot log in.
        """
        return prepare_server(locate(url, password), owner=owner, raters=raters, new_password=new_password)

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    # --- saving

    def append(self, rows: Sequence[Row]) -> None:
        """Queue rows to be saved in this order. Raises QeError if the project is read-only or closed."""
        if self.read_only:
            location = self._database.location.place
            raise QeError(self.read_only, hint=tr("Save the project under another name to continue."), place=location)
        self.writer.append(rows)

    def rate(self, event: RatingEvent) -> None:
        """Queue a rating event, as `append` does."""
        self.append([event])

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all changes are saved or rejected; return False if `timeout` seconds pass first."""
        return self.writer.flush(timeout)

    # --- contents

    def summary(self) -> dict[str, Any]:
        """Return a JSON-serializable summary of the project, without reading the corpus."""
        campaigns = [
            {"uid": item.uid, "name": item.name, "protocol": item.protocol, "raters": self.progress(item.uid)}
            for item in self.campaigns()
        ]
        description = {"title": self.title, "place": self.place, "role": self.role, "schema": self._metadata["schema"]}
        return description | {"read-only": self.read_only} | self._counts_of_contents() | {"campaigns": campaigns}

    def extend(self, corpus: Corpus, onto: Corpus | None = None) -> None:
        """Write the parts of a corpus that the project lacks, except for layers, which `append` adds.

        `onto` is the corpus that was extended to make `corpus`. Ratings in `corpus` but not in `onto` are stored as an
        import, unless the project already has the same set. Raises QeError for raters and read-only projects.
        """
        self._database.require_owner(tr("only the owner of the project can add data to it"))
        new_ratings = added_ratings(corpus.ratings, None if onto is None else onto.ratings)
        with self._database.writing_with_checkpoint() as connection, translate_corruption(self._database.location):
            set_uid = (
                ""
                if new_ratings is None
                else write_rating_set(connection, new_ratings, file=new_ratings.origin, who=self.person)[1]
            )
            CorpusWriter(connection).extend(corpus, ratings=set_uid)

    def verify(self) -> list[CampaignVerdict]:
        """Return the result of verifying each campaign by its hash, secret and seed. Raises QeError for raters."""
        from qe_desktop.project.store.tables.campaign_tables import verify_designs

        self._database.require_owner(tr("only the owner of the project can verify its campaigns"))
        with translate_corruption(self._database.location):
            return verify_designs(
                [(self.design(item.uid), self.events(item.uid)) for item in self.campaigns()], self.corpus()
            )

    # --- ratings from files and campaigns

    def import_ratings(
        self, path: str | Path, *, language_pair: str = "", form: str = "", raters: Sequence[str] = (),
        ranges: Ranges = (),
    ) -> list[ImportResult]:  # fmt: skip
        """Import a file of ratings, with the options of `import_file`; return one result per campaign or rating set.

        Events in a journal or copy of this project are merged into its campaigns. Other ratings are stored as a set,
        without those that the campaigns already have. Importing a file twice adds nothing. Raises QeError for raters
        and if this project is read-only. Also raises QeError if the file is unreadable, is a blind export of another
        project's campaign, or is a project with nothing to import.
        """
        from qe_desktop.project.store.rating_import_files import import_file

        return import_file(
            self._database, Path(path), language_pair=language_pair, form=form, who=self.person, raters=raters,
            ranges=ranges,
        )  # fmt: skip

    def imports(self) -> list[ImportRow]:
        """All imports that added something, including withdrawn ones, oldest first. Raises QeError for raters."""
        return self._imports.all_imports()

    def withdraw_import(self, uid: str) -> ImportRow:
        """Withdraw and return an import; its rows stay stored but no longer count. The file can be imported again.

        Raises QeError for raters and read-only projects, and if the import does not exist or is already withdrawn.
        """
        return self._imports.withdraw_import(uid, who=self.person)

    def add_ratings(self, ratings: Ratings, *, file: str = "", sha256: str = "") -> ImportResult:
        """Store ratings as a set, and return the result; `sha256` is the hash of their file, if known.

        Raises QeError for raters and read-only projects.
        """
        return self._imports.add_ratings(ratings, file=file or ratings.origin, sha256=sha256, who=self.person)

    def ratings(self, uid: str | None = None) -> Ratings:
        """Ratings of the campaign `uid`, imported ratings without a campaign (`FILES_CHOICE`), or all ratings (None).

        Identical ratings count once; if ratings of the same item differ, the first one counts. Raises QeError for
        raters, for an unknown campaign, and if ratings of several campaigns would be combined.
        """
        names = {item.uid: item.name for item in self.campaigns()}
        return pool_ratings(names, self._campaign_ratings, self._imports.sets(), uid, self._database.location.place)

    def _campaign_ratings(self, uid: str) -> Ratings:
        from qe_desktop.ratings.blinding import collect_ratings

        design, recorded = self.design(uid), self.rater_events(uid)
        with translate_corruption(self._database.location):
            return collect_ratings(design, recorded.events, recorded.skipped_rows)

    # --- audit log

    def log(self, event: str, details: dict[str, Any] | None = None) -> None:
        """Queue an audit entry, as `append` does."""
        self.append([AuditRow(time.time(), self.person, event, details or {})])
