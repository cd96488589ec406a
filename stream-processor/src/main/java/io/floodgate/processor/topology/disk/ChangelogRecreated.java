package io.floodgate.processor.topology.disk;

import org.apache.kafka.streams.errors.ProcessorStateException;

/** A changelog was deleted and made again: the store is the last copy of what was in it, and must not be emptied. */
public final class ChangelogRecreated extends ProcessorStateException {
    private static final long serialVersionUID = 1L;

    ChangelogRecreated(String store, String topic, boolean isEmpty) {
        super(
                ("The changelog of store %s, topic %s, was deleted and made again: the store is the last copy of its jobs, and"
                                + " this processor does not start. %s See docs/how-to/runbooks/topic-deleted.md.")
                        .formatted(
                                store,
                                topic,
                                isEmpty
                                        ? "Start it with --refill-changelogs to write it back from the store."
                                        : "The new topic is not empty, so that it cannot be written back from the store."));
    }
}
