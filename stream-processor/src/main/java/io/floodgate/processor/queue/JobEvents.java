package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.json.JsonOut;
import java.util.function.Consumer;

/** Announces what happened to a job. Every such event says which state the job is in now. */
final class JobEvents {
    private final Effects out;

    JobEvents(Effects out) {
        this.out = out;
    }

    void emit(String type, Job job) {
        emit(type, job, data -> {});
    }

    void emit(String type, Job job, Consumer<JsonOut> more) {
        JsonOut data = new JsonOut()
                .beginObject()
                .field("job_id", job.id.toString())
                .field("job_type", job.type)
                .field("queue", job.queue)
                .field("state", job.state.wire())
                .field("attempt", job.attempt);
        more.accept(data);
        out.emit(type, job.id.toString(), job.queue, data.endObject());
    }
}
