package dev.rowlog.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The direction of imports, and who may know files and the clock. */
@AnalyzeClasses(packages = "dev.rowlog.engine", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "dev.rowlog.engine";

  /** In the order of the data: each may import those before it. */
  private static final List<String> LAYERS = List.of("error", "record", "disk", "segment", "log", "cleaner", "commit",
      "replay", "inspect", "root");

  @ArchTest
  static void eachLayerImportsOnlyThoseBelow(JavaClasses classes) {
    LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers().withOptionalLayers(true);
    for (String layer : LAYERS) {
      layers = layers.layer(layer).definedBy(layer.equals("root") ? ROOT : ROOT + "." + layer + "..");
    }
    for (int i = 0; i < LAYERS.size() - 1; i++) {
      layers = layers.whereLayer(LAYERS.get(i))
          .mayOnlyBeAccessedByLayers(LAYERS.subList(i + 1, LAYERS.size()).toArray(String[]::new));
    }
    layers.whereLayer("root").mayNotBeAccessedByAnyLayer()
        .because(
            "a record's way is batch, file, segment, log, and what reads or rewrites it stands on top; move what is shared down")
        .check(classes);
  }

  @ArchTest
  static final ArchRule noCycles = slices().matching(ROOT + ".(*)..").should().beFreeOfCycles()
      .because("two packages that need each other are one package, or hide a third");

  @ArchTest
  static final ArchRule noCyclesWithinALayer = slices().matching(ROOT + ".(**)").should().beFreeOfCycles()
      .because("a package within a layer serves those that come after it, not those that use it");

  @ArchTest
  static void noPackageGrowsBeyondADozen(JavaClasses classes) {
    Map<String, Long> types = classes.stream().filter(JavaClass::isTopLevelClass)
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    assertThat(types).as("a folder of more types hides a noun; split it by that noun")
        .allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(12));
  }

  @ArchTest
  static final ArchRule filesStayInDisk = noClasses().that().resideOutsideOfPackage(ROOT + ".disk..")
      .should().dependOnClassesThat().resideInAPackage("java.nio.channels..")
      .orShould().dependOnClassesThat().belongToAnyOf(Files.class, java.io.File.class, java.io.RandomAccessFile.class)
      .because("a test crashes at every call of Disk; a call past it cannot be tested, add a verb to Disk");

  @ArchTest
  static final ArchRule clockComesIn = noClasses()
      .should().callMethod(System.class, "currentTimeMillis")
      .orShould().callMethod(System.class, "nanoTime")
      .orShould().callMethod(Instant.class, "now")
      .orShould().callMethod(InstantSource.class, "system")
      .orShould().callMethod(Clock.class, "systemUTC")
      .orShould().callMethod(Clock.class, "systemDefaultZone")
      .orShould().callMethod(Clock.class, "system", java.time.ZoneId.class)
      .because("the one path under test would run on real time; take an InstantSource or a LongSupplier");

  @ArchTest
  static final ArchRule namesSayWhatThingsAre = classes().should().haveSimpleNameNotEndingWith("Util").andShould()
      .haveSimpleNameNotEndingWith("Utils")
      .andShould().haveSimpleNameNotEndingWith("Helper").andShould().haveSimpleNameNotEndingWith("Manager")
      .andShould().haveSimpleNameNotEndingWith("Impl")
      .because("a function lives on the noun it is about; ask which noun is hiding");

  @ArchTest
  static final ArchRule noKafkaInside = noClasses().should().dependOnClassesThat()
      .resideInAnyPackage("org.apache.kafka..", "io.debezium..", "org.slf4j..")
      .because("the engine can be embedded on its own; Kafka's classes are its oracle in tests");

  @ArchTest
  static void eachPackageSaysWhatItIs(JavaClasses classes) throws Exception {
    Path sources = Path.of("src", "main", "java");
    try (Stream<Path> files = Files.walk(sources)) {
      List<Path> packages = files.filter(file -> file.toString().endsWith(".java")).map(Path::getParent).distinct()
          .toList();
      assertThat(packages).isNotEmpty().allSatisfy(
          folder -> assertThat(folder.resolve("package-info.java")).as("a reader looks there first for what is in it")
              .exists());
    }
  }
}
