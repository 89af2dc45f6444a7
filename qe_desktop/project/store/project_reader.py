"""Reading from an open project: corpus, edits, settings, and changes by other clients."""

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
from qe_desktop.project.edits import EditColumns
from qe_desktop.project.events import AuditRow, EditRow, LayerRow, RemoteChanges, ReviewRow, SettingRow, VisitRow
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.errors import translate_errors
from qe_desktop.project.store.project_campaigns import ProjectCampaigns
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.bilingual_columns import FILES, JOB_PREFIX
from qe_desktop.project.store.tables.blobs import read_bytes
from qe_desktop.project.store.tables.cell_codec import validate_condition, validate_fields, validate_names
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

_POLLED_TABLES = {
    table.name: table
    for table in (schema.edits, schema.reviews, schema.visits, schema.settings, schema.layers, schema.removals)
}
_MAX_UNIX_TIME = 253_402_300_800
"""Unix time of the start of the year 10000; this time and later times are invalid."""
_EDITS_OWNER_ONLY = tr("only the owner of the project can read its edits")
_REVIEW_OWNER_ONLY = tr("only the owner of the project can read the review of its segments")


class ProjectReader(ProjectCampaigns):
    """Base class of `Project` for reading; tracks which changes have been reported.

    `rejected_layers` is `Committer.rejected_layers`. It contains the uids of layers of this client that were rejected
    because a layer with the same key existed, each with the number of the existing layer.
    """

    def __init__(self, database: Database, person: str, rejected_layers: dict[str, int]) -> None:
        super().__init__(database, person)
        self._rejected_layers = rejected_layers
        self._read_lock = threading.Lock()
        self._last_seqs: dict[str, int] = {}
        self._version: int | None = None
        self._poll_connection: Connection | None = None
        if database.role == "owner":
            with database.reading() as connection:
                self._last_seqs = self._newest_seqs(connection)
        self._metadata = self._read_metadata()

    def _read_metadata(self) -> dict[str, Any]:
        """Values of `meta` by key. Raises DamagedProjectError if the project has no uid or title."""
        with self._database.reading() as connection:
            rows = connection.execute(select(schema.meta.c.key, schema.meta.c.value))
            metadata = {row.key: row.value for row in rows}
            validate_names([metadata.get("project"), metadata.get("title")], "the name of the project")
            validate_condition(metadata["project"] and metadata["project"].isascii(), "the project has no name")
            return metadata

    def _counts_of_contents(self) -> dict[str, Any]:
        """Summary of the contents, except for campaigns; empty for a rater."""
        if self._database.role == "rater":
            return {}
        with self._database.reading() as connection:
            facts, columns = read_facts(connection), schema.columns.c
            rows = connection.execute(select(columns.name, columns.details).order_by(columns.seq)).all()
            names = validate_names([row.name for row in rows], "the texts")
            by_name = dict(zip(names, rows, strict=True))
            files = validate_names(by_name[FILES].details, "the bilingual files") if FILES in by_name else ()
            texts = [
                _text_label(name, row.details)
                for name, row in zip(names, rows, strict=True)
                if not name.startswith(JOB_PREFIX)
            ]
            corpus = (
                None if facts is None else {"name": _printable_name(facts.name), "segments": facts.size, "texts": texts}
            )
            return {
                "corpus": corpus,
                "layers": [_layer_label(key) for key, _ in current_layers(connection).values()],
                "edits": connection.execute(select(func.count()).select_from(schema.edits)).scalar_one(),
                "files": [_printable_name(name) for name in files],
                "review": review_counts(review_rows(connection), visit_rows(connection)),
                "rating-sets": connection.execute(select(func.count()).select_from(schema.rating_sets)).scalar_one(),
            }

    def check(self) -> None:
        """Verify the file, if the project is in a file, and the checksums of all arrays; raise QeError for damage.

        Does nothing if the user is a rater.
        """
        if self._database.role == "rater":
            return
        with self._database.reading() as connection:
            if not self._database.is_server:
                problems = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
                if problems != ["ok"]:
                    message = tr("the project's file is damaged: {fault}", fault=problems[0])
                    location = self._database.location.place
                    raise QeError(message, hint=tr("Nothing was changed. Open a backup."), place=location)
            for number in connection.execute(select(schema.blobs.c.seq)).scalars().all():
                read_bytes(connection, number)

    # --- the corpus and its edits

    def corpus(self) -> Corpus | None:
        """Return the corpus with its current layers, as loaded (without edits).

        Returns None for raters, and if the project has no corpus.
        """
        loaded = self.corpus_and_uids()
        return None if loaded is None else loaded[0]

    def corpus_and_uids(self) -> tuple[Corpus, dict[LayerKey, str]] | None:
        """Return the corpus, as `corpus` does, and the uids of its layers by key.

        A layer that replaces a removed layer with the same key has a different uid. Returns None for raters, and if the
        project has no corpus.
        """
        if self._database.role == "rater":
            return None
        with self._database.reading() as connection:
            return CorpusReader(connection).read()

    def history(self, *, after: int = 0) -> EditColumns:
        """All tag edits with `seq` above `after`, as columns; later edits are returned by `new_changes`.

        Raises QeError for raters.
        """
        with self._database.reading(owners=_EDITS_OWNER_ONLY) as connection, self._read_lock:
            columns = read_edit_columns(self._database, connection, after=after)
            self._last_seqs = self._newest_seqs(connection)
        return columns

    def edit_rows(self, seqs: Sequence[int]) -> list[EditRow]:
        """Tag edits with the numbers in `seqs`, ascending, including the descriptions that `history` omits.

        Raises QeError for raters.
        """
        rows: list[EditRow] = []
        with self._database.reading(owners=_EDITS_OWNER_ONLY) as connection:
            for start in range(0, len(seqs), 500):
                batch = [int(seq) for seq in seqs[start : start + 500]]
                rows += read_edit_rows(connection, schema.edits.c.seq.in_(batch))
        return sorted(rows, key=lambda row: row.seq)

    def review(self) -> tuple[list[ReviewRow], list[VisitRow]]:
        """All review rows and recorded visits, in order; later rows are returned by `new_changes`.

        Call `history` first, because it also marks review rows and visits as read. Raises QeError for raters.
        """
        with self._database.reading(owners=_REVIEW_OWNER_ONLY) as connection, self._read_lock:
            rows, visits = review_rows(connection), visit_rows(connection)
            last_seqs = self._newest_seqs(connection)
            self._last_seqs |= {name: last_seqs[name] for name in (schema.reviews.name, schema.visits.name)}
        return rows, visits

    def settings(self, *, own_only: bool = False) -> dict[str, Any]:
        """Current settings by name: the shared settings or, with `own_only`, the user's own settings.

        Raises QeError for raters.
        """
        table = schema.settings.c
        scope = self.person if own_only else ""
        last = select(func.max(table.seq)).where(table.scope == scope).group_by(table.name)
        owners = tr("only the owner of the project can read its settings")
        with self._database.reading(owners=owners) as connection:
            rows = connection.execute(select(table.name, table.value).where(table.seq.in_(last)))
            return {validate_names([row.name], "a setting")[0]: row.value for row in rows if row.value is not None}

    def audit(self) -> list[AuditRow]:
        """All audit entries, in order. Raises QeError for raters."""
        owners = tr("only the owner of the project can read its audit log")
        with self._database.reading(owners=owners) as connection:
            rows = connection.execute(select(schema.audit).order_by(schema.audit.c.seq))
            entries = [validate_fields(AuditRow(row.at, row.who, row.what, row.details, row.uid)) for row in rows]
            validate_condition(
                all(0 <= row.at < _MAX_UNIX_TIME for row in entries), "an audit entry has an invalid time"
            )
            return entries

    # --- remote changes

    def new_changes(self) -> RemoteChanges:
        """Changes since the last call of this method or of `history`; fast if there are none.

        Raters receive only ratings and campaigns.
        """
        with self._read_lock, self._restore_on_error():
            if not self._database.is_server and not self._file_changed() and not self._rejected_layers:
                return RemoteChanges()
            with self._database.reading() as connection:
                ratings, campaigns = self._new_ratings(connection)
                if self._database.role == "rater":
                    return RemoteChanges(ratings=ratings, campaigns=campaigns)
                before, self._last_seqs = self._last_seqs, self._newest_seqs(connection)
                changed = {name for name, seq in self._last_seqs.items() if seq > before.get(name, 0)}
                return replace(self._changes_since(connection, before, changed), ratings=ratings, campaigns=campaigns)

    @contextmanager
    def _restore_on_error(self) -> Iterator[None]:
        """Context manager: restore the read position on errors, so that the next `new_changes` reads the same rows."""
        position = self._last_seqs, self._version, self._known_uids, copy(self._cursor)
        rejected_layers = dict(self._rejected_layers)
        try:
            yield
        except BaseException:
            self._last_seqs, self._version, self._known_uids, self._cursor = position
            for uid, number in rejected_layers.items():
                # the writer thread may have added entries in the meantime
                self._rejected_layers.setdefault(uid, number)
            raise

    def _file_changed(self) -> bool:
        """Return whether any connection has committed to the file since the last call; uses a dedicated connection."""
        self._database.require_intact_files()
        with translate_errors(self._database.location):
            if self._poll_connection is None:
                self._poll_connection = self._database.engine.connect()
            version = int(self._poll_connection.execute(text("PRAGMA data_version")).scalar_one())
            self._poll_connection.rollback()
        changed, self._version = version != self._version, version
        return changed

    def _stop_watching(self) -> None:
        """Close the connection that `_file_changed` uses."""
        with self._read_lock:
            if self._poll_connection is not None:
                self._poll_connection.close()
                self._poll_connection = None

    def _newest_seqs(self, connection: Connection) -> dict[str, int]:
        statement = select(
            *(
                select(func.coalesce(func.max(table.c.seq), 0)).scalar_subquery().label(name)
                for name, table in _POLLED_TABLES.items()
            )
        )
        return dict(connection.execute(statement).one()._mapping)

    def _changes_since(self, connection: Connection, before: dict[str, int], changed: set[str]) -> RemoteChanges:
        windows = schema.windows.c
        by_others = windows.uid != self._database.window
        edits = read_edit_rows(connection, schema.edits.c.seq > before["edits"]) if "edits" in changed else []
        settings = self._settings_since(connection, before["settings"], by_others) if "settings" in changed else []
        has_layer_changes = {"layers", "removals"} & changed or self._rejected_layers
        layers = self._layers_since(connection, before) if has_layer_changes else []
        after = schema.reviews.c.seq > before["reviews"]
        reviews = review_rows(connection, after) if "reviews" in changed else []
        visits = self._visits_since(connection, before["visits"]) if "visits" in changed else []
        return RemoteChanges(tuple(edits), tuple(settings), tuple(layers), reviews=tuple(reviews), visits=tuple(visits))

    def _visits_since(self, connection: Connection, after: int) -> list[VisitRow]:
        rows = visit_rows(connection, schema.visits.c.seq > after)
        return [row for row in rows if row.window != self._database.window]

    def _settings_since(self, connection: Connection, after: int, by_others: Any) -> list[SettingRow]:
        table, windows = schema.settings, schema.windows
        rows = connection.execute(
            select(table, windows.c.uid.label("window_uid"), windows.c.person)
            .join(windows, windows.c.seq == table.c.window)
            .where(table.c.seq > after, by_others)
            .order_by(table.c.seq)
        )
        return [
            validate_fields(
                SettingRow(row.name, row.value, row.scope, row.at, row.person, row.window_uid, row.uid, row.seq)
            )
            for row in rows
        ]

    def _layers_since(self, connection: Connection, before: dict[str, int]) -> list[LayerRow]:
        """Return removed layers, then added layers that still exist; each group in stored order, regardless of times.

        A removed layer is followed by this client's layers that were rejected because the removed layer existed.
        """
        rejected_layers = dict(self._rejected_layers)
        layers, removals, windows = schema.layers, schema.removals, schema.windows
        author_columns = (layers, windows.c.uid.label("window_uid"), windows.c.person)
        removed = (
            select(
                removals.c.uid.label("row_uid"),
                removals.c.at.label("gone_at"),
                removals.c.seq.label("gone"),
                *author_columns,
            )
            .join(windows, windows.c.seq == removals.c.window)
            .join(layers, layers.c.seq == removals.c.layer)
            .where(or_(removals.c.seq > before["removals"], layers.c.seq.in_(rejected_layers.values())))
            .order_by(removals.c.seq)
        )
        added_query = (
            select(*author_columns)
            .join(windows, windows.c.seq == layers.c.window)
            .where(layers.c.seq > before["layers"], layers.c.seq.not_in(select(removals.c.layer)))
            .order_by(layers.c.seq)
        )
        rows = [
            LayerRow(
                layer_key(row.provenance, row.name, row.kind), None, False, row.gone_at, row.person, row.window_uid,
                row.row_uid, row.gone, closed,
            )
            for row in connection.execute(removed)
            for closed in (row.uid, *(uid for uid, first in rejected_layers.items() if first == row.seq))
        ]  # fmt: skip
        for removal in rows:
            self._rejected_layers.pop(removal.closes, None)
        reader = CorpusReader(connection)
        for row in connection.execute(added_query):
            is_own = row.window_uid == self._database.window
            layer = None if is_own else reader.layer(row.seq)
            key = layer_key(row.provenance, row.name, row.kind)
            rows.append(LayerRow(key, layer, True, row.at, row.person, row.window_uid, row.uid, row.seq))
        return rows


def _text_label(name: str, details: Any) -> str:
    """Localized name of a text column or of a column of metric scores."""
    kind, of = column_key(name, details)
    if kind == TRANSLATION:
        return tr("translation by {name}", name=_printable_name(str(of)))
    if kind == REFERENCE and of != TextRole.REFERENCE.value:
        return tr("reference {name}", name=_printable_name(str(of)))
    if kind == METRIC:
        return tr("{metric} scores", metric=_printable_name(str(of)))
    role = kind.removeprefix("text/")
    return {item.value: item.display_name for item in TextRole}.get(role, role)


def _layer_label(key: LayerKey) -> str:
    """Localized name of a layer with its provenance."""
    layer = str(replace(key, name=_printable_name(key.name)))
    return {
        Provenance.GOLD: tr("{layer}, gold", layer=layer),
        Provenance.SYSTEM: tr("{layer}, system", layer=layer),
        Provenance.PERSON: tr("{layer}, annotator", layer=layer),
        Provenance.SYNTHETIC: tr("{layer}, synthetic", layer=layer),
    }[key.provenance]


def _printable_name(name: str) -> str:
    """Name with undecodable characters escaped."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
