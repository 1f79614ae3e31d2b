package dev.rowlog.connector.cli.demo;

import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommandFailure;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.demo.DemoSql;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code demo sql}: a statement for the database of the demo that runs. */
@Command(name = "sql", description = "Run SQL in the database of the demo that runs in another terminal.", footer = {
    "", "Examples:",
    "  rowlog demo sql \"update products set price = price * 2 where id = 42\"",
    "  rowlog demo sql \"select * from orders order by id desc limit 5\""})
final class DemoSqlCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin
  CommonOptions common;

  @Parameters(index = "0", paramLabel = "SQL", description = "One or more statements, with ; between.")
  private String sql;

  DemoSqlCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try {
      DemoSql.run(context.temporary(), sql).orElseThrow(() -> new CommandFailure(ExitCode.ENVIRONMENT,
          "no demo runs here: start one with 'rowlog demo' in another terminal")).print(context.out());
      return ExitCode.OK;
    } catch (SQLException e) {
      throw new CommandFailure(ExitCode.RUNTIME, "the demo's database answered: " + e.getMessage(), e);
    }
  }
}
