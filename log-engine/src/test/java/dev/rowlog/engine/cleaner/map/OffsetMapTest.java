package dev.rowlog.engine.cleaner.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetMapTest {
  private static final KeyHash CONSTANT = new KeyHash() {
    @Override
    public long hash(long word0, long word1, long word2, int length) {
      return 0x0123_4567_89ab_cdefL;
    }

    @Override
    public long hash(ByteBuffer data, int position, int length) {
      return 0x0123_4567_89ab_cdefL;
    }
  };

  private static final KeyHash HASH = new KeyedHash(new Random(1));

  private final ByteBuffer data = ByteBuffer.allocateDirect(1 << 20);
  private final SurvivorBits bits = new SurvivorBits();
  private int ordinal;

  @Test
  void shouldClearTheBitOfTheOlderRecordOfAKey() {
    // Given
    OffsetMap map = map(HASH, 1 << 16, 10);

    // When
    put(map, HASH, List.of("ann", "bob", "ann", "cal", "bob"));

    // Then
    assertThat(survivors(5)).containsExactly(false, false, true, true, true);
    assertThat(map.size()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 26, 31, 32, 33, 40, 100})
  void shouldTellKeysApartThatDifferInOneByteOrInLength(int length) {
    // Given keys of one length that differ in one byte each, with and without a zero behind
    List<byte[]> keys = new ArrayList<>();
    keys.add(new byte[length]);
    keys.add(new byte[length + 1]);
    for (int i = 0; i < length; i++) {
      byte[] key = new byte[length];
      key[i] = 1;
      keys.add(key);
    }
    OffsetMap map = map(CONSTANT, 1 << 20, keys.size());

    // When
    putBytes(map, CONSTANT, keys);

    // Then
    assertThat(map.size()).isEqualTo(keys.size());
    assertThat(bits.count(0, keys.size())).isEqualTo(keys.size());
  }

  @Test
  void shouldKeepAHundredKeysWhenTheyAllHaveOneHash() {
    // Given
    OffsetMap map = map(CONSTANT, 1 << 20, 200);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      keys.add(i % 2 == 0 ? "k" + i : "a key that does not fit into its slot " + i);
    }

    // When
    put(map, CONSTANT, keys);

    // Then
    assertThat(map.size()).isEqualTo(100);
    assertThat(bits.count(0, 100)).isEqualTo(100);
  }

  @Test
  void shouldTakeKnownKeysWhenItIsFullAndRefuseTheFirstNewOne() {
    // Given
    OffsetMap map = map(HASH, budgetOf(3), 1_000);
    assertThat(map.limit()).isEqualTo(3);

    // When
    int taken = put(map, HASH, List.of("ann", "bob", "cal", "ann", "cal", "dee", "ann"));

    // Then
    assertThat(taken).isEqualTo(5);
    assertThat(survivors(5)).containsExactly(false, true, false, true, true);
    assertThat(map.use()).isEqualTo(1.0);
  }

  @Test
  void shouldTakeOneKeyWhateverTheBudget() {
    // Given
    OffsetMap map = map(HASH, 1, 1_000);
    String large = "x".repeat(10_000);

    // When
    int taken = put(map, HASH, List.of(large, large, "another"));

    // Then
    assertThat(taken).isEqualTo(2);
  }

  @Test
  void shouldRefuseALongKeyWhenTheArenaIsFull() {
    // Given a sixteenth of the budget for long keys
    OffsetMap map = map(HASH, 32_000, 1_000_000);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      keys.add("x".repeat(100) + i);
    }

    // When
    int taken = put(map, HASH, keys);

    // Then
    assertThat(taken).isBetween(10, 25);
    assertThat(map.allocatedBytes()).isLessThanOrEqualTo(32_000);
  }

  @Test
  void shouldGrowWithTheKeysAndNeverAboveTheBudget() {
    // Given a budget of 32 MiB, and room for 10,000 keys in what it starts with
    OffsetMap map = map(HASH, 32 << 20, 10_000_000);
    long atFirst = map.allocatedBytes();

    // When more come than fit
    int taken = 0;
    List<Long> sizes = new ArrayList<>();
    for (int count = 0; taken == 10_000 * count; count++) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        keys.add(10_000 * count + i + (i % 100 == 0 ? " with a tail that makes it long" : ""));
      }
      taken += put(map, HASH, keys);
      sizes.add(map.allocatedBytes());
    }

    // Then it has grown several times up to its limit, within the budget, and lost none
    assertThat(atFirst).isEqualTo(1 << 20);
    assertThat(sizes).isSorted().allMatch(bytes -> bytes <= 32 << 20);
    assertThat(sizes.stream().distinct()).hasSizeGreaterThan(4);
    assertThat(taken).isEqualTo(map.limit()).isGreaterThan(600_000);
    assertThat(bits.count(0, taken)).isEqualTo(taken);
    assertThat(find(map, HASH, List.of("0 with a tail that makes it long", "1", "599999", "x"))).isEqualTo(0b0111);
  }

  @Test
  void shouldFollowTheNeedOfEachPass() {
    // Given
    OffsetMap map = new OffsetMap(HASH, 1 << 20, 0.9);

    // When
    map.prepare(10, 0);
    long small = map.allocatedBytes();
    map.prepare(1_000_000, 0);
    long large = map.allocatedBytes();
    map.prepare(1_000_000, 60);
    long withLongKeys = map.allocatedBytes();

    // Then
    assertThat(small).isLessThan(2_000);
    assertThat(large).isBetween(900_000L, 1L << 20);
    assertThat(withLongKeys).isLessThan(large);
  }

  @Test
  void shouldForgetEverythingWhenPreparedAgain() {
    // Given
    OffsetMap map = map(HASH, 1 << 16, 100);
    put(map, HASH, List.of("ann", "a key that does not fit into its slot"));

    // When
    map.prepare(100, 0);

    // Then
    assertThat(map.size()).isZero();
    assertThat(find(map, HASH, List.of("ann", "a key that does not fit into its slot"))).isZero();
  }

  @Test
  void shouldFindExactlyTheKeysThatItHolds() {
    // Given
    OffsetMap map = map(HASH, 1 << 16, 100);
    put(map, HASH, List.of("ann", "cal"));

    // When
    long hits = find(map, HASH, List.of("ann", "bob", "cal", "an", "anna"));

    // Then
    assertThat(hits).isEqualTo(0b00101);
  }

  @Test
  void shouldAgreeWithAPlainMap() {
    Seeds.forEach(50, random -> {
      // Given
      bits.reset();
      ordinal = 0;
      KeyHash hash = random.nextInt(4) == 0 ? CONSTANT : new KeyedHash(random);
      OffsetMap map = map(hash, random.nextInt(2) == 0 ? 1 << 20 : 20_000, 1 + random.nextInt(2_000));
      List<byte[]> keys = randomKeys(random);

      // When
      int taken = putBytes(map, hash, keys);

      // Then
      Map<ByteBuffer, Integer> newest = new HashMap<>();
      for (int i = 0; i < taken; i++) {
        newest.put(ByteBuffer.wrap(keys.get(i)), i);
      }
      assertThat(map.size()).isEqualTo(newest.size());
      for (int i = 0; i < taken; i++) {
        assertThat(bits.isSet(i)).as("record %s", i).isEqualTo(newest.get(ByteBuffer.wrap(keys.get(i))) == i);
      }
      assertThat(taken == keys.size() || !newest.containsKey(ByteBuffer.wrap(keys.get(taken)))).isTrue();
    });
  }

  private static List<byte[]> randomKeys(Random random) {
    List<byte[]> keys = new ArrayList<>();
    int distinct = 1 + random.nextInt(300);
    for (int i = 0; i < 2_000; i++) {
      int id = random.nextInt(distinct);
      keys.add((id + "x".repeat(id % 40)).getBytes(StandardCharsets.UTF_8));
    }
    return keys;
  }

  /** Bytes with which a map takes exactly so many keys at the largest load factor below 1. */
  private static long budgetOf(int keys) {
    return (keys + 1L) * OffsetMap.SLOT_BYTES * 16 / 15 + 16;
  }

  private static OffsetMap map(KeyHash hash, long budgetBytes, long maxKeys) {
    OffsetMap map = new OffsetMap(hash, budgetBytes, 0.9);
    map.prepare(maxKeys, 0);
    return map;
  }

  private int put(OffsetMap map, KeyHash hash, List<String> keys) {
    return putBytes(map, hash, bytes(keys));
  }

  private static List<byte[]> bytes(List<String> keys) {
    return keys.stream().map(key -> key.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private int putBytes(OffsetMap map, KeyHash hash, List<byte[]> keys) {
    KeyGroup group = new KeyGroup(hash);
    bits.ensure(ordinal + keys.size());
    int taken = 0;
    for (int from = 0; from < keys.size(); from += KeyGroup.CAPACITY) {
      List<byte[]> some = keys.subList(from, Math.min(keys.size(), from + KeyGroup.CAPACITY));
      fill(group, some);
      int count = map.put(group, bits);
      taken += count;
      if (count < some.size()) {
        break;
      }
    }
    return taken;
  }

  private long find(OffsetMap map, KeyHash hash, List<String> keys) {
    KeyGroup group = new KeyGroup(hash);
    fill(group, bytes(keys));
    return map.find(group);
  }

  private void fill(KeyGroup group, List<byte[]> keys) {
    group.clear();
    data.clear().position(5);
    for (byte[] key : keys) {
      int position = data.position();
      data.put(key);
      group.add(data, position, key.length, ordinal, ordinal, false);
      ordinal++;
    }
  }

  private List<Boolean> survivors(int count) {
    List<Boolean> survivors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      survivors.add(bits.isSet(i));
    }
    return survivors;
  }
}
