package dev.rowlog.connector;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The direction of imports, and who may know Debezium and the clock. */
@AnalyzeClasses(packages = "dev.rowlog.connector", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule flow = layeredArchitecture()
      .consideringOnlyDependenciesInLayers()
      .withOptionalLayers(true)
      .layer("change").definedBy("..connector.change..")
      .layer("catalog").definedBy("..connector.catalog..")
      .layer("mapping").definedBy("..connector.mapping..")
      .layer("sink").definedBy("..connector.sink..")
      .layer("capture").definedBy("..connector.capture..")
      .layer("table").definedBy("..connector.table..")
      .layer("watch").definedBy("..connector.watch..")
      .layer("session").definedBy("..connector.session..")
      .layer("replay").definedBy("..connector.replay..")
      .layer("serve").definedBy("..connector.serve..")
      .layer("demo").definedBy("..connector.demo..")
      .layer("cli").definedBy("..connector.cli..")
      .whereLayer("cli").mayNotBeAccessedByAnyLayer()
      .whereLayer("demo").mayOnlyBeAccessedByLayers("cli")
      .whereLayer("serve").mayOnlyBeAccessedByLayers("demo", "cli")
      .whereLayer("replay").mayOnlyBeAccessedByLayers("serve", "demo", "cli")
      .whereLayer("session").mayOnlyBeAccessedByLayers("demo", "cli")
      .whereLayer("watch").mayOnlyBeAccessedByLayers("session")
      .whereLayer("table").mayOnlyBeAccessedByLayers("watch", "session", "replay", "serve", "demo", "cli")
      .whereLayer("capture").mayOnlyBeAccessedByLayers("table", "watch", "session", "serve", "demo", "cli")
      .whereLayer("sink").mayOnlyBeAccessedByLayers("capture", "table", "watch", "session", "replay", "serve", "demo",
          "cli")
      .because(
          "a row's way is change, catalog, mapping, sink; what drives it stands around that, and nothing points back");

  @ArchTest
  static final ArchRule noCycles = slices().matching("dev.rowlog.connector.(*)..").should().beFreeOfCycles()
      .because("two packages that need each other are one package, or hide a third");

  @ArchTest
  static final ArchRule targetsStandAlone = slices().matching("dev.rowlog.connector.replay.(*)..").should()
      .beFreeOfCycles().because("a target knows replay.spi, not the loop that drives it nor another target");

  @ArchTest
  static final ArchRule noCyclesOfCommands = slices().matching("dev.rowlog.connector.cli.(*)..").should()
      .beFreeOfCycles().because("a command stands alone on what cli.command gives to all of them");

  @ArchTest
  static final ArchRule noCyclesOfConfiguration = slices().matching("dev.rowlog.connector.config.(*)..").should()
      .beFreeOfCycles().because("a key knows nothing of its value, and a value nothing of what it means");

  @ArchTest
  static final ArchRule debeziumStaysInCapture = noClasses().that().resideOutsideOfPackage("..connector.capture..")
      .should().dependOnClassesThat().resideInAnyPackage("io.debezium..", "org.apache.kafka.connect..")
      .because("the rest speaks of SourceEvents; decode it in capture");

  @ArchTest
  static final ArchRule clockComesIn = noClasses().that().haveNameNotMatching(".*\\.(Main|RowlogApp)(\\$.*)?")
      .should().callMethod(System.class, "currentTimeMillis")
      .orShould().callMethod(System.class, "nanoTime")
      .orShould().callMethod(java.time.Instant.class, "now")
      .orShould().callMethod(java.time.InstantSource.class, "system")
      .orShould().callMethod(java.time.Clock.class, "systemUTC")
      .orShould().callMethod(System.class, "exit", int.class)
      .because("time and exit come in through constructors; take an InstantSource or a LongSupplier");

  @ArchTest
  static final ArchRule namesSayWhatThingsAre = classes().should().haveSimpleNameNotEndingWith("Util").andShould()
      .haveSimpleNameNotEndingWith("Utils")
      .andShould().haveSimpleNameNotEndingWith("Helper").andShould().haveSimpleNameNotEndingWith("Manager")
      .andShould().haveSimpleNameNotEndingWith("Impl")
      .because("a function lives on the noun it is about");
}
