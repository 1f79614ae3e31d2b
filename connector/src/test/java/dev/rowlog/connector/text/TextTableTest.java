package dev.rowlog.connector.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  private final TextTable table = new TextTable("NAME", ">RECORDS", "STATE", "WHY");

  @Test
  void shouldSetColumnsBesideEachOther_whereTheyFindRoom() {
    table.row("a", 12, "clean", "");
    table.row("longer", 3, "dirty", "too young");

    assertThat(table.lines(80)).isEqualTo(List.of("NAME    RECORDS  STATE  WHY", "a            12  clean",
        "longer        3  dirty  too young"));
  }

  @Test
  void shouldPutColumnsBelow_andLoseNothing_whereTheyFindNone() {
    table.row("a", 12, "clean", "");
    table.row("longer", 3, "dirty", "it is younger than min.compaction.lag.ms");

    assertThat(table.lines(24)).isEqualTo(List.of("NAME    RECORDS  STATE", "a            12  clean",
        "longer        3  dirty", "    why: it is younger", "    than", "    min.compaction.lag.ms"));
    assertThat(table.lines(4)).startsWith("NAME", "a", "    records:", "    12,");
  }
}
