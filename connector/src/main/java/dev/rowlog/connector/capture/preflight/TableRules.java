package dev.rowlog.connector.capture.preflight;

import dev.rowlog.connector.capture.preflight.Finding.Kind;
import dev.rowlog.connector.catalog.Column;
import dev.rowlog.connector.catalog.ColumnType;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.change.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Which relations can be mirrored exactly, from what the catalog says of them. Pure. */
final class TableRules {
  private TableRules() {}

  /**
   * @param role our role, for the cures
   */
  static List<Finding> check(Relation relation, String role) {
    if (relation.kind() != 'r' && relation.kind() != 'p') {
      return List.of(refused(relation, Kind.NOT_A_TABLE,
          "is " + kindOf(relation.kind()) + ", which logical replication does not carry",
          "name the table that holds its rows, or " + leaveOut(relation.id())));
    }
    List<Finding> findings = new ArrayList<>();
    if (relation.persistence() != 'p') {
      String table = relation.id().quoted();
      findings.add(refused(relation, Kind.NOT_PERMANENT,
          "is " + (relation.persistence() == 'u' ? "unlogged" : "temporary")
              + ", so that its changes are not in the write-ahead log",
          relation.persistence() == 'u' ? "run ALTER TABLE " + table + " SET LOGGED" : leaveOut(relation.id())));
    }
    if (!relation.selectable()) {
      findings.add(refused(relation, Kind.NO_SELECT_RIGHT, "may not be read by " + role,
          "run GRANT USAGE ON SCHEMA " + TableId.quote(relation.id().schema()) + " TO " + TableId.quote(role)
              + "; GRANT SELECT ON "
              + relation.id().quoted() + " TO " + TableId.quote(role)));
    }
    if (relation.rowSecurity()) {
      findings.add(refused(relation, Kind.ROW_SECURITY, "has row-level security, which hides rows from " + role,
          "run ALTER ROLE " + TableId.quote(role) + " BYPASSRLS"));
    }
    key(relation).ifPresent(findings::add);
    columns(relation, findings);
    return findings;
  }

  private static Optional<Finding> key(Relation relation) {
    String table = relation.id().quoted();
    if (relation.deferrableKey()) {
      return Optional.of(refused(relation, Kind.NO_KEY,
          "has only a deferrable primary key, by which PostgreSQL does not identify old rows",
          "make it not deferrable, or run CREATE UNIQUE INDEX on columns that are NOT NULL and ALTER TABLE " + table
              + " REPLICA IDENTITY USING INDEX"));
    }
    if (!relation.schema().keyColumns().isEmpty()) {
      return Optional.empty();
    }
    if (relation.schema().replicaIdentity() == 'n') {
      return Optional
          .of(refused(relation, Kind.NO_KEY, "has REPLICA IDENTITY NOTHING, so that deletes do not say which row",
              "run ALTER TABLE " + table + " REPLICA IDENTITY DEFAULT"));
    }
    return Optional.of(refused(relation, Kind.NO_KEY, "has no primary key, so that its rows cannot be told apart",
        "run ALTER TABLE " + table
            + " ADD PRIMARY KEY (...), or CREATE UNIQUE INDEX on columns that are NOT NULL and ALTER TABLE " + table
            + " REPLICA IDENTITY USING INDEX"));
  }

  private static void columns(Relation relation, List<Finding> findings) {
    Map<String, String> folded = new HashMap<>();
    for (Column column : relation.schema().columns()) {
      String twin = folded.putIfAbsent(column.name().toLowerCase(Locale.ROOT), column.name());
      if (twin != null) {
        findings.add(refused(relation, Kind.COLUMN_NAMES,
            "has columns " + twin + " and " + column.name()
                + " that differ only in case, at which the whole capture would stop",
            "rename one of them"));
      }
      if (isQuoted(column.name())) {
        findings.add(refused(relation, Kind.COLUMN_NAMES,
            "has the column " + column.name() + ", whose name begins and ends with a quote, which the stream takes off",
            "rename it"));
      }
      if (column.generated() != 0) {
        findings.add(refused(relation, Kind.GENERATED_COLUMN,
            "has the generated column " + column.name() + ", which the change stream leaves out",
            "run ALTER TABLE " + relation.id().quoted() + " ALTER COLUMN " + TableId.quote(column.name())
                + " DROP EXPRESSION, or "
                + leaveOut(relation.id())));
      }
      serverCast(column.type()).ifPresent(type -> findings.add(refused(relation, Kind.SERVER_CAST,
          "has the column " + column.name() + " of type " + column.typeName()
              + ", and only the server can run the cast of " + type
              + " to json",
          "run DROP CAST (" + type + " AS json), or " + leaveOut(relation.id()))));
    }
  }

  /** What io.debezium.util.Strings.unquoteIdentifierPart takes for a quoted name. */
  private static boolean isQuoted(String name) {
    char first = name.charAt(0);
    return name.length() > 1 && (first == '\'' || first == '"' || first == '`')
        && name.charAt(name.length() - 1) == first;
  }

  private static Optional<String> serverCast(ColumnType type) {
    if (type instanceof ColumnType.ServerCast cast) {
      return Optional.of(cast.typeName());
    }
    if (type instanceof ColumnType.Array array) {
      return serverCast(array.element());
    }
    if (type instanceof ColumnType.Composite composite) {
      return composite.attributes().stream().flatMap(attribute -> serverCast(attribute.type()).stream()).findFirst();
    }
    return Optional.empty();
  }

  static Finding refused(Relation relation, Kind kind, String problem, String cure) {
    return new Finding(kind, relation.id(), "table " + relation.id() + " " + problem, cure);
  }

  private static String leaveOut(TableId table) {
    return "leave it out with !" + table + " in source.tables";
  }

  private static String kindOf(char kind) {
    return switch (kind) {
      case 'v' -> "a view";
      case 'm' -> "a materialized view";
      case 'f' -> "a foreign table";
      default -> "a relation of kind " + kind;
    };
  }
}
