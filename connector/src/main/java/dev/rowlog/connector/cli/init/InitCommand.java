package dev.rowlog.connector.cli.init;

import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ConfigOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.config.SourceConfig;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.connector.config.url.SourceUrl;
import dev.rowlog.connector.init.InitSql;
import dev.rowlog.connector.init.ScramVerifier;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code init}: prints what a database administrator has to run; connects to nothing. */
@Command(name = "init", description = {
    "Print the SQL that prepares a database: role, grants, publication. For a database administrator; connects to nothing.",
    "Afterwards 'rowlog run' needs no superuser. The role is the user of source.url; its password, where one is given,",
    "is printed only as the verifier that PostgreSQL stores."}, footer = {
        "", "Examples:",
        "  rowlog init --source.url postgres://rowlog:secret@db.example.com/shop --source.tables 'public.*' > prepare.sql",
        "  rowlog init --source.url postgres://rowlog:secret@localhost/shop | psql postgres://postgres@localhost/shop"})
public final class InitCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec
  private CommandSpec spec;

  @Mixin
  CommonOptions common;

  @Option(names = "--role", paramLabel = "NAME", description = "Role that Rowlog connects as. Default: the user of source.url.")
  private String role;

  public InitCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    Settings settings = ConfigOptions.settings(spec, context);
    SourceUrl url = SourceConfig.url(settings);
    Optional<String> verifier = Optional.ofNullable(role == null || role.equals(url.user()) ? url.password() : null)
        .map(password -> ScramVerifier.of(password, salt()));
    InitSql sql = new InitSql(url, SourceConfig.tables(settings), role == null ? url.user() : role, verifier,
        settings.text("source.publication"));
    context.out().print(sql.text());
    return ExitCode.OK;
  }

  private byte[] salt() {
    byte[] salt = new byte[ScramVerifier.SALT_BYTES];
    context.environment().random().nextBytes(salt);
    return salt;
  }
}
