-- Splits the tables that are only ever read by game into hash partitions by its id. docs/scale.md says when and how.
--
--   psql "$WARDROOM_DATABASE_OWNER_URL" -v ON_ERROR_STOP=1 -c "SET wardroom.parts = '64'" -f partition.sql
--
-- Run it as the owner of the tables with all processes stopped and a backup made. It is one transaction, needs as much room
-- again as these tables have, and leaves alone what is partitioned already. The partitions are in the schema
-- "wardroom_parts": `wardroom migrate` and `wardroom doctor` look at the tables themselves.
DO $partition$
DECLARE
    parts CONSTANT int := coalesce(nullif(current_setting('wardroom.parts', true), ''), '16')::int;
    named text;
    again text[];
    step text;
BEGIN
    CREATE SCHEMA IF NOT EXISTS wardroom_parts;
    FOREACH named IN ARRAY ARRAY['events', 'leaves', 'checkpoints'] LOOP
        CONTINUE WHEN (SELECT relkind FROM pg_class WHERE oid = named::regclass) = 'p';
        again := ARRAY(
            SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', named, conname, pg_get_constraintdef(oid))
              FROM pg_constraint WHERE conrelid = named::regclass AND contype IN ('p', 'u')
        ) || ARRAY(
            SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = named::regclass
               AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
        ) || ARRAY(
            SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = named::regclass AND NOT tgisinternal
        ) || ARRAY(
            SELECT format('GRANT %s ON %I TO %I', privilege_type, named, grantee::regrole)
              FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = named::regclass AND grantee <> relowner
        ) || ARRAY(
            SELECT format('GRANT %s (%I) ON %I TO %I', privilege_type, attname, named, grantee::regrole)
              FROM pg_attribute, aclexplode(attacl) WHERE attrelid = named::regclass
        );
        EXECUTE format('ALTER TABLE %I RENAME TO %I', named, named || '_whole');
        EXECUTE format(
            'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY HASH (game_id)',
            named, named || '_whole'
        );
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format(
                'CREATE TABLE wardroom_parts.%I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                named || '_' || lpad(part::text, 3, '0'), named, parts, part
            );
        END LOOP;
        EXECUTE format('INSERT INTO %I SELECT * FROM %I', named, named || '_whole');
        EXECUTE format('DROP TABLE %I', named || '_whole');
        FOREACH step IN ARRAY again LOOP
            EXECUTE step;
        END LOOP;
        FOR part IN 0 .. parts - 1 LOOP -- a trigger of TRUNCATE is that of the table it names alone
            EXECUTE format(
                'CREATE TRIGGER %I BEFORE TRUNCATE ON wardroom_parts.%I FOR EACH STATEMENT '
                'EXECUTE FUNCTION wardroom_forbid_change()',
                named || '_no_truncate', named || '_' || lpad(part::text, 3, '0')
            );
        END LOOP;
    END LOOP;
END
$partition$;
ANALYZE events, leaves, checkpoints;
