package io.floodgate.verification.chaos;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Pause;
import java.util.List;
import java.util.Random;

/** Bounds queues, and changes its mind: each queue gets all strategies in turn, and its bound is lowered, raised and removed. */
final class Governor implements Actor {
    private static final List<String> STRATEGIES = List.of("reject", "block", "drop_oldest");

    private final Caller caller;
    private final List<String> queues;
    private final ChaosBounds bounds;
    private final Random random;
    private int turn;

    Governor(Caller caller, List<String> queues, ChaosBounds bounds, Random random) {
        this.caller = caller;
        this.queues = queues;
        this.bounds = bounds;
        this.random = random;
    }

    @Override
    public void once() {
        int queue = turn % queues.size();
        int round = turn / queues.size();
        boolean ofDepth = queue % 2 == 0;
        byte[] config = new JsonOut()
                .beginObject()
                .field(ofDepth ? "max_depth" : "max_size_bytes", round == 0 ? plain(ofDepth) : changed(plain(ofDepth)))
                .field("strategy", STRATEGIES.get((queue + round) % STRATEGIES.size()))
                .endObject()
                .toBytes();
        String path = "/ojs/v1/admin/queues/%s/config".formatted(queues.get(queue));
        if (caller.call("PUT", path, wrapped(config)).isOk()) turn++;
        if (round > 0) Pause.of(bounds.changes());
    }

    private static byte[] wrapped(byte[] config) {
        return new JsonOut()
                .beginObject()
                .fieldRaw("backpressure", config)
                .endObject()
                .toBytes();
    }

    private long plain(boolean ofDepth) {
        return ofDepth ? bounds.maxDepth() : bounds.maxBytes();
    }

    /** Zero is no bound. */
    private long changed(long plain) {
        int choice = random.nextInt(10);
        if (choice < 6) return plain;
        if (choice < 8) return plain / 2;
        return choice < 9 ? plain + plain / 2 : 0;
    }

    @Override
    public void close() {
        caller.close();
    }
}
