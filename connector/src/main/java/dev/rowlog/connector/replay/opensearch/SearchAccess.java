package dev.rowlog.connector.replay.opensearch;

import java.net.URI;
import java.util.List;
import java.util.Objects;

/**
 * How a cluster is reached.
 *
 * @param nodes {@code http://host:9200} or {@code https://…}; the next is asked where one does not answer
 * @param user null for none
 * @param password null for none
 */
public record SearchAccess(List<URI> nodes, String user, String password) {
  public SearchAccess {
    nodes = List.copyOf(nodes);
    if (nodes.isEmpty() || user != null && password == null) {
      throw new IllegalArgumentException("expected at least one node, and a password with a user");
    }
    nodes.forEach(Objects::requireNonNull);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return nodes.get(0).getHost() + ":" + (nodes.get(0).getPort() < 0 ? 9200 : nodes.get(0).getPort());
  }
}
