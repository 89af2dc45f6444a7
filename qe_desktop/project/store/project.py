"""A project: a corpus, all that was done to it and its campaigns, in a database, saved as it happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qe_desktop.answers.events import RatingEvent
from qe_desktop.corpus import Corpus, Layer, LayerKey, QeError, Ratings
from qe_desktop.project.edit_columns import EditColumns
from qe_desktop.project.edits import Edit
from qe_desktop.project.events import AuditRow, EditAction, EditRow, ImportRow, LayerRow, News, Row, SettingRow, new_uid
from qe_desktop.project.store.place import locate
from qe_desktop.ratings.campaign import Campaign, Design
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.formats.ratings.scale_ranges import Ranges
    from qe_desktop.project.store.database import Database, Role
    from qe_desktop.project.store.imports import Imported, Imports
    from qe_desktop.project.store.verifying import Verdict
    from qe_desktop.ratings.admitting import Said
    from qe_desktop.ratings.work import Work


class Project:
    """An open project. Made by `create` and `open`; everything that is appended is saved by a thread of its own.

    `read_only` says in words why nothing can be written, and is empty where it can. Methods that read may be called
    from any thread and raise a QeError in plain words; those that append never wait.
    """

    def __init__(self, database: Database, person: str) -> None:
        """Use `open` or `create`."""
        from qe_desktop.project.store.campaigns import Campaigns
        from qe_desktop.project.store.committing import Committer
        from qe_desktop.project.store.reading import Reader
        from qe_desktop.project.store.spool import Spool, bring_in
        from qe_desktop.project.store.writer import Writer

        self._database = database
        self._committer = Committer(database)
        self._campaigns = Campaigns(database)
        self._reader = Reader(database, self._campaigns, self._committer.came_second)
        self._about = self._reader.about()
        self.person = database.user if database.role == "rater" else person
        spool = Spool(str(database.location), str(self._about["project"]), database.window)
        self._writer = Writer(self._committer.commit, spool=spool, settle=database.settle, name=self.title)
        if not self.read_only:
            bring_in(spool, self._committer.commit)

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
        from qe_desktop.project.store.creating import create_database

        location = locate(place, password)
        create_database(location, corpus, person=person, title=title, replace=replace, uids=uids)
        return cls.open(place, person=person, password=password)

    @classmethod
    def open(cls, place: str | Path, *, person: str, password: str | None = None) -> Project:
        """Open a project, bringing an older schema up to date.

        Without `password` it comes from the URL, PGPASSWORD or pgpass; it is kept nowhere. QeError for what is no
        project, damaged, of a newer version, or a server that cannot be reached.
        """
        from qe_desktop.project.store.open_project import open_database

        database = open_database(locate(place, password))
        try:
            return cls(database, person)
        except BaseException:
            database.close()
            raise

    def close(self, timeout: float = 5.0) -> int:
        """Save what waits, as far as possible within `timeout` seconds, and let go. How many rows were not saved."""
        left = self._writer.close(timeout)
        self._reader.close()
        self._database.close()
        return left

    def save_as(self, place: str | Path, *, password: str | None = None, replace: bool = False) -> Project:
        """Copy the project to another file or an empty database on a server, and open the copy; this one stays open.

        What waits to be saved here is in the copy, too. QeError where there is something already (unless `replace`).
        """
        from qe_desktop.project.store.transfer import copy_project

        waiting = () if self.flush(1.0) else self._writer.waiting()
        copy_project(self._database, locate(place, password), person=self.person, replace=replace)
        copy = Project.open(place, person=self.person, password=password)
        copy.append(waiting)
        return copy

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
        from qe_desktop.project.store.securing import prepare_server

        return prepare_server(locate(url, password), owner=owner, raters=raters, new_password=new_password)

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    # --- what it is

    @property
    def role(self) -> Role:
        """What one may do here: "owner", or on a server "rater"."""
        return self._database.role

    @property
    def place(self) -> str:
        """The path or URL, never with a password."""
        return str(self._database.location)

    @property
    def title(self) -> str:
        """The project's name."""
        return str(self._about.get("title") or Path(self.place).stem)

    @property
    def uid(self) -> str:
        """The project's own name, which no other has."""
        return str(self._about["project"])

    @property
    def read_only(self) -> str:
        """Why nothing can be written, in words; empty where it can."""
        return self._database.read_only

    @property
    def window(self) -> str:
        """What this running program is called in the rows that it writes."""
        return self._database.window

    def summary(self) -> dict[str, Any]:
        """What the project holds, as JSON can hold it; without reading the corpus."""
        campaigns = [
            {"uid": one.uid, "name": one.name, "protocol": one.protocol, "raters": self.progress(one.uid)}
            for one in self.campaigns()
        ]
        about = {"title": self.title, "place": self.place, "role": self.role, "schema": self._about["schema"]}
        return about | {"read-only": self.read_only} | self._reader.counts() | {"campaigns": campaigns}

    def check(self) -> None:
        """Read all of the project and compare it with its check sums. QeError where it is damaged."""
        self._reader.check()

    # --- saving

    def on_saved(self, listener: Callable[[int, float], None]) -> None:
        """Call `listener(count, unix time)` after each commit, on the writer's thread."""
        self._writer.on_saved.append(listener)

    def on_trouble(self, listener: Callable[[QeError | None], None]) -> None:
        """Call `listener` with what keeps rows from being saved, once, and with None when it works again."""
        self._writer.on_trouble.append(listener)

    def append(self, rows: Sequence[Row]) -> None:
        """Queue rows to be saved, in this order. QeError where the project can only be read."""
        if self.read_only:
            place = self._database.location.place
            raise QeError(self.read_only, hint=tr("Save the project elsewhere to go on."), place=place)
        self._writer.append(rows)

    @property
    def pending(self) -> int:
        """How many rows are not yet saved."""
        return self._writer.pending

    @property
    def is_kept(self) -> bool:
        """Whether all rows that are not yet committed are in a file of this computer, so that nothing can lose them."""
        return self._writer.is_kept

    @property
    def trouble(self) -> QeError | None:
        """What keeps rows from being saved, or None."""
        return self._writer.trouble

    @property
    def refused(self) -> tuple[tuple[Row, QeError], ...]:
        """Rows that the database would not take, and why; they are kept in a file of their own beside the unsaved."""
        return self._writer.refused

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything is saved; False where that takes longer than `timeout` seconds."""
        return self._writer.flush(timeout)

    # --- the corpus and what was done to it

    def corpus(self) -> Corpus | None:
        """The corpus with the layers that are there now, as loaded (without edits). None where one may not see it."""
        found = self.corpus_and_uids()
        return None if found is None else found[0]

    def corpus_and_uids(self) -> tuple[Corpus, dict[LayerKey, str]] | None:
        """The corpus, and the uid of each of its layers, which a later layer of the same key does not have."""
        return self._reader.corpus()

    def history(self, *, after: int = 0) -> EditColumns:
        """All tag edits whose `seq` is above `after`, as columns; `news` tells from here on what others do."""
        return self._reader.history(after)

    def edit_rows(self, seqs: Sequence[int]) -> list[EditRow]:
        """Whole edits by their `seq`, in order; with their descriptions, which `history` leaves out."""
        return self._reader.edit_rows(seqs)

    def edit(
        self,
        edit: Edit,
        before: Sequence[int],
        *,
        action: EditAction = EditAction.EDIT,
        refers: str = "",
        text: str = "",
    ) -> EditRow:
        """Queue an edit: `before` are the tags at its places until now. The row as it will be kept (without `seq`)."""
        row = EditRow(
            new_uid(), edit.layer, edit.segment, edit.places, edit.tags, tuple(int(tag) for tag in before), action,
            refers, text, time.time(), self.person, self.window,
        )  # fmt: skip
        self.append([row])
        return row

    def add_layer(self, layer: Layer) -> None:
        """Queue a layer to be added; edits of it may follow at once."""
        self.append([LayerRow(layer.key, layer, True, time.time(), self.person, self.window)])

    def remove_layer(self, key: LayerKey) -> None:
        """Queue a layer to be closed; its edits go with it, and a later layer of this name begins anew."""
        self.append([LayerRow(key, None, False, time.time(), self.person, self.window)])

    def extend(self, corpus: Corpus) -> None:
        """Write what a corpus has and the project has not, now; layers come by `add_layer`. QeError where read-only."""
        from qe_desktop.project.store.creating import extend

        self._database.refuse_raters(tr("The texts of the project only the owner of the project may see"))
        extend(self._database, corpus)

    def set(self, name: str, value: Any, *, own: bool = False) -> None:
        """Queue a choice (what JSON can hold; None takes it back) for all, or with `own` for oneself."""
        scope = self.person if own else ""
        self.append([SettingRow(name, value, scope, time.time(), self.person, self.window)])

    def settings(self, *, own: bool = False) -> dict[str, Any]:
        """The choices that hold now, by name: those for all, or with `own` one's own."""
        return self._reader.settings(self.person if own else "")

    def news(self) -> News:
        """What has been added since `history` or the last call; cheap where there is nothing."""
        return self._reader.news()

    # --- campaigns

    def campaigns(self) -> list[Campaign]:
        """The campaigns that one takes part in (an owner: all), the oldest first."""
        return self._campaigns.all()

    def add_campaign(self, design: Design) -> None:
        """Write a campaign with its key now, and log it. QeError for raters, or where it is there already."""
        self._campaigns.add(design, self.person)

    def design(self, uid: str) -> Design:
        """A campaign with its key. QeError for raters."""
        return self._campaigns.design(uid)

    def secret(self, uid: str) -> bytes:
        """What a campaign's draws come from besides its seed; empty where there is none. QeError for raters."""
        return self._campaigns.secret(uid)

    def verify(self) -> list[Verdict]:
        """Whether campaigns are those whose hashes were published, of their secrets and seeds. QeError for raters."""
        from qe_desktop.project.store.faults import damage_in_words
        from qe_desktop.project.store.verifying import verdicts

        message = tr("What the campaigns were drawn from only the owner of the project may see")
        self._database.refuse_raters(message)
        with damage_in_words(self._database.location):
            return verdicts([(self.design(one.uid), self.events(one.uid)) for one in self.campaigns()], self.corpus())

    def work(self, uid: str, rater: str = "") -> Work:
        """A rater's work as it stands (empty: one's own). QeError where a rater asks for another's."""
        return self._campaigns.work(uid, rater or self.person)

    def rate(self, event: RatingEvent) -> None:
        """Queue what a rater did."""
        self.append([event])

    def events(self, uid: str) -> list[RatingEvent]:
        """All that was rated in a campaign, in the order kept, but what `said` leaves out. QeError for raters."""
        return self._campaigns.events(uid).events

    def said(self, uid: str) -> Said:
        """The same, and whose rows were left out, how many and why."""
        return self._campaigns.events(uid)

    def progress(self, uid: str) -> dict[str, tuple[int, int]]:
        """How many items each rater has done or skipped, and how many there are; raters may know that, too."""
        return self._campaigns.progress(uid)

    # --- ratings from files, and all together

    def import_ratings(
        self, path: str | Path, *, language_pair: str = "", form: str = "", raters: Sequence[str] = (),
        ranges: Ranges = (),
    ) -> list[Imported]:  # fmt: skip
        """Take in a file now: a journal or a copy of this project is united with its campaigns, event by event; other
        ratings are kept as a set, losslessly, without what an own campaign holds already. Says what was added and where
        files disagree. The same file twice adds nothing. QeError for raters, for files that cannot be read, and for
        blind exports of other projects' campaigns.
        """
        from qe_desktop.project.store.import_files import import_file

        chosen: dict[str, Any] = {"language_pair": language_pair, "form": form, "raters": raters, "ranges": ranges}
        return import_file(self._database, Path(path), who=self.person, **chosen)

    def imports(self) -> list[ImportRow]:
        """What was imported, in the order in which it came. QeError for raters."""
        return self._imports().all()

    def take_back(self, uid: str) -> ImportRow:
        """Let an import count no more, now; its rows stay, and the file can be imported again. QeError for raters."""
        return self._imports().take_back(uid, who=self.person)

    def add_ratings(self, ratings: Ratings, *, file: str = "", sha256: str = "") -> Imported:
        """Keep ratings from elsewhere as a set, now; `sha256` is that of the file they are from."""
        return self._imports().add_ratings(ratings, file=file or ratings.origin, sha256=sha256, who=self.person)

    def _imports(self) -> Imports:
        from qe_desktop.project.store.imports import Imports

        return Imports(self._database)

    def ratings(self, uid: str | None = None) -> Ratings:
        """The ratings of one campaign, by the uid of the project's own or of another that a file is of; of the files
        that are of none (`FILES`); or (None) of all as one. What several hold alike counts once, and where they differ
        the first one counts. QeError for raters, and where several campaigns would be joined.
        """
        from qe_desktop.project.store.pooling import together

        names = {one.uid: one.name for one in self.campaigns()}
        return together(names, self._collected, self._imports().sets(), uid, self._database.location.place)

    def _collected(self, uid: str) -> Ratings:
        from qe_desktop.project.store.faults import damage_in_words
        from qe_desktop.ratings.collect import collect

        design, said = self.design(uid), self.said(uid)
        with damage_in_words(self._database.location):
            return collect(design, said.events, said.left_out)

    # --- what has to be traceable

    def log(self, what: str, details: dict[str, Any] | None = None) -> None:
        """Queue an entry of the audit."""
        self.append([AuditRow(time.time(), self.person, what, details or {})])

    def audit(self) -> list[AuditRow]:
        """All that was logged, in order. QeError for raters."""
        return self._reader.audit()
