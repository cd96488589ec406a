package io.floodgate.processor.queue;

import io.floodgate.topics.job.Envelope;
import org.jspecify.annotations.Nullable;

/** The job that was put into its canonical spelling last: the same rules go on with it as a batch, and need not read it again. */
public final class LastRead {
    private byte[] json = {};
    private @Nullable Envelope envelope;

    /** The job in its canonical spelling. */
    byte[] write(Envelope read) {
        envelope = read;
        json = read.toJson();
        return json;
    }

    /** Null unless these very bytes were written last. */
    @SuppressWarnings("ReferenceEquality")
    public @Nullable Envelope of(byte[] job) {
        return job == json ? envelope : null;
    }
}
