package dev.rowlog.searchnode;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** A single OpenSearch node: arguments are its folder, its HTTP port and the address that it binds. */
public final class OpenSearchNode extends Node {
  private OpenSearchNode(Settings settings) {
    super(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "n1"),
        List.of(Netty4Plugin.class), false);
  }

  public static void main(String[] arguments) throws Exception {
    String folder = arguments[0];
    String host = arguments.length > 2 ? arguments[2] : "127.0.0.1";
    Settings settings = Settings.builder()
        .put("cluster.name", "rowlog-tests")
        .put("node.name", "n1")
        .put("path.home", folder)
        .put("path.data", folder + "/data")
        .put("path.logs", folder + "/logs")
        .put("http.type", "netty4")
        .put("transport.type", "netty4")
        .put("http.port", arguments[1])
        .put("transport.port", "0")
        .put("network.host", host)
        .put("discovery.type", "single-node")
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .putList("node.roles", "cluster_manager", "data", "ingest")
        .build();
    OpenSearchNode node = new OpenSearchNode(settings);
    node.start();
    System.out.println("started");
    new CountDownLatch(1).await();
  }
}
