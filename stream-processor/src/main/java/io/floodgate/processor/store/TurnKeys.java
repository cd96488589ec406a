package io.floodgate.processor.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/** The keys of the turns of tenants. */
public final class TurnKeys {
    private TurnKeys() {}

    /** The next turn of a tenant that waits in a queue; without a tenant, the virtual time of the priority. */
    public static byte[] turn(String queue, int priority, @Nullable String tenant) {
        BinaryOut key = Keys.begin('t').text(queue).fixed(priority);
        return tenant == null
                ? key.toBytes()
                : key.u8(1).raw(tenant.getBytes(UTF_8)).toBytes();
    }

    public static byte[] allTurns() {
        return Keys.kind('t');
    }

    /** The parts of a key of {@link #turn}. */
    public record Turn(String queue, int priority, @Nullable String tenant) {}

    public static Turn read(byte[] key) {
        BinaryIn in = new BinaryIn(key);
        in.u8();
        String queue = in.text();
        int priority = (int) in.fixed();
        if (!in.hasMore()) return new Turn(queue, priority, null);
        in.u8();
        return new Turn(queue, priority, in.rest());
    }
}
