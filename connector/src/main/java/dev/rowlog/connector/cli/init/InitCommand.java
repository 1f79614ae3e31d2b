package dev.rowlog.connector.cli.init;

import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ConfigOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.config.SourceConfig;
import dev.rowlog.connector.config.setting.LoadedSettings;
import dev.rowlog.connector.config.setting.Problems;
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
    "Afterwards 'rowlog run' needs no superuser. The role is the user of source.url. It gets a password only from",
    "source.password, printed as the verifier that PostgreSQL stores; without it the script says how to set one."}, footer = {
        "", "Examples:",
        "  rowlog init --source.url postgres://rowlog@db.example.com/shop > init.sql",
        "  rowlog init --source.url postgres://rowlog@localhost/shop \\",
        "    | psql postgres://postgres@localhost/shop",
        "  ROWLOG_SOURCE_PASSWORD_FILE=pg.secret rowlog init \\",
        "    --source.url postgres://rowlog@localhost/shop"})
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
    LoadedSettings loaded = ConfigOptions.loaded(spec, context);
    Settings settings = loaded.settings();
    Problems problems = new Problems();
    loaded.problems().forEach(problems::add);
    SourceUrl url = problems.collect(() -> SourceConfig.url(settings));
    TablePatterns tables = problems.collect(() -> SourceConfig.tables(settings));
    problems.throwIfAny();
    // The passwords of PGPASSWORD and of the URL are those of whoever connects, perhaps the administrator's.
    Optional<String> verifier = settings.find("source.password")
        .filter(password -> role == null || role.equals(url.user()))
        .map(password -> ScramVerifier.of(password.value(), salt()));
    context.out().print(new InitSql(url, tables, role == null ? url.user() : role, verifier,
        settings.text("source.publication")).text());
    return ExitCode.OK;
  }

  private byte[] salt() {
    byte[] salt = new byte[ScramVerifier.SALT_BYTES];
    context.environment().random().nextBytes(salt);
    return salt;
  }
}
