package io.floodgate.bench.job;

import io.floodgate.topics.json.JsonOut;
import org.jspecify.annotations.Nullable;

/** The JSON of a job with a few arguments, written piece by piece. */
public final class SmallJob {
    private final JsonOut json = new JsonOut(384).beginObject();
    private final String queue;
    private boolean hasArgs;

    private SmallJob(String type, String queue) {
        json.field("type", type);
        this.queue = queue;
    }

    public static SmallJob of(String type, String queue) {
        return new SmallJob(type, queue);
    }

    public SmallJob id(@Nullable String id) {
        json.optional("id", id);
        return this;
    }

    public SmallJob arg(String value) {
        args();
        json.value(value);
        return this;
    }

    public SmallJob arg(long value) {
        args();
        json.value(value);
        return this;
    }

    private void args() {
        if (!hasArgs) json.name("args").beginArray();
        hasArgs = true;
    }

    /** Its end, so far without a closing brace: for members of {@code options} beside the queue. */
    public JsonOut options() {
        args();
        return json.endArray().name("options").beginObject().field("queue", queue);
    }

    public byte[] toBytes() {
        return end(options());
    }

    /** Closes what {@link #options()} opened. */
    public static byte[] end(JsonOut options) {
        return options.endObject().endObject().toBytes();
    }
}
