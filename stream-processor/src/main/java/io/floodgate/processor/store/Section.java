package io.floodgate.processor.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * The stored entries of one entity, by name. The entity names its section, which is unique by that name; the entities that
 * have a letter of their own instead are in {@link Keys}.
 */
public final class Section {
    /** First letter of all sections; no letter of {@link Keys}. */
    private static final char SECTIONS = '+';

    private final byte[] prefix;

    private Section(byte[] prefix) {
        this.prefix = prefix;
    }

    public static Section of(String entity) {
        // The length keeps a section apart from one whose name begins alike.
        return new Section(new BinaryOut().u8(SECTIONS).text(entity).toBytes());
    }

    public byte[] key(String name) {
        return new BinaryOut().raw(prefix).raw(name.getBytes(UTF_8)).toBytes();
    }

    /** Visits all entries in the order of their names, until the visitor returns false. */
    public void scan(KeyValues stored, BiPredicate<String, byte[]> visitor) {
        scan(stored, "", visitor);
    }

    /** The same, from this name on. */
    public void scan(KeyValues stored, String from, BiPredicate<String, byte[]> visitor) {
        stored.scan(key(from), Keys.after(prefix), (key, value) -> visitor.test(name(key), value));
    }

    /** Deletes up to {@code most} entries of these sections, in their order. Returns whether none is left. */
    public static boolean clear(KeyValues stored, int most, Section... sections) {
        int left = most;
        for (Section section : sections) {
            List<String> names = new ArrayList<>();
            int some = left;
            section.scan(stored, (name, value) -> names.add(name) && names.size() < some);
            names.forEach(name -> stored.delete(section.key(name)));
            left -= names.size();
            if (left <= 0) return false;
        }
        return true;
    }

    private String name(byte[] key) {
        return new String(Arrays.copyOfRange(key, prefix.length, key.length), UTF_8);
    }
}
