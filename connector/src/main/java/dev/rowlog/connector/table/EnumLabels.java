package dev.rowlog.connector.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Labels of the enum types that a table's columns use, directly, in arrays or through domains.
 *
 * @param byColumn labels in their sort order; columns of other types are absent
 */
record EnumLabels(Map<String, List<String>> byColumn) {
  private static final String QUERY = """
      with recursive used (attnum, attname, type) as (
        select attnum, attname, atttypid from pg_catalog.pg_attribute
         where attrelid = ?::oid and attnum > 0 and not attisdropped
        union
        select u.attnum, u.attname, case when t.typbasetype <> 0 then t.typbasetype else t.typelem end
          from used u join pg_catalog.pg_type t on t.oid = u.type
         where t.typbasetype <> 0 or t.typelem <> 0
      )
      select u.attname, e.enumlabel
        from used u join pg_catalog.pg_enum e on e.enumtypid = u.type
       order by u.attnum, e.enumsortorder""";

  static EnumLabels read(Connection connection, long tableOid) throws SQLException {
    Map<String, List<String>> labels = new LinkedHashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
      statement.setLong(1, tableOid);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          labels.computeIfAbsent(result.getString(1), column -> new ArrayList<>()).add(result.getString(2));
        }
      }
    }
    return new EnumLabels(labels);
  }
}
