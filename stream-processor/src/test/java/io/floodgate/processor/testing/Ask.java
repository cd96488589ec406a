package io.floodgate.processor.testing;

import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Identity;
import org.jspecify.annotations.Nullable;

/** A command as a test appends it, and who waits for the answer. */
public abstract class Ask {
    static final String PUBLIC = "test";

    private @Nullable String asker = PUBLIC;
    private @Nullable Identity sender;

    public abstract Command command();

    /** Asked by a client whose answers the test looks at by its name. */
    public Ask as(String name) {
        asker = name;
        return this;
    }

    /** Appended by a plain Kafka client, which waits for no answer. */
    public Ask unanswered() {
        asker = null;
        return this;
    }

    /** Sent by a client whose API key says who it is. */
    public Ask sentBy(Identity identity) {
        sender = identity;
        return this;
    }

    @Nullable
    Identity sender() {
        return sender;
    }

    @Nullable
    String asker() {
        return asker;
    }
}
