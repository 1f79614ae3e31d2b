package dev.rowlog.connector.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.CommittedRecord;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.engine.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RowLinesTest {
  private final List<String> lines = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final RowLines rows = new RowLines(lines::add, nanos::get);

  @Test
  void shouldShowKeyAndValueInOneLineAndATombstoneAsOne() {
    rows.show(transaction(2, record(7, "{\"id\":1}", "{\"id\":1,\r\n\"v\":2}"), record(8, "{\"id\":1}", null)));

    assertThat(lines).containsExactly("→ d.s.t @7  {\"id\":1}  {\"id\":1,  \"v\":2}",
        "→ d.s.t @8  {\"id\":1}  ✝ tombstone");
  }

  @Test
  void shouldCountWhatItLeavesOutAndSayItBeforeTheNextLine() {
    rows.show(transaction(100, record(1, "k", "v")));
    rows.show(transaction(0));
    rows.show(transaction(1, record(2, "k", "v")));

    assertThat(lines).containsExactly("→ d.s.t @1  k  v", "→ and 99 more", "→ d.s.t @2  k  v");
  }

  @Test
  void shouldShowSoManyLinesASecondAndGoOnInTheNext() {
    for (int i = 0; i < 1000; i++) {
      rows.show(transaction(1, record(i, "k", "v")));
    }
    assertThat(lines).hasSize(RowLines.LINES_PER_SECOND);

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    rows.show(transaction(1, record(1000, "k", "v")));

    assertThat(lines).hasSize(RowLines.LINES_PER_SECOND + 2).endsWith("→ and 980 more", "→ d.s.t @1000  k  v");
  }

  @Test
  void shouldCutALongRow() {
    rows.show(transaction(1, record(1, "k", "€".repeat(500))));

    assertThat(lines).singleElement().asString().hasSize(160).contains("€…€");
  }

  private static CommittedTransaction transaction(long count, CommittedRecord... records) {
    return new CommittedTransaction(1, new Lsn(1), 0, count, List.of(records));
  }

  private static CommittedRecord record(long offset, String key, String value) {
    return new CommittedRecord(new TableId("s", "t"), "d.s.t",
        new Record(offset, 0, bytes(key), bytes(value), List.of()));
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
