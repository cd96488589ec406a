package io.floodgate.webhook;

import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.command.WebhookCommand.Target;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.queue.NamePatterns;
import io.floodgate.topics.webhook.Deliveries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Decides which events a subscription gets (OJS webhooks §5.2). */
final class Wanted {
    /** Of subscriptions and deliveries themselves: an event of a delivery would cause another delivery. */
    private static final String OWN_TYPES = "webhook.";

    private Wanted() {}

    /** Returns what this subscription gets of the events that are for others. */
    static Predicate<OjsEvent> by(Subscription subscription) {
        Target target = subscription.target();
        // Events have their time in the same form, so that their order as texts is their order in time.
        String from = Timestamps.format(subscription.following().from());
        Identity reader = reader(subscription);
        return event -> subscription.isActive()
                && NamePatterns.match(target.events(), event.type())
                && event.time().compareTo(from) >= 0
                && (target.queues().isEmpty() || isIn(target.queues(), event.queue()))
                && (target.jobTypes().isEmpty() || isIn(target.jobTypes(), event.jobType()))
                && event.isFor(reader);
    }

    private static boolean isIn(List<String> names, @Nullable String name) {
        return name != null && names.contains(name);
    }

    private static @Nullable Identity reader(Subscription subscription) {
        String owner = subscription.subscriber().owner();
        return owner == null
                ? null
                : new Identity(owner, subscription.subscriber().reach(), null);
    }

    /** Whether an event may be delivered at all: those of deliveries may not. */
    static boolean isForOthers(OjsEvent event) {
        return !event.type().startsWith(OWN_TYPES)
                && !isOfDeliveries(event.queue())
                && !isOfDeliveries(event.subject());
    }

    private static boolean isOfDeliveries(@Nullable String name) {
        return name != null && Deliveries.names(name);
    }

    /** Returns those that may be delivered. What is no event is left out: others may write to the topic, too. */
    static List<OjsEvent> events(List<ConsumerRecord<String, byte[]>> records) {
        List<OjsEvent> events = new ArrayList<>();
        for (ConsumerRecord<String, byte[]> record : records) {
            if (record.value() == null) continue;
            OjsEvent event;
            try {
                event = OjsEvent.read(record.partition(), record.offset(), record.value());
            } catch (RuntimeException noEvent) {
                continue;
            }
            if (isForOthers(event)) events.add(event);
        }
        return events;
    }
}
