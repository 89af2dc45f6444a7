"""The database holds raters to what their protocol asks: values, texts, times and names of each event.

The rules are those of `qe_desktop.ratings.admitting`; a test holds both to each other. On a server a rater's clock does
not count: events get the server's time, each later than the ones before. In a file, which its holder can change at
will, only the form is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, text

from qe_desktop.project.store.event_rows import MOST_WRITTEN
from qe_desktop.ratings.admitting import LATEST, MOST_NAME, MOST_SECONDS, MOST_TEXT

_TRIGGER = "rating_events_checked"
_WRITTEN_TEXT = (
    r'^"([]-~ !#-[]|\\["\\/nt]'
    r"|\\u(?!00[01][0-9a-fA-F]|007[fF]|00[89][0-9a-fA-F])([0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})"
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r')*"$'
)
"""A text as the program writes it: JSON in ASCII, with neither control characters nor halves of surrogate pairs."""

CHECK_EVENT = f"""
CREATE OR REPLACE FUNCTION check_rating_event() RETURNS trigger LANGUAGE plpgsql
SET search_path = qe_desktop, pg_temp AS $check$
DECLARE
    shown int;
    bounds json;
    before double precision;
    is_owner boolean := pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE');
BEGIN
    IF NEW.uid !~ '^[ -~]{{1,{MOST_NAME}}}$' OR NEW.refers !~ '^[ -~]{{0,{MOST_NAME}}}$'
        OR length(NEW."window") > {MOST_NAME} OR length(NEW.rater) > 1000
    THEN
        RAISE EXCEPTION 'the names of the event are not in order' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.action NOT IN ('rate', 'undo', 'redo') OR (NEW.action = 'rate') <> (NEW.refers = '') THEN
        RAISE EXCEPTION 'the event does nothing that there is to do' USING ERRCODE = 'check_violation';
    END IF;
    IF NOT NEW.seconds BETWEEN 0 AND {MOST_SECONDS:.0f} THEN
        RAISE EXCEPTION 'the seconds are not 0 to {MOST_SECONDS:,.0f}' USING ERRCODE = 'check_violation';
    END IF;
    -- what a rater may not see is not told apart from what there is not
    SELECT c.takes INTO bounds FROM campaigns c WHERE c.uid = NEW.campaign;
    IF NEW.field <> 'profile' THEN
        SELECT json_array_length(CAST(s.outputs AS json)) INTO shown FROM screens s
        WHERE s.campaign = NEW.campaign AND s.uid = NEW.screen AND s.rater = NEW.rater;
    ELSIF NEW.screen = '' AND bounds IS NOT NULL THEN
        shown := 0;
    END IF;
    IF shown IS NULL THEN
        RAISE EXCEPTION 'the rater has no such item' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF octet_length(NEW.value) > {MOST_WRITTEN} THEN
        RAISE EXCEPTION 'the text has more than {MOST_TEXT:,} characters' USING ERRCODE = 'check_violation';
    ELSIF NEW.field IN ('comment', 'skip', 'profile') THEN
        IF NEW.value !~ '{_WRITTEN_TEXT}' THEN
            RAISE EXCEPTION 'the text is not in order' USING ERRCODE = 'check_violation';
        ELSIF char_length(CAST(NEW.value AS json) #>> '{{}}') > {MOST_TEXT} THEN
            RAISE EXCEPTION 'the text has more than {MOST_TEXT:,} characters' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF NEW.field NOT IN ('reveal', 'seen') AND bounds -> NEW.field IS NULL THEN
        RAISE EXCEPTION 'the campaign does not ask that' USING ERRCODE = 'check_violation';
    ELSIF NEW.action <> 'rate' OR NEW.field IN ('reveal', 'seen') THEN
        IF NEW.value IS NOT NULL THEN
            RAISE EXCEPTION 'there is a value where there is none' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF NEW.field = 'ranks' THEN
        IF NEW.value IS NULL OR NEW.value !~ '^\\[[0-9](,[0-9])*\\]$'
            OR json_array_length(CAST(NEW.value AS json)) <> shown
            OR EXISTS (
                SELECT FROM json_array_elements_text(CAST(NEW.value AS json)) AS given(rank)
                WHERE CAST(given.rank AS int) NOT BETWEEN CAST(bounds -> NEW.field ->> 0 AS int)
                    AND CAST(bounds -> NEW.field ->> 1 AS int)
            )
        THEN
            RAISE EXCEPTION 'the ranks are not those of the screen' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF NEW.value !~ '^(0|[1-9][0-9]{{0,3}})\\.0$' OR CAST(NEW.value AS numeric) NOT BETWEEN
        CAST(bounds -> NEW.field ->> 0 AS int) AND CAST(bounds -> NEW.field ->> 1 AS int)
    THEN
        RAISE EXCEPTION 'the value is not one of the scale' USING ERRCODE = 'check_violation';
    END IF;
    IF NOT is_owner THEN
        SELECT e.at INTO before FROM rating_events e WHERE e.campaign = NEW.campaign AND e.rater = NEW.rater
        ORDER BY e.at DESC LIMIT 1;
        NEW.at := greatest(CAST(extract(epoch FROM clock_timestamp()) AS double precision), before + 1e-6);
    ELSIF NOT NEW.at BETWEEN 0 AND {LATEST:.0f} THEN
        RAISE EXCEPTION 'the time cannot be' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $check$
"""
"""It runs with the rights of whoever writes: what they may not see, it does not see either."""

_IN_A_FILE = f"""
CREATE TRIGGER {_TRIGGER} BEFORE INSERT ON rating_events WHEN NOT coalesce(
    NEW.action IN ('rate', 'undo', 'redo') AND (NEW.action = 'rate') = (NEW.refers = '')
    AND NEW.at BETWEEN 0 AND {LATEST:.0f} AND NEW.seconds BETWEEN 0 AND {MOST_SECONDS:.0f}
    AND length(NEW.uid) BETWEEN 1 AND {MOST_NAME} AND length(NEW.refers) <= {MOST_NAME}
    AND length(NEW."window") <= {MOST_NAME} AND length(NEW.field) BETWEEN 1 AND {MOST_NAME}
    AND (NEW.field = 'profile') = (NEW.screen = '')
    AND coalesce(length(NEW.value), 0) <= {MOST_WRITTEN} AND CASE
        WHEN NEW.value IS NULL THEN 1
        WHEN NEW.field IN ('comment', 'skip', 'profile') THEN NEW.value GLOB '"*"'
        WHEN NEW.action <> 'rate' OR NEW.field IN ('reveal', 'seen') THEN 0
        WHEN NEW.field = 'ranks' THEN NEW.value GLOB '[[][0-9]*]' AND NOT NEW.value GLOB '*[^][0-9,]*'
        ELSE NEW.value GLOB '[0-9]*.0' AND NOT NEW.value GLOB '*[^0-9.]*' AND length(NEW.value) <= 6
    END, 0)
BEGIN SELECT RAISE(ABORT, 'the event is not in order'); END
"""


def check_events(connection: Connection) -> None:
    """Make the database look at every event that is added. On a server it may have been told before."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_IN_A_FILE.strip())
        return
    # the driver takes a single % for a parameter
    connection.exec_driver_sql(CHECK_EVENT.replace("%", "%%"))
    there = text(f"SELECT FROM pg_trigger WHERE tgrelid = CAST('rating_events' AS regclass) AND tgname = '{_TRIGGER}'")
    if connection.execute(there).first() is None:
        connection.exec_driver_sql(
            f"CREATE TRIGGER {_TRIGGER} BEFORE INSERT ON rating_events FOR EACH ROW"
            " EXECUTE FUNCTION check_rating_event()"
        )
        connection.exec_driver_sql("CREATE INDEX rating_events_by_time ON rating_events (campaign, rater, at)")


@contextmanager
def unchecked(connection: Connection) -> Iterator[None]:
    """Within the block rows are taken as they are: in a copy, every row is what it was where it came from."""
    sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql(
        f"DROP TRIGGER {_TRIGGER}" if sqlite else f"ALTER TABLE rating_events DISABLE TRIGGER {_TRIGGER}"
    )
    yield
    if sqlite:
        check_events(connection)
    else:
        connection.exec_driver_sql(f"ALTER TABLE rating_events ENABLE TRIGGER {_TRIGGER}")
