package dev.rowlog.connector.cli.run;

import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.config.RowlogConfig;
import dev.rowlog.connector.config.SourceConfig;
import dev.rowlog.connector.config.url.SourceUrl;
import dev.rowlog.connector.options.HttpOptions;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.options.SourceOptions;

/** From the checked configuration to what the application is started with. */
final class RunOptions {
  private RunOptions() {}

  static RowlogOptions of(RowlogConfig config) {
    return new RowlogOptions(
        source(config.source()),
        config.data().directory(),
        config.source().name(),
        config.topic().log(),
        config.cleaner().cleaner(),
        new HttpOptions(config.http().enabled(), config.http().host(), config.http().port(), null),
        config.source().connections(),
        RowlogOptions.DEFAULT_HEARTBEAT);
  }

  private static SourceOptions source(SourceConfig source) {
    return new SourceOptions(address(source.url()), source.tables(), source.slot(), source.publication(),
        source.debezium().properties());
  }

  private static SourceAddress address(SourceUrl url) {
    return new SourceAddress(url.host(), url.port(), url.database(), url.user(), url.password(), url.parameters());
  }
}
