package io.floodgate.topics.queue;

import io.floodgate.topics.json.WireName;
import java.util.Locale;

/** What gateways write the jobs of a queue to. */
public enum EnqueueThrough implements WireName {
    /** The topic of the queue, if it has one. */
    QUEUE_TOPIC,
    /** The topic of all commands. */
    COMMANDS;

    /** As it is written. */
    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
