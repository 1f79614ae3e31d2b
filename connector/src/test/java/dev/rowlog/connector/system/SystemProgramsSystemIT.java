package dev.rowlog.connector.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One sentence for all that is missing, before the tests that need it fail one by one. */
class SystemProgramsSystemIT {

  @Test
  void shouldFindEveryProgramThatThisProfileNeeds() {
    List<SystemProgram> missing = Arrays.stream(SystemProgram.values()).filter(each -> each.find().isEmpty()).toList();

    assertThat(missing)
        .as(() -> "run: apt-get install " + missing.stream().map(SystemProgram::debianPackage).collect(
            Collectors.joining(" ")))
        .isEmpty();
  }
}
