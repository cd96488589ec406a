package io.floodgate.processor.partition;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.ReplyTo;
import org.jspecify.annotations.Nullable;

/** A message that was quarantined: what it said, who waits for the answer, and who has caused it. */
record StoredMessage(
        String op,
        byte[] value,
        @Nullable ReplyTo replyTo,
        @Nullable Identity by) {
    static final StoredForm<StoredMessage> STORED = new StoredForm<>(StoredMessage.class, 1, "a quarantined message");

    /** One that is larger is named, but not kept: it cannot be tried again. */
    static final int MOST_BYTES = 1024 * 1024;
}
