package dev.rowlog.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.SegmentFileName.State;
import dev.rowlog.engine.segment.index.IndexSettings;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SegmentTest {
  private static final Path FOLDER = Path.of("/orders-0");
  private static final IndexSettings DENSE = new IndexSettings(0, 1 << 20);

  private final SimulatedDisk disk = disk();

  private static SimulatedDisk disk() {
    SimulatedDisk disk = new SimulatedDisk();
    disk.createDirectories(FOLDER);
    return disk;
  }

  private static ByteBuffer batch(long offset, long timestamp, int valueBytes) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.add(timestamp, new byte[]{1}, new byte[valueBytes], List.of());
    return encoder.finish(offset, 0);
  }

  private Segment create(long baseOffset, IndexSettings settings) {
    return Segment.create(disk, FOLDER, baseOffset, State.FINAL, settings);
  }

  private Segment open(long baseOffset, IndexSettings settings) {
    return Segment.open(disk, FOLDER, baseOffset, State.FINAL, settings);
  }

  @Test
  void shouldBeTheSameAfterOpeningWhateverWasAppendedAndCut() {
    Seeds.forEach(30, random -> {
      // Given
      IndexSettings settings = new IndexSettings(random.nextInt(400), 1 << 20);
      Segment segment = create(100, settings);
      TreeMap<Long, Long> positions = new TreeMap<>();
      long nextOffset = 100;
      for (int i = 0; i < 60; i++) {
        if (random.nextInt(12) == 0) {
          nextOffset = 100 + random.nextInt((int) (nextOffset - 99));
          segment.truncateTo(nextOffset);
          positions.tailMap(nextOffset).clear();
        }
        nextOffset += random.nextInt(3);
        positions.put(nextOffset, segment.sizeBytes());
        segment.append(batch(nextOffset, 1_000 + random.nextInt(500), random.nextInt(300)));
        nextOffset++;
      }
      // When
      segment.sync();
      Segment opened = open(100, settings);
      // Then
      assertThat(opened.nextOffset()).isEqualTo(segment.nextOffset());
      assertThat(opened.sizeBytes()).isEqualTo(segment.sizeBytes());
      assertThat(opened.largestTimestamp()).isEqualTo(segment.largestTimestamp());
      assertThat(opened.firstBatchTimestamp()).isEqualTo(segment.firstBatchTimestamp());
      assertThat(opened.offsetIndexBytes()).isEqualTo(segment.offsetIndexBytes());
      for (long offset = 100; offset < nextOffset; offset++) {
        long floor = opened.floorPosition(offset);
        assertThat(floor).isEqualTo(segment.floorPosition(offset));
        long last = positions.floorEntry(offset) == null ? 0 : positions.floorEntry(offset).getValue();
        assertThat(floor).isLessThanOrEqualTo(last);
        assertThat(last - floor).isLessThanOrEqualTo(settings.intervalBytes() + 400L);
      }
      segment.close();
      opened.close();
      open(100, settings).delete();
    });
  }

  @Test
  void shouldIndexEveryBatchButTheFirstWithAnIntervalOfZero() {
    // Given
    Segment segment = create(0, DENSE);
    // When
    for (int i = 0; i < 5; i++) {
      segment.append(batch(i, i, 10));
    }
    // Then
    assertThat(segment.offsetIndexBytes()).isEqualTo(4 * 8);
    assertThat(segment.floorPosition(0)).isZero();
    assertThat(segment.floorPosition(3)).isEqualTo(3 * segment.sizeBytes() / 5);
    segment.close();
  }

  @Test
  void shouldRefuseOffsetsThatGoBack() {
    Segment segment = create(10, DENSE);
    segment.append(batch(12, 1, 1));
    long size = segment.sizeBytes();
    assertThatThrownBy(() -> segment.append(batch(12, 1, 1)))
        .isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("its next offset is 13");
    assertThatThrownBy(() -> segment.append(batch(13L + Integer.MAX_VALUE, 1, 1)))
        .isInstanceOf(InvalidRecordException.class);
    assertThat(segment.sizeBytes()).isEqualTo(size);
    segment.close();
  }

  @Test
  void shouldBeAsBeforeAfterAnyFailedWrite() {
    for (int write = 1; write <= 3; write++) {
      // Given
      Segment segment = create(0, DENSE);
      segment.append(batch(0, 1, 10));
      segment.append(batch(1, 2, 10));
      disk.failWrite(write);
      // When
      assertThatThrownBy(() -> segment.append(batch(2, 3, 10))).isInstanceOf(DiskFailureException.class);
      // Then
      assertThat(segment.nextOffset()).isEqualTo(2);
      segment.append(batch(2, 3, 500));
      segment.becomeInactive();
      segment.sync();
      Segment opened = open(0, DENSE);
      assertThat(opened.nextOffset()).isEqualTo(3);
      assertThat(opened.largestTimestamp()).isEqualTo(3);
      assertThat(opened.offsetIndexBytes()).isEqualTo(16);
      segment.close();
      opened.close();
    }
  }

  @Test
  void shouldCloseItsFilesWhenNobodyHoldsItAndNothingIsUnsynced() {
    // Given
    Segment segment = create(0, DENSE);
    segment.append(batch(0, 1, 10));
    segment.becomeInactive();
    assertThat(disk.openFiles()).isNotEmpty();
    // When
    segment.sync();
    // Then
    assertThat(disk.openFiles()).isEmpty();
    assertThat(segment.retain()).isTrue();
    assertThat(disk.openFiles()).hasSize(1);
    segment.release();
    assertThat(disk.openFiles()).isEmpty();
    segment.close();
  }

  @Test
  void shouldHaveTheAgeOfItsFileWhereNoBatchHasATimestamp() {
    Segment segment = create(0, DENSE);
    segment.setLastModified(777);
    assertThat(segment.largestTimestamp()).isEqualTo(777);
    assertThat(segment.firstBatchTimestamp()).isEqualTo(-1);
    segment.close();
  }

  @Test
  void shouldNotBeHeldOnceItsFilesAreGone_butByThoseWhoHoldItAlready() {
    // Given
    Segment held = create(0, DENSE);
    held.append(batch(0, 10, 50));
    Segment idle = open(closed(100), DENSE);
    assertThat(held.retain()).isTrue();

    // When: deleted, and not yet closed by its owner
    held.delete();
    idle.delete();

    // Then
    assertThat(held.retain()).isTrue();
    assertThat(idle.retain()).isFalse();
  }

  @Test
  void shouldNeverReadNorWriteByTheNamesThatItHadBeforeItWasDeleted() {
    // Given: an idle segment that a reader holds, whose indexes are not in memory
    Segment old = open(closed(100), DENSE);
    assertThat(old.retain()).isTrue();
    old.delete();
    old.close();
    Segment successor = create(100, DENSE);
    successor.append(batch(100, 10, 5));
    successor.append(batch(101, 11, 5));
    successor.append(batch(102, 12, 5));
    successor.sync();
    byte[] index = disk.readAll(FOLDER.resolve("00000000000000000100.index"));

    // When
    long position = old.floorPosition(101);

    // Then
    assertThat(position).isEqualTo(batch(100, 10, 50).remaining());
    assertThat(disk.readAll(FOLDER.resolve("00000000000000000100.index"))).isEqualTo(index);
  }

  /** A segment of two batches that is closed; returns its base offset. */
  private long closed(long baseOffset) {
    Segment segment = create(baseOffset, DENSE);
    segment.append(batch(baseOffset, 10, 50));
    segment.append(batch(baseOffset + 1, 11, 50));
    segment.becomeInactive();
    segment.sync();
    segment.close();
    return baseOffset;
  }
}
