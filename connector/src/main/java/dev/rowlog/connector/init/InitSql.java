package dev.rowlog.connector.init;

import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.config.url.SourceUrl;
import java.util.Optional;

/**
 * The script for a database administrator: role, grants and publication. It can be run again, and asks for nothing
 * more than what is missing. Pure.
 *
 * @param role that Rowlog connects as
 * @param verifier its password as PostgreSQL stores it; empty to leave the password alone, and say how to set one
 */
public record InitSql(SourceUrl url, TablePatterns tables, String role, Optional<String> verifier, String publication) {
  private static final String SCRIPT = """
      -- Prepares database %DATABASE% of %ADDRESS% for Rowlog. For a database administrator; run it in that database:
      --   rowlog init … | psql -v ON_ERROR_STOP=1 'postgres://<administrator>@%ADDRESS%/<database>'
      -- It can be run again. Before: wal_level must be logical, which needs a restart of the server:
      --   alter system set wal_level = 'logical';   -- Amazon RDS, Aurora: rds.logical_replication = 1 in the parameter group
      --                                             -- Google Cloud SQL: cloudsql.logical_decoding = on; Azure: wal_level = logical

      -- 1. The role. It reads tables and follows the change stream; it is no superuser and writes nothing.
      do $rowlog$
      begin
        if not exists (select from pg_catalog.pg_roles where rolname = %ROLE_TEXT%) then
          create role %ROLE%;
        end if;
      end
      $rowlog$;
      alter role %ROLE% with login replication%PASSWORD%;
      %NO_PASSWORD%-- Amazon RDS and Aurora have no REPLICATION attribute to give; instead: grant rds_replication to %ROLE%;
      grant connect on database %DATABASE% to %ROLE%;

      -- 2. The publication, and the right to read each table. Selected: %TABLES%
      do $rowlog$
      declare
        t record;
        publication constant text := %PUBLICATION_TEXT%;
      begin
        if not exists (select from pg_catalog.pg_publication where pubname = publication) then
          -- Without tables at first; changes of partitions come as those of their root.
          create publication %PUBLICATION% with (publish = 'insert, update, delete, truncate', publish_via_partition_root = true);
        end if;
        for t in
          select n.nspname, c.relname,
                 exists (select from pg_catalog.pg_publication_rel p
                           join pg_catalog.pg_publication o on o.oid = p.prpubid and o.pubname = publication
                          where p.prrelid = c.oid) as published,
                 exists (
                   select from pg_catalog.pg_index i
                    where i.indrelid = c.oid
                      and (c.relreplident = 'd' and i.indisprimary and i.indimmediate or c.relreplident = 'f' and i.indisprimary or c.relreplident = 'i' and i.indisreplident)) as identified,
                 (select string_agg(a.attname, ', ') from pg_catalog.pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated <> '') as generated
            from pg_catalog.pg_class c
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
           where c.relkind in ('r', 'p') and c.relpersistence = 'p' and not c.relispartition
             and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
             and %CONDITION%
           order by 1, 2
        loop
          if not t.identified then
            -- Rowlog tells rows apart by their key; and once published, PostgreSQL itself would refuse most of its updates and deletes.
            raise warning '%.% is left out: it has no key that tells its rows apart (no primary key, or a deferrable one without REPLICA IDENTITY FULL)', t.nspname, t.relname;
            continue;
          end if;
          if t.generated is not null then
            raise warning '%.% is left out: the change stream leaves out its generated columns (%)', t.nspname, t.relname, t.generated;
            continue;
          end if;
          execute format('grant usage on schema %I to %I', t.nspname, %ROLE_TEXT%);
          execute format('grant select on table %I.%I to %I', t.nspname, t.relname, %ROLE_TEXT%);
          if not t.published then
            execute format('alter publication %I add table only %I.%I', publication, t.nspname, t.relname);
          end if;
          raise notice '%.% is published', t.nspname, t.relname;
        end loop;
      end
      $rowlog$;

      -- Rowlog makes its replication slot itself. Check what is published: select * from pg_publication_tables;
      """;

  /** A role that logs in by password has to get one from somebody: the script does not know it. */
  private static final String NO_PASSWORD = """
      -- This script sets no password. Where the role needs one, set it in psql:  \\password %ROLE%
      --   (or give it to 'rowlog init' as source.password, best by ROWLOG_SOURCE_PASSWORD_FILE).
      do $rowlog$ begin raise notice 'this script sets no password for role %; to set one: \\password %', %ROLE_TEXT%, %ROLE_TEXT%; end $rowlog$;
      """;

  /** Ends with a line feed. */
  public String text() {
    return SCRIPT
        .replace("%DATABASE%", TableId.quote(url.database()))
        .replace("%ADDRESS%", url.address())
        .replace("%NO_PASSWORD%", verifier.isPresent() ? "" : NO_PASSWORD)
        .replace("%ROLE_TEXT%", literal(role))
        .replace("%ROLE%", TableId.quote(role))
        .replace("%PASSWORD%", verifier.map(value -> " password " + literal(value)).orElse(""))
        .replace("%TABLES%", tables.toString().replaceAll("\\R", " "))
        .replace("%PUBLICATION_TEXT%", literal(publication))
        .replace("%PUBLICATION%", TableId.quote(publication))
        .replace("%CONDITION%", tables.sqlCondition("n.nspname", "c.relname"));
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
