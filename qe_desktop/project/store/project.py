"""A project: a corpus, all that was done to it and its campaigns, in a database, saved as it happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import Corpus, LayerKey, QeError, Ratings
from qe_desktop.corpus.ratings_merge import added_ratings
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import COPIED_FOR_RATERS, AuditRow, ImportRow, Row
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.error_messages import translate_corruption
from qe_desktop.project.store.location import locate
from qe_desktop.project.store.pooled_ratings import pool_ratings
from qe_desktop.project.store.postgres.server_setup import prepare_server
from qe_desktop.project.store.project_copy import copy_project
from qe_desktop.project.store.project_creation import create_database
from qe_desktop.project.store.project_opening import open_database
from qe_desktop.project.store.project_reader import ProjectReader
from qe_desktop.project.store.rating_imports import ImportResult, ImportWriter, write_rating_set
from qe_desktop.project.store.tables.corpus_columns import CorpusWriter
from qe_desktop.project.store.write_queue.committer import Committer
from qe_desktop.project.store.write_queue.spool import Spool, recover_spool
from qe_desktop.project.store.write_queue.writer import Writer

if TYPE_CHECKING:
    from qe_desktop.formats.ratings.cell_parsing import Ranges
    from qe_desktop.project.store.campaign_verification import CampaignVerdict


class Project(ProjectReader):
    """An open project. Made by `create` and `open`; everything that is appended is saved by a thread of its own.

    `role` is what one may do here: "owner", or on a server "rater". `place` is the path or URL, never with a password,
    `uid` the project's own name, which no other has, `window` what this running program is called in the rows that it
    writes. `read_only` says in words why nothing can be written, and is empty where it can, and `warning` what is not
    safe about a connection. `writer` tells what waits
    to be saved and what keeps it from that. Methods that read may be called from any thread and raise a QeError in
    plain words; those that append never wait.
    """

    def __init__(self, database: Database, person: str) -> None:
        """Use `open` or `create`."""
        committer = Committer(database)
        super().__init__(database, person, committer.came_second)
        self._imports = ImportWriter(database)
        self.role, self.window, self.read_only = database.role, database.window, database.read_only
        self.warning = database.warning
        self.place = str(database.location)
        self.uid = str(self._about["project"])
        self.title = str(self._about.get("title") or Path(self.place).stem)
        spool = Spool(self.place, self.uid, self.window)
        self.writer = Writer(committer.commit, spool=spool, settle=database.settle, name=self.title)
        database.settle_later = self.writer.settle_later
        if not self.read_only:
            recover_spool(spool, committer.commit)
        self.set_aside = tuple(spool.aside)
        """What earlier programs left that the project did not take now, each with the file where it is kept."""

    # --- making, opening, closing

    @classmethod
    def create(
        cls,
        place: str | Path,
        corpus: Corpus | None,
        *,
        person: str,
        title: str = "",
        password: str | None = None,
        replace: bool = False,
        uids: Mapping[LayerKey, str] | None = None,
    ) -> Project:
        """Make a project of a corpus (None: only for ratings) and open it.

        `place` is the path of a new file or a `postgresql://` URL; `replace` overwrites a file. `uids` are those of
        layers that somebody works on already (`Session.layer_uids`). QeError where there is a project already or
        nothing can be written; then nothing is left behind.
        """
        location = locate(place, password)
        create_database(location, corpus, person=person, title=title, replace=replace, uids=uids)
        return cls.open(place, person=person, password=password)

    @classmethod
    def open(cls, place: str | Path, *, person: str, password: str | None = None) -> Project:
        """Open a project, bringing an older schema up to date.

        Without `password` it comes from the URL, PGPASSWORD or pgpass; it is kept nowhere. QeError for what is no
        project, damaged, of a newer version, or a server that cannot be reached.
        """
        database = open_database(locate(place, password))
        try:
            return cls(database, person)
        except BaseException:
            database.close()
            raise

    def close(self, timeout: float = 5.0) -> int:
        """Save what waits, as far as possible within `timeout` seconds, and let go. How many rows were not saved."""
        left = self.writer.close(timeout)
        self._stop_watching()
        self._database.close()
        return left

    def save_as(self, place: str | Path, *, password: str | None = None, replace: bool = False) -> Project:
        """Copy the project to another file or an empty database on a server, and open the copy; this one stays open.

        What waits to be saved here is in the copy, too. QeError where there is something already (unless `replace`).
        """
        waiting = () if self.flush(1.0) else self.writer.waiting()
        copy_project(self._database, locate(place, password), person=self.person, replace=replace)
        copy = Project.open(place, person=self.person, password=password)
        copy.append(waiting)
        return copy

    def save_for_raters(self, place: str | Path, *, replace: bool = False) -> None:
        """Write a file for the raters of the campaigns, and log it; see `rater_copy`.

        QeError for raters, without a campaign, and where there is something already (unless `replace`).
        """
        from qe_desktop.project.store.project_copy import copy_for_raters

        copy_for_raters(self._database, locate(place), replace=replace)
        if not self.read_only:
            self.log(COPIED_FOR_RATERS, {"file": str(place)})

    @staticmethod
    def prepare_server(
        url: str,
        *,
        raters: Sequence[str],
        owner: str = "",
        password: str | None = None,
        new_password: Callable[[str], str],
    ) -> list[str]:
        """Make a project on a PostgreSQL server keep its raters apart; what was done, in lines of words.

        Makes the tables where there are none, and the roles that are missing: `new_password(role)` is asked for theirs,
        which is kept nowhere. A rater's name is that of the role. `owner` is whose the tables become, at first the role
        of the URL. QeError where the connected role may not do that.
        """
        return prepare_server(locate(url, password), owner=owner, raters=raters, new_password=new_password)

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    # --- saving

    def append(self, rows: Sequence[Row]) -> None:
        """Queue rows to be saved, in this order. QeError where the project can only be read."""
        if self.read_only:
            place = self._database.location.place
            raise QeError(self.read_only, hint=tr("Save the project elsewhere to go on."), place=place)
        self.writer.append(rows)

    def rate(self, event: RatingEvent) -> None:
        """Queue what a rater did."""
        self.append([event])

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything is saved; False where that takes longer than `timeout` seconds."""
        return self.writer.flush(timeout)

    # --- what it holds

    def summary(self) -> dict[str, Any]:
        """What the project holds, as JSON can hold it; without reading the corpus."""
        campaigns = [
            {"uid": one.uid, "name": one.name, "protocol": one.protocol, "raters": self.progress(one.uid)}
            for one in self.campaigns()
        ]
        about = {"title": self.title, "place": self.place, "role": self.role, "schema": self._about["schema"]}
        return about | {"read-only": self.read_only} | self._counts() | {"campaigns": campaigns}

    def extend(self, corpus: Corpus, onto: Corpus | None = None) -> None:
        """Write what a corpus has and the project has not, now; layers come by `append`. QeError where read-only.

        Its ratings are kept as an import, without those of `onto`, which it was made of. The same ratings add nothing.
        """
        self._database.refuse_raters(tr("The texts of the project only the owner of the project may see"))
        came = added_ratings(corpus.ratings, None if onto is None else onto.ratings)
        with self._database.writing_whole() as connection, translate_corruption(self._database.location):
            held = "" if came is None else write_rating_set(connection, came, file=came.origin, who=self.person)[1]
            CorpusWriter(connection).extend(corpus, ratings=held)

    def verify(self) -> list[CampaignVerdict]:
        """Whether campaigns are those whose hashes were published, of their secrets and seeds. QeError for raters."""
        from qe_desktop.project.store.campaign_verification import verify_designs

        self._database.refuse_raters(tr("What the campaigns were drawn from only the owner of the project may see"))
        with translate_corruption(self._database.location):
            return verify_designs(
                [(self.design(one.uid), self.events(one.uid)) for one in self.campaigns()], self.corpus()
            )

    # --- ratings from files, and all together

    def import_ratings(
        self, path: str | Path, *, language_pair: str = "", form: str = "", raters: Sequence[str] = (),
        ranges: Ranges = (),
    ) -> list[ImportResult]:  # fmt: skip
        """Take in a file now: a journal or a copy of this project is united with its campaigns, event by event; other
        ratings are kept as a set, losslessly, without what an own campaign holds already. Says what was added and where
        files disagree. The same file twice adds nothing. QeError for raters, for files that cannot be read, and for
        blind exports of other projects' campaigns.
        """
        from qe_desktop.project.store.rating_import_files import import_file

        chosen: dict[str, Any] = {"language_pair": language_pair, "form": form, "raters": raters, "ranges": ranges}
        return import_file(self._database, Path(path), who=self.person, **chosen)

    def imports(self) -> list[ImportRow]:
        """What was imported, in the order in which it came. QeError for raters."""
        return self._imports.all()

    def take_back(self, uid: str) -> ImportRow:
        """Let an import count no more, now; its rows stay, and the file can be imported again. QeError for raters."""
        return self._imports.take_back(uid, who=self.person)

    def add_ratings(self, ratings: Ratings, *, file: str = "", sha256: str = "") -> ImportResult:
        """Keep ratings from elsewhere as a set, now; `sha256` is that of the file they are from."""
        return self._imports.add_ratings(ratings, file=file or ratings.origin, sha256=sha256, who=self.person)

    def ratings(self, uid: str | None = None) -> Ratings:
        """The ratings of one campaign, by the uid of the project's own or of another that a file is of; of the files
        that are of none (`FILES`); or (None) of all as one. What several hold alike counts once, and where they differ
        the first one counts. QeError for raters, and where several campaigns would be joined.
        """
        names = {one.uid: one.name for one in self.campaigns()}
        return pool_ratings(names, self._collected, self._imports.sets(), uid, self._database.location.place)

    def _collected(self, uid: str) -> Ratings:
        from qe_desktop.ratings.blinding import collect_ratings

        design, said = self.design(uid), self.said(uid)
        with translate_corruption(self._database.location):
            return collect_ratings(design, said.events, said.left_out)

    # --- what has to be traceable

    def log(self, what: str, details: dict[str, Any] | None = None) -> None:
        """Queue an entry of the audit."""
        self.append([AuditRow(time.time(), self.person, what, details or {})])
