"""What is asked of an open project: its corpus, edits and choices, and what others did."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, func, or_, select, text

from qe_desktop.corpus import Corpus, LayerKey, Provenance, QeError, TextRole
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edited_columns import EditColumns
from qe_desktop.project.events import AuditRow, EditRow, LayerRow, RemoteChanges, ReviewRow, SettingRow, VisitRow
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.error_messages import translate_errors
from qe_desktop.project.store.project_campaigns import ProjectCampaigns
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.bilingual_columns import FILES, JOB_PREFIX
from qe_desktop.project.store.tables.blobs import read_bytes
from qe_desktop.project.store.tables.cell_validation import validate_condition, validate_fields, validate_names
from qe_desktop.project.store.tables.corpus_columns import (
    METRIC,
    REFERENCE,
    TRANSLATION,
    CorpusReader,
    column_key,
    current_layers,
    layer_key,
    read_facts,
)
from qe_desktop.project.store.tables.edit_table import read_edit_columns, read_edit_rows
from qe_desktop.project.store.tables.review_table import review_counts, review_rows, visit_rows

_FOLLOWED = {
    table.name: table
    for table in (schema.edits, schema.reviews, schema.visits, schema.settings, schema.layers, schema.removals)
}
_NEVER = 253_402_300_800
"""Unix time of the year 10000, beyond which there are no dates."""
_EDITS = tr("The edits only the owner of the project may see")
_REVIEW = tr("The review only the owner of the project may see")


class ProjectReader(ProjectCampaigns):
    """The part of an open project (`Project`) that reads, and remembers up to where it has told the news.

    `came_second` has the layers of this window that the project did not take, by uid, with the numbers of those that
    were there before (`Committer.came_second`).
    """

    def __init__(self, database: Database, person: str, came_second: dict[str, int]) -> None:
        super().__init__(database, person)
        self._came_second = came_second
        self._news = threading.Lock()
        self._told: dict[str, int] = {}
        self._version: int | None = None
        self._watching: Connection | None = None
        if database.role == "owner":
            with database.reading() as connection:
                self._told = self._newest(connection)
        self._about = self._read_about()

    def _read_about(self) -> dict[str, Any]:
        """The rows of `meta`."""
        with self._database.reading() as connection:
            rows = connection.execute(select(schema.meta.c.key, schema.meta.c.value))
            found = {row.key: row.value for row in rows}
            validate_names([found.get("project"), found.get("title")], "the name of the project")
            validate_condition(found["project"] and found["project"].isascii(), "the project has no name")
            return found

    def _counts(self) -> dict[str, Any]:
        """What there is but for campaigns; nothing for a rater."""
        if self._database.role == "rater":
            return {}
        with self._database.reading() as connection:
            facts, columns = read_facts(connection), schema.columns.c
            rows = connection.execute(select(columns.name, columns.details).order_by(columns.seq)).all()
            names = validate_names([row.name for row in rows], "the texts")
            held = dict(zip(names, rows, strict=True))
            files = validate_names(held[FILES].details, "the translators' files") if FILES in held else ()
            texts = [
                _text(name, row.details)
                for name, row in zip(names, rows, strict=True)
                if not name.startswith(JOB_PREFIX)
            ]
            corpus = (
                None if facts is None else {"name": _printable_name(facts.name), "segments": facts.size, "texts": texts}
            )
            return {
                "corpus": corpus,
                "layers": [_layer(key) for key, _ in current_layers(connection).values()],
                "edits": connection.execute(select(func.count()).select_from(schema.edits)).scalar_one(),
                "files": [_printable_name(name) for name in files],
                "review": review_counts(review_rows(connection), visit_rows(connection)),
                "rating-sets": connection.execute(select(func.count()).select_from(schema.rating_sets)).scalar_one(),
            }

    def check(self) -> None:
        """Read all of the project and compare it with its check sums. QeError where it is damaged."""
        if self._database.role == "rater":
            return
        with self._database.reading() as connection:
            if not self._database.is_server:
                said = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
                if said != ["ok"]:
                    message = tr("the project's file is damaged: {fault}", fault=said[0])
                    place = self._database.location.place
                    raise QeError(message, hint=tr("Open a copy of it; nothing was changed."), place=place)
            for number in connection.execute(select(schema.blobs.c.seq)).scalars().all():
                read_bytes(connection, number)

    # --- the corpus and its edits

    def corpus(self) -> Corpus | None:
        """The corpus with the layers that are there now, as loaded (without edits). None where one may not see it."""
        found = self.corpus_and_uids()
        return None if found is None else found[0]

    def corpus_and_uids(self) -> tuple[Corpus, dict[LayerKey, str]] | None:
        """The corpus, and the uid of each of its layers, which a later layer of the same key does not have."""
        if self._database.role == "rater":
            return None
        with self._database.reading() as connection:
            return CorpusReader(connection).read()

    def history(self, *, after: int = 0) -> EditColumns:
        """All tag edits whose `seq` is above `after`, as columns; `news` tells from here on what others do."""
        with self._database.reading(owners=_EDITS) as connection, self._news:
            found = read_edit_columns(self._database, connection, after=after)
            self._told = self._newest(connection)
        return found

    def edit_rows(self, seqs: Sequence[int]) -> list[EditRow]:
        """Whole edits by their `seq`, in order; with their descriptions, which `history` leaves out."""
        rows: list[EditRow] = []
        with self._database.reading(owners=_EDITS) as connection:
            for low in range(0, len(seqs), 500):
                some = [int(seq) for seq in seqs[low : low + 500]]
                rows += read_edit_rows(connection, schema.edits.c.seq.in_(some))
        return sorted(rows, key=lambda row: row.seq)

    def review(self) -> tuple[list[ReviewRow], list[VisitRow]]:
        """All that was set in review and all that was recorded, by everybody, in order; `news` tells from here on what
        comes. To be asked for after `history`, which lets the news begin behind all that there is.
        """
        with self._database.reading(owners=_REVIEW) as connection, self._news:
            rows, visits = review_rows(connection), visit_rows(connection)
            newest = self._newest(connection)
            self._told |= {name: newest[name] for name in (schema.reviews.name, schema.visits.name)}
        return rows, visits

    def settings(self, *, own: bool = False) -> dict[str, Any]:
        """The choices that hold now, by name: those for all, or with `own` one's own."""
        table = schema.settings.c
        scope = self.person if own else ""
        last = select(func.max(table.seq)).where(table.scope == scope).group_by(table.name)
        owners = tr("The choices only the owner of the project may see")
        with self._database.reading(owners=owners) as connection:
            rows = connection.execute(select(table.name, table.value).where(table.seq.in_(last)))
            return {validate_names([row.name], "a choice")[0]: row.value for row in rows if row.value is not None}

    def audit(self) -> list[AuditRow]:
        """All that was logged, in order. QeError for raters."""
        owners = tr("The audit only the owner of the project may see")
        with self._database.reading(owners=owners) as connection:
            rows = connection.execute(select(schema.audit).order_by(schema.audit.c.seq))
            found = [validate_fields(AuditRow(row.at, row.who, row.what, row.details, row.uid)) for row in rows]
            validate_condition(all(0 <= row.at < _NEVER for row in found), "an entry of the log is of no time")
            return found

    # --- what others do

    def news(self) -> RemoteChanges:
        """What has been added since `history` or the last call; cheap where there is nothing."""
        with self._news, self._all_or_nothing():
            if not self._database.is_server and not self._file_changed() and not self._came_second:
                return RemoteChanges()
            with self._database.reading() as connection:
                ratings, campaigns = self._new_ratings(connection)
                if self._database.role == "rater":
                    return RemoteChanges(ratings=ratings, campaigns=campaigns)
                before, self._told = self._told, self._newest(connection)
                changed = {name for name, seq in self._told.items() if seq > before.get(name, 0)}
                return replace(self._since(connection, before, changed), ratings=ratings, campaigns=campaigns)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Where a look at what is new fails, the next one begins where this one began."""
        told, version, known, following = self._told, self._version, self._known, copy(self._following)
        second = dict(self._came_second)
        try:
            yield
        except BaseException:
            self._told, self._version, self._known, self._following = told, version, known, following
            for uid, number in second.items():
                # the writer's thread adds to it
                self._came_second.setdefault(uid, number)
            raise

    def _file_changed(self) -> bool:
        """Whether anybody has committed to the file since the last look, by a connection kept for that question."""
        self._database.refuse_disturbed()
        with translate_errors(self._database.location):
            if self._watching is None:
                self._watching = self._database.engine.connect()
            version = int(self._watching.execute(text("PRAGMA data_version")).scalar_one())
            self._watching.rollback()
        changed, self._version = version != self._version, version
        return changed

    def _stop_watching(self) -> None:
        """Let go of the connection that looks for news."""
        with self._news:
            if self._watching is not None:
                self._watching.close()
                self._watching = None

    def _newest(self, connection: Connection) -> dict[str, int]:
        statement = select(
            *(
                select(func.coalesce(func.max(table.c.seq), 0)).scalar_subquery().label(name)
                for name, table in _FOLLOWED.items()
            )
        )
        return dict(connection.execute(statement).one()._mapping)

    def _since(self, connection: Connection, before: dict[str, int], changed: set[str]) -> RemoteChanges:
        windows = schema.windows.c
        others = windows.uid != self._database.window
        edits = read_edit_rows(connection, schema.edits.c.seq > before["edits"]) if "edits" in changed else []
        settings = self._settings_since(connection, before["settings"], others) if "settings" in changed else []
        moved = {"layers", "removals"} & changed or self._came_second
        layers = self._layers_since(connection, before) if moved else []
        after = schema.reviews.c.seq > before["reviews"]
        reviews = review_rows(connection, after) if "reviews" in changed else []
        visits = self._visits_since(connection, before["visits"]) if "visits" in changed else []
        return RemoteChanges(tuple(edits), tuple(settings), tuple(layers), reviews=tuple(reviews), visits=tuple(visits))

    def _visits_since(self, connection: Connection, after: int) -> list[VisitRow]:
        rows = visit_rows(connection, schema.visits.c.seq > after)
        return [row for row in rows if row.window != self._database.window]

    def _settings_since(self, connection: Connection, after: int, others: Any) -> list[SettingRow]:
        table, windows = schema.settings, schema.windows
        rows = connection.execute(
            select(table, windows.c.uid.label("window_uid"), windows.c.person)
            .join(windows, windows.c.seq == table.c.window)
            .where(table.c.seq > after, others)
            .order_by(table.c.seq)
        )
        return [
            validate_fields(
                SettingRow(row.name, row.value, row.scope, row.at, row.person, row.window_uid, row.uid, row.seq)
            )
            for row in rows
        ]

    def _layers_since(self, connection: Connection, before: dict[str, int]) -> list[LayerRow]:
        """The layers that went, then those that came and are there: what is there now does not hang on any clock.

        With a layer goes what came second beside it: this window may never hear of the first one otherwise.
        """
        second = dict(self._came_second)
        layers, removals, windows = schema.layers, schema.removals, schema.windows
        who = (layers, windows.c.uid.label("window_uid"), windows.c.person)
        went = (
            select(removals.c.uid.label("row_uid"), removals.c.at.label("gone_at"), removals.c.seq.label("gone"), *who)
            .join(windows, windows.c.seq == removals.c.window)
            .join(layers, layers.c.seq == removals.c.layer)
            .where(or_(removals.c.seq > before["removals"], layers.c.seq.in_(second.values())))
            .order_by(removals.c.seq)
        )
        came = (
            select(*who)
            .join(windows, windows.c.seq == layers.c.window)
            .where(layers.c.seq > before["layers"], layers.c.seq.not_in(select(removals.c.layer)))
            .order_by(layers.c.seq)
        )
        rows = [
            LayerRow(
                layer_key(row.provenance, row.name, row.kind), None, False, row.gone_at, row.person, row.window_uid,
                row.row_uid, row.gone, closed,
            )
            for row in connection.execute(went)
            for closed in (row.uid, *(uid for uid, first in second.items() if first == row.seq))
        ]  # fmt: skip
        for said in rows:
            self._came_second.pop(said.closes, None)
        reader = CorpusReader(connection)
        for row in connection.execute(came):
            mine = row.window_uid == self._database.window
            layer = None if mine else reader.layer(row.seq)
            key = layer_key(row.provenance, row.name, row.kind)
            rows.append(LayerRow(key, layer, True, row.at, row.person, row.window_uid, row.uid, row.seq))
        return rows


def _text(name: str, details: Any) -> str:
    """A column of texts as people know it."""
    kind, of = column_key(name, details)
    if kind == TRANSLATION:
        return tr("translation by {name}", name=_printable_name(str(of)))
    if kind == REFERENCE and of != TextRole.REFERENCE.value:
        return tr("reference {name}", name=_printable_name(str(of)))
    if kind == METRIC:
        return tr("scores by {metric}", metric=_printable_name(str(of)))
    role = kind.removeprefix("text/")
    return {one.value: one.shown for one in TextRole}.get(role, role)


def _layer(key: LayerKey) -> str:
    """A layer, and who made it."""
    layer = str(replace(key, name=_printable_name(key.name)))
    return {
        Provenance.GOLD: tr("{layer} of gold", layer=layer),
        Provenance.SYSTEM: tr("{layer} of system", layer=layer),
        Provenance.PERSON: tr("{layer} of person", layer=layer),
        Provenance.SYNTHETIC: tr("{layer}, synthetic", layer=layer),
    }[key.provenance]


def _printable_name(name: str) -> str:
    """A name that can be printed, whatever the file system made of it."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
