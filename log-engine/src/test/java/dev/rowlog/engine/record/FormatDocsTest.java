package dev.rowlog.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.FormatPage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Holds docs/format/record-batch.md to the code. */
class FormatDocsTest {
  private final FormatPage page = FormatPage.read("record-batch.md");

  private static List<String> expectedRecords() {
    Header lsn = new Header("lsn", ascii("0/16B3748"));
    byte[] ann = ascii("{\"id\":7,\"name\":\"ann\"}");
    return RandomRecords.describe(
        List.of(
            new Record(4210, 1_700_000_000_000L, ascii("{\"id\":7}"), ann, List.of(lsn)),
            new Record(4213, 1_700_000_000_250L, ascii("{\"id\":8}"), null, List.of())));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void shouldDecodeTheWorkedExampleAsThePageSays() {
    ByteBuffer batch = ByteBuffer.wrap(page.hex(0));
    assertThat(RandomRecords.describe(Batches.read(new RecordBatchDecoder(), batch))).isEqualTo(expectedRecords());
    assertThat(batch.limit()).isEqualTo(127);
    BatchHeader header = BatchHeader.of(new RecordBatch().wrap(batch, 0));
    assertThat(header).isEqualTo(
        new BatchHeader(
            4210,
            0,
            new BatchAttributes((short) 0),
            3,
            1_700_000_000_000L,
            1_700_000_000_250L,
            -1,
            (short) -1,
            -1,
            2));
  }

  @Test
  void shouldDecodeTheWorkedExampleWithKafkaToo() {
    ByteBuffer batch = ByteBuffer.wrap(page.hex(0));
    assertThat(RandomRecords.describe(KafkaBatches.records(KafkaBatches.read(batch)))).isEqualTo(expectedRecords());
  }

  @Test
  void shouldHaveTheOffsetsOfTheTable() throws ReflectiveOperationException {
    List<String> rows = new ArrayList<>();
    int end = 0;
    for (List<String> row : page.table("Header")) {
      int offset = Integer.parseInt(row.get(0));
      String constant = row.get(3).replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
      assertThat(RecordBatchLayout.class.getField(constant).getInt(null)).as(constant).isEqualTo(offset);
      assertThat(offset).as("fields follow each other: %s", constant).isEqualTo(end);
      end = offset + (row.get(1).equals("…") ? 0 : Integer.parseInt(row.get(1)));
      rows.add(constant);
    }
    assertThat(rows).hasSize(14);
    assertThat(end).isEqualTo(RecordBatchLayout.HEADER_SIZE);
  }
}
