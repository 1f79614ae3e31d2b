package dev.rowlog.connector.cli;

import dev.rowlog.connector.HttpOptions;
import dev.rowlog.connector.RowlogOptions;
import dev.rowlog.connector.SourceOptions;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.config.RowlogConfig;
import dev.rowlog.connector.config.SourceConfig;
import dev.rowlog.connector.config.SourceUrl;
import java.util.List;

/** From the checked configuration to what the application is started with. */
final class RunOptions {
  private RunOptions() {}

  /** Asks the database which tables are meant where only it can say. */
  static RowlogOptions of(RowlogConfig config) {
    return of(config, SourceTables.resolve(config.source()));
  }

  static RowlogOptions of(RowlogConfig config, List<TableId> tables) {
    return new RowlogOptions(
        source(config.source(), tables),
        config.data().directory(),
        config.source().name(),
        config.topic().log(),
        config.cleaner().cleaner(),
        new HttpOptions(config.http().enabled(), config.http().host(), config.http().port(), null),
        config.source().connections(),
        RowlogOptions.DEFAULT_HEARTBEAT);
  }

  private static SourceOptions source(SourceConfig source, List<TableId> tables) {
    SourceUrl url = source.url();
    return new SourceOptions(url.host(), url.port(), url.database(), url.user(), url.password(), url.parameters(), tables, source.slot(),
        source.publication(), source.debezium().properties());
  }
}
