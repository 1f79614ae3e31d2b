package dev.rowlog.connector.cli.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.Record;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One JSON object a line: {@code topic}, {@code offset}, {@code timestamp} (ms), {@code key}, {@code value} (null for
 * a tombstone), {@code headers}
 * (by name; a name that comes more than once has an array). Bytes that are not UTF-8 go into {@code key_base64},
 * {@code value_base64}, and in headers
 * into the name with {@code _base64}. One thread.
 */
final class JsonRecordPrinter implements RecordPrinter {
  private static final JsonFactory FACTORY = JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
      .build();

  private final Utf8Text utf8 = new Utf8Text();

  @Override
  public void print(String topic, Record entry, OutputStream out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("topic", topic);
      json.writeNumberField("offset", entry.offset());
      json.writeNumberField("timestamp", entry.timestamp());
      bytes(json, "key", entry.key());
      bytes(json, "value", entry.value());
      headers(json, entry.headers());
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private void bytes(JsonGenerator json, String name, byte[] bytes) throws IOException {
    Optional<String> text = bytes == null ? Optional.empty() : utf8.of(bytes);
    if (bytes == null) {
      json.writeNullField(name);
    } else if (text.isPresent()) {
      json.writeStringField(name, text.get());
    } else {
      json.writeBinaryField(name + "_base64", bytes);
    }
  }

  private void headers(JsonGenerator json, List<Header> headers) throws IOException {
    Map<String, List<byte[]>> byName = new LinkedHashMap<>();
    for (Header header : headers) {
      byName.computeIfAbsent(header.key(), name -> new ArrayList<>(1)).add(header.value());
    }
    json.writeObjectFieldStart("headers");
    for (Map.Entry<String, List<byte[]>> entry : byName.entrySet()) {
      if (entry.getValue().size() == 1) {
        bytes(json, entry.getKey(), entry.getValue().get(0));
      } else {
        repeated(json, entry.getKey(), entry.getValue());
      }
    }
    json.writeEndObject();
  }

  /** All as text, or all as base64: the array must be of one kind. */
  private void repeated(JsonGenerator json, String name, List<byte[]> values) throws IOException {
    boolean isText = values.stream().allMatch(value -> value == null || utf8.of(value).isPresent());
    json.writeArrayFieldStart(isText ? name : name + "_base64");
    for (byte[] value : values) {
      if (value == null) {
        json.writeNull();
      } else if (isText) {
        json.writeString(utf8.of(value).orElseThrow());
      } else {
        json.writeBinary(value);
      }
    }
    json.writeEndArray();
  }
}
