package dev.rowlog.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.Mirror;
import dev.rowlog.engine.Workload;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Record;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitHistoryTest {
  private static final int COMMITS = 40;

  @TempDir
  Path directory;

  private final Disk disk = new NioDisk();
  private final Workload workload = new Workload(5, 3, 8, COMMITS);

  @Test
  void shouldGiveEveryCommitAfterAKnownOne_alsoAcrossSegments() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      // Given
      List<CommittedEnds> commits = new ArrayList<>();
      for (int i = 0; i < COMMITS; i++) {
        mirror.commitNext();
        commits.add(mirror.engine().committed());
      }

      try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
        for (int known = 0; known < COMMITS; known++) {
          // When
          List<Long> offsets = new ArrayList<>();
          List<Map<TopicPartition, Long>> ends = new ArrayList<>();
          try (CommitHistory history = CommitHistory.after(reader, commits.get(known).commitOffset(),
              commits.get(known).ends())) {
            while (history.next()) {
              offsets.add(history.commitOffset());
              ends.add(new HashMap<>(history.ends()));
            }
          }

          // Then
          List<CommittedEnds> later = commits.subList(known + 1, COMMITS);
          assertThat(offsets).isEqualTo(later.stream().map(CommittedEnds::commitOffset).toList());
          assertThat(ends).isEqualTo(later.stream().map(CommittedEnds::ends).toList());
        }
      }
    }
  }

  @Test
  void shouldGiveNothing_whenTheKnownCommitIsNoCommit() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      // Given
      mirror.commitNext();
      mirror.commitNext();
      long second = mirror.engine().committed().commitOffset();

      try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
        for (long wrong : new long[]{-1, second - 1, second + 1, second + 1_000}) {
          // When
          try (CommitHistory history = CommitHistory.after(reader, wrong, Map.of())) {
            // Then
            assertThat(history.next()).as("after offset %d", wrong).isFalse();
          }
        }
      }
    }
  }

  @Test
  void shouldGoOnInTheSameFile_whenAReaderIsReopened() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      TopicPartition log = workload.logs().get(0);
      mirror.commitNext();
      DirectoryReader reader = DirectoryReader.open(disk, directory);
      List<Long> read = new ArrayList<>();
      long position = 0;
      for (int i = 0; i < COMMITS - 1; i++) {
        // Given
        assertThat(reader.isStale()).isFalse();
        mirror.commitNext();
        assertThat(reader.isStale()).isTrue();

        // When
        DirectoryReader newer = reader.reopened();
        reader.close();
        reader = newer;
        try (LogCursor cursor = reader.cursor(log, position)) {
          while (cursor.next()) {
            Record next = cursor.record();
            read.add(next.offset());
          }
          position = cursor.position();
        }
      }

      // Then
      List<Long> all = new ArrayList<>();
      try (LogCursor cursor = reader.cursor(log, 0)) {
        while (cursor.next()) {
          all.add(cursor.record().offset());
        }
      }
      reader.close();
      assertThat(read).isEqualTo(all);
    }
  }
}
