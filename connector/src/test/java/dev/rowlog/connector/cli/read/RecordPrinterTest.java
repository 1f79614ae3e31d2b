package dev.rowlog.connector.cli.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.Record;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPrinterTest {
  private static final byte[] NOT_UTF8 = {(byte) 0xC3, 0x28};

  @Test
  void shouldPrintOneJsonObjectALine() throws IOException {
    Record entry = new Record(7, 1_700_000_000_123L, utf8("{\"id\":1}"), utf8("{\"id\":1,\"n\":\"ä\n\u2028\"}"),
        List.of(new Header("__op", utf8("u"))));
    assertThat(print("json", entry)).isEqualTo(
        "{\"topic\":\"shop.t\",\"offset\":7,\"timestamp\":1700000000123,\"key\":\"{\\\"id\\\":1}\","
            + "\"value\":\"{\\\"id\\\":1,\\\"n\\\":\\\"ä\\n\u2028\\\"}\",\"headers\":{\"__op\":\"u\"}}\n");
  }

  @Test
  void shouldPrintATombstoneAsNull() throws IOException {
    assertThat(print("json", new Record(7, 1, utf8("k"), null, List.of())))
        .isEqualTo("{\"topic\":\"shop.t\",\"offset\":7,\"timestamp\":1,\"key\":\"k\",\"value\":null,\"headers\":{}}\n");
  }

  @Test
  void shouldPrintBytesThatAreNotUtf8AsBase64() throws IOException {
    Record entry = new Record(7, 1, NOT_UTF8, NOT_UTF8, List.of(new Header("h", NOT_UTF8)));
    assertThat(print("json", entry)).isEqualTo(
        "{\"topic\":\"shop.t\",\"offset\":7,\"timestamp\":1,\"key_base64\":\"wyg=\",\"value_base64\":\"wyg=\",\"headers\":{\"h_base64\":\"wyg=\"}}\n");
  }

  @Test
  void shouldGiveAnArrayToAHeaderThatComesTwice() throws IOException {
    Record entry = new Record(7, 1, null, utf8(""), List.of(new Header("h", utf8("a")), new Header("h", null)));
    assertThat(print("json", entry)).contains("\"key\":null,\"value\":\"\",\"headers\":{\"h\":[\"a\",null]}");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
      "%o %k %v|7 key a b  c",
      "%T@%o%%|shop.t@7%",
      "%t\\t%h|99\t__op=u,x=null",
      "\\\\n\\|\\n\\"})
  void shouldFillInAFormatAndKeepALineOnOneLine(String format, String expected) throws IOException {
    Record entry = new Record(7, 99, utf8("key"), utf8("a\nb\r\nc"),
        List.of(new Header("__op", utf8("u")), new Header("x", null)));
    assertThat(print(format, entry)).isEqualTo(expected);
  }

  @Test
  void shouldPrintNullForATombstoneInAFormat() throws IOException {
    assertThat(print("%k=%v\\n", new Record(7, 1, utf8("k"), null, List.of()))).isEqualTo("k=null\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%x", "%", "a\\q"})
  void shouldRefuseAnUnknownToken(String format) {
    assertThatThrownBy(() -> RecordPrinter.of(format)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown token");
  }

  private static String print(String format, Record entry) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RecordPrinter.of(format).print("shop.t", entry, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
