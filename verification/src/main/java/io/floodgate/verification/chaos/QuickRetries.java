package io.floodgate.verification.chaos;

import io.floodgate.topics.json.JsonOut;

/** The retry policy of all jobs of a load: so quick that a run of some seconds sees attempts enough. */
final class QuickRetries {
    private QuickRetries() {}

    /** Adds it to the options of a job. */
    static void to(JsonOut options, int attempts) {
        options.name("retry")
                .beginObject()
                .field("max_attempts", attempts)
                .field("initial_interval", "PT0.05S")
                .field("max_interval", "PT0.2S")
                .endObject();
    }
}
