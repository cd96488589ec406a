package io.floodgate.standalone.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;

/** Drops warnings that libraries print in the course of a normal life, so that every line left means something. */
public final class KnownNoise extends Filter<ILoggingEvent> {
    private static final List<String> NOISE = List.of(
            // Every start of the embedded broker.
            "Performing controller activation.",
            // The first start: each producer with transactions asks for their topic, and again, until it has been
            // created.
            "Auto topic creation failed for __transaction_state with error 'TOPIC_ALREADY_EXISTS'",
            // And so does each consumer with a group, on a busy machine.
            "Auto topic creation failed for __consumer_offsets with error 'TOPIC_ALREADY_EXISTS'",
            // Every clean stop of the embedded broker.
            "Attempting to close NetworkClient that has already been closed.",
            // The first write of a transaction, while the broker still ends the last one: it is sent again.
            "attempts left). Error: CONCURRENT_TRANSACTIONS",
            // After a kill: the controller that ends the old session may leave before it has introduced itself.
            "Unexpected error handling request RequestHeader(apiKey=CONTROLLER_REGISTRATION",
            // A partition that moves away while a processor asks how far behind it is.
            "Not updating last stable offset for partition",
            // Every start of Kafka Streams, about a kind of table that we do not have.
            "Processing exception handler is not enabled for the GlobalThread.");

    @Override
    public FilterReply decide(ILoggingEvent event) {
        return NOISE.stream().anyMatch(event.getFormattedMessage()::contains) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
