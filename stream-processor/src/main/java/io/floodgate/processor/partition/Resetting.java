package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Work;
import io.floodgate.topics.json.JsonOut;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forgets everything but where the partition stands and the numbers of its messages, which other partitions rely on: a
 * slice at a time. The caller is answered when nothing is left. What comes in meanwhile may be forgotten, too.
 */
record Resetting(List<Entity> entities, Effects out) implements Work.Slices {
    private static final String KIND = "reset";
    private static final int SLICE = 200;
    private static final byte[] MORE = {1};

    static void register(Work work, List<Entity> entities, Effects out) {
        work.register(KIND, new Resetting(entities, out));
    }

    static void begin(Work work, Effects out) {
        work.begin(KIND, "", out.replyTo());
    }

    @Override
    public byte @Nullable [] next(Work.Piece piece) {
        for (Entity entity : entities) if (!entity.clear(SLICE)) return MORE;
        out.reply(JsonOut.object().endObject());
        return null;
    }
}
