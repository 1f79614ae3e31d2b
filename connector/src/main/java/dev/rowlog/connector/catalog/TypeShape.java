package dev.rowlog.connector.catalog;

import java.util.List;

/**
 * What a type is made of, as far as it decides how a value of it is printed.
 *
 * @param oid pg_type.oid; of a domain, its base type's
 * @param name as {@code format_type} prints it
 * @param jsonCast oid of the function that casts it to json, 0 for none
 * @param labels of an enum, in its order
 * @param attributes of a composite type, in its order
 * @param element of an array, or the subtype of a range or multirange: one shape; of any other type: none
 */
public record TypeShape(
    long oid, String name, long jsonCast, List<String> labels, List<Attribute> attributes, List<TypeShape> element) {
  public TypeShape {
    labels = List.copyOf(labels);
    attributes = List.copyOf(attributes);
    element = List.copyOf(element);
  }

  /**
   * @param number pg_attribute.attnum
   */
  public record Attribute(String name, int number, TypeShape shape) {}
}
