package dev.rowlog.connector.serve.http;

/** A request that gets an error as its answer: HTTP status and one sentence. */
final class ApiException extends RuntimeException {
  private final int status;

  ApiException(int status, String sentence) {
    super(sentence);
    this.status = status;
  }

  int status() {
    return status;
  }
}
