package dev.rowlog.connector.capture;

import dev.rowlog.connector.change.SourcePosition;

/** Where a capture stands. It goes from Stopped or Failed to Starting, and never restarts by itself. */
public sealed interface CaptureState {

  /** The slot is being checked, the engine comes up. */
  record Starting(SourcePosition position) implements CaptureState {}

  /** The first event has come through. */
  record Streaming(SourcePosition position) implements CaptureState {}

  /** It was told to stop. */
  record Stopping() implements CaptureState {}

  /** Not started, or stopped as it was told. */
  record Stopped() implements CaptureState {}

  /**
   * It ended by itself.
   *
   * @param reason one line for people
   */
  record Failed(String reason, Throwable cause) implements CaptureState {}

  /** True where nothing runs. */
  default boolean isOver() {
    return this instanceof Stopped || this instanceof Failed;
  }
}
