package dev.rowlog.connector.config.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.config.SourceConfig;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.ConfigLoader;
import dev.rowlog.connector.config.setting.ConfigSources;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceUrlTest {

  @ParameterizedTest
  @CsvSource(nullValues = "-", value = {
      "postgres://u:p@h:5433/d,                     h,         5433, d,   u,  p",
      "postgresql://u:p@h:5433/d,                   h,         5433, d,   u,  p",
      "postgresql://h,                              h,         5432, me,  me, -",
      "postgresql:///d,                             localhost, 5432, d,   me, -",
      "postgresql://,                               localhost, 5432, me,  me, -",
      "postgresql://u@/d,                           localhost, 5432, d,   u,  -",
      "postgres://u%40x:p%3A%2F%25w@h/a%2Fb,        h,         5432, a/b, u@x, p:/%w",
      "postgres://u:a:b@h/d,                        h,         5432, d,   u,  a:b",
      "postgres://u:@h/d,                           h,         5432, d,   u,  ''",
      "postgres://[::1]:6000/d,                     ::1,       6000, d,   me, -",
      "postgres://[2001:db8::7]/d,                  2001:db8::7, 5432, d, me, -",
      "postgres:///d?host=h2&port=7000&user=x&password=y, h2,  7000, d,   x,  y",
      "postgres://u@h/d?dbname=e,                   h,         5432, e,   u,  -",
      "jdbc:postgresql://h:5433/d?user=u&password=p, h,        5433, d,   u,  p",
      "jdbc:postgresql:d,                           localhost, 5432, d,   me, -"})
  void shouldReadUrlsAsLibpqDoes(String url, String host, int port, String database, String user, String password) {
    SourceUrl read = SourceUrl.of(url, Map.of("USER", "me"));
    assertThat(read).isEqualTo(new SourceUrl(host, port, database, user, password, Map.of()));
  }

  @Test
  void shouldKeepEveryOptionUnderTheDriversName() {
    SourceUrl read = SourceUrl.of(
        "postgres://h/d?sslmode=verify-full&sslrootcert=%2Fca.pem&connect_timeout=7&application_name=a%20b&keepalives=0&socketTimeout=30",
        Map.of());
    assertThat(read.parameters())
        .containsExactlyInAnyOrderEntriesOf(Map.of("sslmode", "verify-full", "sslrootcert", "/ca.pem",
            "connectTimeout", "7", "ApplicationName", "a b", "tcpKeepAlive", "false", "socketTimeout", "30"));
  }

  @Test
  void shouldFillFromTheVariablesWhatTheUrlLeavesOut() {
    // Given
    Map<String, String> variables = Map.of("PGHOST", "eh", "PGPORT", "6001", "PGUSER", "eu", "PGPASSWORD", "ep",
        "PGDATABASE", "ed",
        "PGSSLMODE", "require");
    // When
    SourceUrl bare = SourceUrl.of(null, variables);
    SourceUrl mixed = SourceUrl.of("postgres://u@h?sslmode=disable", variables);
    // Then
    assertThat(bare).isEqualTo(new SourceUrl("eh", 6001, "ed", "eu", "ep", Map.of("sslmode", "require")));
    assertThat(mixed).isEqualTo(new SourceUrl("h", 6001, "ed", "u", "ep", Map.of("sslmode", "disable")));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "mysql://h/d                    | must begin with postgres://",
      "postgres://h:abc/d             | port 'abc' is not a number",
      "postgres://h:70000/d           | port '70000' is not a number from 1 to 65535",
      "postgres://a,b/d               | names several hosts",
      "postgres://[::1/d              | IPv6 address without ']'",
      "postgres://%2Fvar%2Frun/d      | Unix socket",
      "postgres://u:100%@h/d          | '%' without two hexadecimal digits",
      "postgres://h/d?sslmod=require  | unknown option sslmod: did you mean sslmode?",
      "postgres://h/d?sslmode=on      | must be one of disable, allow, prefer",
      "postgres://h/d?options=-c%20x  | pins the session's settings itself",
      "postgres://h/d?sslmode         | is not of the form name=value"})
  void shouldSayWhatIsWrongWithAUrl(String url, String problem) {
    assertThatThrownBy(() -> SourceUrl.of(url, Map.of())).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void shouldNeverPrintThePassword() {
    // Given
    Map<String, String> flags = Map.of("source.url", "postgres://u:hush@h:bad/d?password=hush");
    // When and then
    assertThatThrownBy(
        () -> SourceConfig.url(ConfigLoader.settings(new ConfigSources(flags, Map.of(), Optional.empty()))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("source.url=postgres://u:********@h:bad/d?password=********")
        .hasMessageContaining("port 'bad'")
        .hasMessageContaining("flag --source.url")
        .hasMessageNotContaining("hush");
    assertThat(SourceUrl.of("postgres://u:hush@h/d", Map.of()).toString()).doesNotContain("hush");
  }
}
