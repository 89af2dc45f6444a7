"""SQL functions that count raters' progress on the server, because raters may not read each other's ratings.

The functions process events as `qe_desktop.answers.event_history` and `ratings.rater_progress` do, and skip the events
of withdrawn imports (`rating_table.withdrawn_imports`). A test compares the SQL and Python implementations.
"""

from __future__ import annotations

LAST_VALUE = r"""
CREATE OR REPLACE FUNCTION last_value(fields text[], vals text[], wanted text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT vals[place] FROM generate_subscripts(fields, 1) AS place WHERE fields[place] = wanted
    ORDER BY place DESC LIMIT 1
$$
"""

WITHDRAWN = r"""
CREATE OR REPLACE FUNCTION withdrawn() RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = qe_desktop, pg_temp AS $$
    SELECT last.name FROM (
        SELECT DISTINCT ON (name) regexp_replace(s.sha256, '^[^:]*:[^:]*:', '') AS name, s.sha256
        FROM rating_sets s WHERE s.sha256 LIKE '%:%' ORDER BY name, s.seq DESC
    ) AS last WHERE last.sha256 LIKE 'withdrawn:%'
$$
"""

IS_HANDLED = r"""
CREATE OR REPLACE FUNCTION is_handled(campaign_uid text, screen_uid text, rater_name text, needs text[])
RETURNS boolean LANGUAGE plpgsql STABLE SET search_path = qe_desktop, pg_temp AS $$
DECLARE
    e record;
    place int;
    skip text := '""';
    uids text[] := '{}'; fields text[] := '{}'; vals text[] := '{}';
    gone text[] := '{}'; gone_fields text[] := '{}'; gone_vals text[] := '{}';
BEGIN
    FOR e IN
        SELECT v.uid, v.field, v.value, v.action, v.refers FROM rating_events v
        WHERE v.campaign = campaign_uid AND v.rater = rater_name AND v.screen = screen_uid
            AND (v.action <> 'rate' OR v.field NOT IN ('comment', 'reveal', 'seen', 'profile'))
            AND v."window" NOT IN (SELECT withdrawn())
        ORDER BY v.at, v.uid COLLATE "C"
    LOOP
        IF e.action = 'undo' THEN
            place := array_position(uids, e.refers);
            IF place IS NOT NULL THEN
                gone := array_append(gone, uids[place]);
                gone_fields := array_append(gone_fields, fields[place]);
                gone_vals := array_append(gone_vals, vals[place]);
                uids := uids[:place - 1] || uids[place + 1:];
                fields := fields[:place - 1] || fields[place + 1:];
                vals := vals[:place - 1] || vals[place + 1:];
            END IF;
        ELSIF e.action = 'redo' THEN
            place := array_position(gone, e.refers);
            IF place IS NOT NULL THEN
                uids := array_append(uids, gone[place]);
                fields := array_append(fields, gone_fields[place]);
                vals := array_append(vals, gone_vals[place]);
                gone := gone[:place - 1] || gone[place + 1:];
                gone_fields := gone_fields[:place - 1] || gone_fields[place + 1:];
                gone_vals := gone_vals[:place - 1] || gone_vals[place + 1:];
            END IF;
        ELSIF e.field = 'skip' THEN
            IF coalesce(e.value, '""') <> skip THEN
                uids := array_append(uids, e.uid);
                fields := array_append(fields, e.field);
                vals := array_append(vals, coalesce(e.value, '""'));
            END IF;
        ELSIF skip <> '""' OR e.value IS DISTINCT FROM last_value(fields, vals, e.field) THEN
            uids := array_append(uids, e.uid);
            fields := array_append(fields, e.field);
            vals := array_append(vals, e.value);
        END IF;
        skip := CASE WHEN fields[cardinality(fields)] = 'skip' THEN vals[cardinality(vals)] ELSE '""' END;
    END LOOP;
    IF skip <> '""' THEN
        RETURN true;
    END IF;
    RETURN NOT EXISTS (
        SELECT FROM unnest(needs) AS need, LATERAL (SELECT last_value(fields, vals, need) AS value) AS latest
        WHERE latest.value IS NULL OR latest.value = '""'
            OR (need = 'ranks' AND (latest.value NOT LIKE '[%' OR latest.value ~ '[[,]0[],]'))
    );
END $$
"""

PROGRESS = r"""
CREATE OR REPLACE FUNCTION progress(campaign_uid text) RETURNS TABLE (rater text, done bigint, total bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = qe_desktop, pg_temp AS $$
    WITH needed AS (
        SELECT ARRAY(SELECT json_array_elements_text(CAST(c.needs AS json))) AS fields
        FROM campaigns c WHERE c.uid = campaign_uid
    ), real_screens AS MATERIALIZED (
        SELECT s.rater, s.uid FROM screens s
        WHERE s.campaign = campaign_uid AND NOT s.training
            AND (pg_has_role(session_user, (
                SELECT t.tableowner FROM pg_tables t WHERE t.schemaname = 'qe_desktop' AND t.tablename = 'meta'
            ), 'USAGE') OR EXISTS (
                SELECT FROM screens own WHERE own.campaign = campaign_uid AND own.rater = CAST(session_user AS text)
            ))
    ), judged AS (
        SELECT v.rater, v.screen, v.field, v.value, v.at, v.uid COLLATE "C" AS uid,
            bool_or(v.action <> 'rate') OVER (PARTITION BY v.rater, v.screen) AS has_undo
        FROM rating_events v JOIN real_screens s ON s.uid = v.screen AND s.rater = v.rater
        WHERE v.campaign = campaign_uid
            AND (v.action <> 'rate' OR v.field NOT IN ('comment', 'reveal', 'seen', 'profile'))
            AND v."window" NOT IN (SELECT withdrawn())
    ), last_of_field AS (
        SELECT DISTINCT ON (j.rater, j.screen, j.field) j.* FROM judged j
        ORDER BY j.rater, j.screen, j.field, j.at DESC, j.uid DESC
    ), state AS (
        SELECT l.rater, l.screen, bool_or(l.has_undo) AS has_undo,
            (array_agg(l.field ORDER BY l.at DESC, l.uid DESC))[1] = 'skip'
                AND bool_or(l.field = 'skip' AND l.value <> '""') AS skipped,
            count(*) FILTER (
                WHERE l.field = ANY ((SELECT fields FROM needed)::text[]) AND l.value IS NOT NULL AND l.value <> '""'
                AND (l.field <> 'ranks' OR (l.value LIKE '[%' AND l.value !~ '[[,]0[],]'))
            ) = (SELECT cardinality(fields) FROM needed) AS complete
        FROM last_of_field l GROUP BY l.rater, l.screen
    ), handled AS MATERIALIZED (
        -- screens with undo or redo events are replayed step by step; elsewhere, the last value of a field applies
        SELECT s.rater, s.screen FROM state s
        WHERE CASE
            WHEN s.has_undo THEN is_handled(campaign_uid, s.screen, s.rater, (SELECT fields FROM needed))
            ELSE s.skipped OR s.complete
        END
    )
    -- no joins above: without statistics, the planner expects few rows and chooses slow nested loops
    SELECT r.rater, count(*) FILTER (WHERE (r.rater, r.uid) IN (SELECT h.rater, h.screen FROM handled h)), count(*)
    FROM real_screens r GROUP BY r.rater
$$
"""
