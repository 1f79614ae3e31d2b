package dev.rowlog.connector.replay.setup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.config.TargetConfig;
import dev.rowlog.connector.config.key.TargetKeys;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.url.SourceUrl;
import dev.rowlog.connector.replay.opensearch.OpenSearchTarget;
import dev.rowlog.connector.replay.opensearch.SearchAccess;
import dev.rowlog.connector.replay.postgres.PostgresTarget;
import dev.rowlog.connector.replay.redis.RedisTarget;
import dev.rowlog.connector.replay.redis.ValueShape;
import dev.rowlog.connector.replay.spi.Target;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Makes a target of its configuration; nothing is connected yet. */
public final class TargetOpening {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int REDIS_PORT = 6379;

  private TargetOpening() {}

  /**
   * @throws ConfigException for a value that its key does not allow
   */
  public static Target of(TargetConfig config) {
    return switch (config.type()) {
      case REDIS -> redis(config);
      case OPENSEARCH -> openSearch(config);
      case POSTGRES -> postgres(config);
      case JSONL -> throw bad(config, "type",
          "jsonl writes files once and follows nothing: run 'rowlog replay jsonl --dir FOLDER' instead");
    };
  }

  private static Target redis(TargetConfig config) {
    URI url = url(config, config.value("url").orElse(""), "redis", "rediss");
    if (url.getPort() < 0) {
      url = URI.create(url.getScheme() + "://" + url.getRawAuthority() + ":" + REDIS_PORT + url.getRawPath());
    }
    ValueShape shape = switch (config.value("value").orElse("json")) {
      case "json" -> ValueShape.JSON;
      case "hash" -> ValueShape.HASH;
      default -> throw bad(config, "value", "must be json or hash");
    };
    Optional<String> password = config.value("password");
    if (password.isPresent()) {
      String user = url.getUserInfo() == null ? "" : url.getUserInfo().replaceFirst(":.*", "");
      url = URI.create(url.getScheme() + "://" + encode(user) + ":" + encode(password.get()) + "@" + url.getHost()
          + ":" + url.getPort() + url.getRawPath());
    }
    return RedisTarget.of(config.name(), url, config.value("key").orElse(RedisTarget.defaultTemplate()), shape);
  }

  private static Target openSearch(TargetConfig config) {
    List<URI> nodes = new ArrayList<>();
    for (String node : config.value("url").orElse("").split(",")) {
      URI url = url(config, node.strip(), "http", "https");
      if (url.getUserInfo() != null) {
        throw bad(config, "url",
            "must not hold a user: give " + TargetKeys.PREFIX + config.name() + ".user and .password");
      }
      nodes.add(url);
    }
    Optional<String> user = config.value("user");
    if (user.isPresent() != config.value("password").isPresent()) {
      throw bad(config, "user", "and password belong together: give both or none");
    }
    return OpenSearchTarget.of(config.name(),
        new SearchAccess(nodes, user.orElse(null), config.value("password").orElse(null)),
        config.value("index.prefix").orElse(""), config.value("index.template").map(file -> template(config, file)));
  }

  private static JsonNode template(TargetConfig config, String file) {
    try {
      JsonNode read = JSON.readTree(Files.readAllBytes(Path.of(file)));
      if (read.isObject() && (read.has("settings") || read.has("mappings"))) {
        return read;
      }
    } catch (IOException | IllegalArgumentException e) {
      throw bad(config, "index.template", "cannot be read as JSON: " + e.getMessage());
    }
    throw bad(config, "index.template", "must be a file with a JSON object that has settings or mappings");
  }

  private static Target postgres(TargetConfig config) {
    try {
      // Without the PG* variables: those are the source's.
      SourceUrl url = SourceUrl.of(config.value("url").orElse(""), Map.of());
      SourceUrl with = config.value("password").map(url::withPassword).orElse(url);
      return PostgresTarget.of(config.name(), new SourceAddress(with.host(), with.port(), with.database(), with.user(),
          with.password(), with.parameters()), config.value("schema"));
    } catch (IllegalArgumentException e) {
      throw bad(config, "url", e.getMessage());
    }
  }

  /** The value itself may hold a password: it is not said. */
  private static URI url(TargetConfig config, String text, String... schemes) {
    try {
      URI url = new URI(text);
      String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
      if (List.of(schemes).contains(scheme) && url.getHost() != null) {
        return url;
      }
    } catch (URISyntaxException e) {
      // Answered below.
    }
    throw bad(config, "url", "must be " + schemes[0] + "://host:port or " + schemes[1] + "://…");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static ConfigException bad(TargetConfig config, String key, String allowed) {
    return new ConfigException(TargetKeys.PREFIX + config.name() + "." + key + " " + allowed);
  }
}
