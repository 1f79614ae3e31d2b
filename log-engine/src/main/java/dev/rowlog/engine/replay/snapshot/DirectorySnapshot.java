package dev.rowlog.engine.replay.snapshot;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.view.LogView;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Logs of a directory as they stood at one commit, their files held. Any thread.
 */
public final class DirectorySnapshot {
  private final Map<TopicPartition, LogFiles> logs;
  private final Optional<CommittedEnds> committed;
  private final long commitLogEnd;
  private final Map<TopicPartition, Long> logStarts;

  /** Of logs without commits, found by a scan when first asked for. */
  private final Map<TopicPartition, Long> validEnds = new ConcurrentHashMap<>();

  /**
   * @param committed empty without a commit log
   * @param commitLogEnd exclusive end of the commit log itself
   * @param logStarts as checkpointed
   */
  public DirectorySnapshot(
      Map<TopicPartition, LogFiles> logs, Optional<CommittedEnds> committed, long commitLogEnd,
      Map<TopicPartition, Long> logStarts) {
    this.logs = logs;
    this.committed = committed;
    this.commitLogEnd = commitLogEnd;
    this.logStarts = logStarts;
  }

  public Map<TopicPartition, LogFiles> logs() {
    return logs;
  }

  public Optional<CommittedEnds> committed() {
    return committed;
  }

  /** Exclusive end that readers of the log get. */
  public long endOffset(LogFiles files) {
    if (files.log().equals(CommitLog.PARTITION)) {
      return commitLogEnd;
    }
    return committed.isPresent() && CommitLog.governs(files.log())
        ? committed.get().end(files.log())
        : validEnds.computeIfAbsent(files.log(), log -> files.validEnd());
  }

  /** First readable offset. */
  public long logStartOffset(LogFiles files) {
    long firstBase = files.segments().isEmpty() ? 0 : files.segments().get(0).baseOffset();
    return Math.min(Math.max(logStarts.getOrDefault(files.log(), 0L), firstBase), endOffset(files));
  }

  /** A view of one log, with a hold of its own. */
  public LogView view(LogFiles files, long fromOffset) {
    long logStartOffset = logStartOffset(files);
    return files.view(logStartOffset, endOffset(files), fromOffset);
  }

  public void release() {
    logs.values().forEach(LogFiles::release);
  }
}
