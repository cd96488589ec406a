package io.floodgate.topics.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.retry.Backoff;
import io.floodgate.topics.retry.RetryOptions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Deliveries of events are jobs of a queue for each subscription: so they are bounded, tried again, dead-lettered and
 * explained as all jobs are.
 */
public final class Deliveries {
    /** The type of jobs that deliver an event. */
    public static final String DELIVER = "webhook.deliver";

    /** The type of jobs that try whether the URL answers. */
    public static final String TEST = "webhook.test";

    /** The prefix of a delivery's id; the job's id follows. */
    public static final String ID = "del_";

    /** Who puts deliveries in: other callers cannot. */
    public static final Identity BY = new Identity("floodgate/webhooks", null, null);

    /** Deliveries that wait at most; the oldest make room for others. */
    public static final long MOST_WAITING = 10_000;

    private static final String ORDER_KEY = "events";
    private static final long MOST_AT_ONCE = 8;
    private static final long MOST_KEPT = 1_000;
    /** Attempts of a delivery. */
    public static final int ATTEMPTS = 8;

    private static final Duration FIRST_RETRY = Duration.ofSeconds(30);
    private static final double FACTOR = 4;
    private static final Duration LONGEST_RETRY = Duration.ofHours(24);
    /** Workers prolong it. As long does a delivery of a process that was killed hold back those after it. */
    private static final Duration LEASE = Duration.ofSeconds(20);

    private static final Duration KEPT = Duration.ofDays(1);
    private static final Duration DEAD_KEPT = Duration.ofDays(7);
    private static final Duration BLOCKS_AT_MOST = Duration.ofMinutes(10);
    private static final String SUBSCRIPTION = "sub_";
    private static final String QUEUE = "webhook.";
    private static final Pattern QUEUES = Pattern.compile("webhook\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private Deliveries() {}

    /** Returns the queue of a subscription. */
    public static String queue(String subscription) {
        return QUEUE + subscription.substring(SUBSCRIPTION.length());
    }

    /** Returns the id of a subscription, of which this is the part that is no other's. */
    public static String subscription(String uuid) {
        return SUBSCRIPTION + uuid;
    }

    /** Returns the id of the subscription whose queue this is. */
    public static String subscriptionOf(String queue) {
        return subscription(queue.substring(QUEUE.length()));
    }

    /** Whether it is the queue of a subscription: what happens there is not delivered. */
    public static boolean isQueue(String name) {
        return name.startsWith(QUEUE) && QUEUES.matcher(name).matches();
    }

    /** Whether it is such a queue, or the key of its limit. */
    public static boolean names(String name) {
        String queue = RateLimit.queueOf(name);
        return isQueue(queue == null ? name : queue);
    }

    public static QueueConfig config(boolean isUnordered) {
        RetryOptions retry =
                new RetryOptions(ATTEMPTS, FIRST_RETRY, LONGEST_RETRY, FACTOR, Backoff.EXPONENTIAL, false, null, true);
        QueuePolicy policy = new QueuePolicy(
                new JobDefaults(null, LEASE, retry, null),
                new Keeping(KEPT, null, KEPT, MOST_KEPT, null, MOST_KEPT),
                new DeadLettering(null, MOST_WAITING, DEAD_KEPT),
                new Access(List.of(DELIVER, TEST), List.of(BY.name())),
                new KeyOrder(null, false, BLOCKS_AT_MOST),
                null,
                null);
        return new QueueConfig(
                MOST_WAITING,
                null,
                Overflow.DROP_OLDEST,
                null,
                TenantBounds.NONE,
                isUnordered ? new Allowance(MOST_AT_ONCE, null, null) : Allowance.UNLIMITED,
                policy,
                null);
    }

    /** Returns the id of a delivery: for an event that is read again, it is the same. */
    public static JobId id(Subscription subscription, String event, long epochMillis) {
        byte[] hash = sha256(
                subscription.id() + ' ' + event + ' ' + subscription.following().replay());
        long chance = 0;
        for (int i = 0; i < Long.BYTES; i++) chance = chance << Byte.SIZE | (hash[i] & 0xFF);
        return JobId.make(Slot.of(queue(subscription.id())), epochMillis, chance);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Returns the job that delivers an event.
     *
     * @param event its envelope
     */
    public static byte[] job(Subscription subscription, JobId id, String eventId, String eventType, byte[] event) {
        boolean isTest = eventType.equals(TEST);
        JsonOut job = JsonOut.object(event.length + 512)
                .field("id", id.toString())
                .field("type", isTest ? TEST : DELIVER)
                .field("queue", queue(subscription.id()))
                .beginArray("args")
                .raw(event)
                .endArray()
                .beginObject("meta")
                .field("subscription_id", subscription.id())
                .field("event_id", eventId)
                .field("event_type", eventType)
                .endObject();
        if (isTest) job.field("max_attempts", 1);
        else if (!subscription.target().isUnordered()) job.field("order_key", ORDER_KEY);
        return job.endObject().toBytes();
    }
}
