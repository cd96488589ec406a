package io.floodgate.webhook;

import io.floodgate.topics.Topics;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterConsumer;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Rights;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.event.OjsEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads events, a share of the partitions in each process, and makes deliveries of them. With an offset it commits the revision
 * of the registry up to which all subscriptions were considered: for a subscription that came later, events are read again from
 * its beginning on, also if another process has read past that; many of them by a {@link Chase}. Without one, nothing is read.
 */
final class EventDispatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration BETWEEN_CHASES = Duration.ofMillis(20);
    private static final Duration LOOKS = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration CLOSING = Duration.ofSeconds(5);
    /** Fewer than a queue keeps of deliveries that have ended: what is read again is known there. */
    private static final int NEAR = 500;

    /** Where the dispatcher is in a partition. */
    private static final class Place {
        private long position;
        /** Subscriptions up to this revision were considered in all records before. */
        private long revision;
        /** Subscriptions that have not caught up. */
        private final Set<String> apart = new HashSet<>();

        private Place(long position, long revision) {
            this.position = position;
            this.revision = revision;
        }
    }

    private final Cluster cluster;
    private final KnownSubscriptions known;
    private final Outlet outlet;
    private final Runnable changed;
    private final Failing failures = new Failing();
    private final Map<TopicPartition, Place> places = new HashMap<>();
    private final Chases chases = new Chases();
    private final AtomicLong behind = new AtomicLong();
    private final Thread thread;
    private volatile boolean closing;
    private volatile @Nullable ClusterConsumer<String, byte[]> consumer;
    private long lookedAt = System.nanoTime() - LOOKS.toNanos();

    /** @param changed called now and then: there may be other subscriptions */
    EventDispatcher(Cluster cluster, KnownSubscriptions known, Outlet outlet, Runnable changed) {
        this.cluster = cluster;
        this.known = known;
        this.outlet = outlet;
        this.changed = changed;
        thread = Thread.ofPlatform().name("floodgate-webhooks").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Returns the number of events that are still to be looked at, in the partitions of this process. */
    long behind() {
        return behind.get();
    }

    private void run() {
        while (!closing) {
            try {
                step();
                failures.ended();
            } catch (WakeupException closes) {
                // The loop ends.
            } catch (CommandFailed | RejectedException | KafkaException failure) {
                complain(failure);
                // Partitions may have been assigned without a place.
                if (failure instanceof KafkaException) stop();
                pause();
            } catch (RuntimeException defect) {
                LOG.error("Events could not be delivered because of a defect in Floodgate; trying again.", defect);
                pause();
            }
        }
        stop();
    }

    private void complain(Exception failure) {
        String cause = failure instanceof KafkaException kafka
                ? Rights.missing(
                                kafka,
                                AclOperation.READ,
                                ResourceType.GROUP,
                                cluster.namespace().webhooksGroup())
                        .map(missing -> "the user of the gateway lacks the right: " + missing)
                        .orElse(failure.toString())
                : failure.toString();
        if (failures.isNews(cause)) LOG.warn("Events wait for their delivery ({}); trying again.", cause);
    }

    private static void pause() {
        LockSupport.parkNanos(LOOKS.toNanos());
    }

    private void step() throws CommandFailed, RejectedException {
        if (System.nanoTime() - lookedAt >= LOOKS.toNanos()) look();
        if (known.active().isEmpty()) {
            stop();
            pause();
            return;
        }
        ClusterConsumer<String, byte[]> own = consumer();
        ConsumerRecords<String, byte[]> records = own.poll(chases.isEmpty() ? POLL : BETWEEN_CHASES);
        for (TopicPartition partition : records.partitions()) hand(own, records, partition);
        for (TopicPartition partition : own.assignment()) {
            Place place = places.get(partition);
            if (place != null) place.position = own.position(partition);
        }
        chase();
    }

    private void look() throws CommandFailed, RejectedException {
        lookedAt = System.nanoTime();
        known.refresh();
        changed.run();
        if (places.values().stream().anyMatch(place -> place.revision < known.revision())) chaseNews();
        ClusterConsumer<String, byte[]> own = consumer;
        if (own == null) return;
        own.commitAsync(commits(places.keySet()), null);
        long lag = 0;
        for (TopicPartition partition : own.assignment())
            lag += own.currentLag(partition).orElse(0);
        behind.set(lag);
    }

    private Map<TopicPartition, OffsetAndMetadata> commits(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>();
        for (TopicPartition partition : partitions) {
            Place place = places.get(partition);
            if (place == null) continue;
            long considered = Math.min(place.revision, chases.considered(partition));
            commits.put(partition, new OffsetAndMetadata(place.position, Long.toString(considered)));
        }
        return commits;
    }

    private ClusterConsumer<String, byte[]> consumer() {
        if (consumer != null) return consumer;
        ClusterConsumer<String, byte[]> own = EventReaders.open(
                EventReaders.settings(cluster, "webhooks", cluster.namespace().webhooksGroup()));
        consumer = own;
        own.subscribe(List.of(cluster.topic(Topics.EVENTS)), new Assignments(own));
        return own;
    }

    /** What fails is read again: what has come in meanwhile comes in once. */
    private void hand(
            ClusterConsumer<String, byte[]> own, ConsumerRecords<String, byte[]> records, TopicPartition partition)
            throws CommandFailed {
        Place place = places.get(partition);
        if (place == null) return;
        try {
            outlet.put(wanted(Wanted.events(records.records(partition)), place));
        } catch (CommandFailed | RuntimeException failed) {
            EventReaders.readAgain(own, records);
            throw failed;
        }
    }

    private Map<Subscription, List<OjsEvent>> wanted(List<OjsEvent> events, Place place) {
        Map<Subscription, List<OjsEvent>> wanted = new LinkedHashMap<>();
        for (Subscription subscription : known.active()) {
            boolean isNew = subscription.following().revision() > place.revision;
            if (isNew || place.apart.contains(subscription.id())) continue;
            List<OjsEvent> its = events.stream().filter(Wanted.by(subscription)).toList();
            if (!its.isEmpty()) wanted.put(subscription, its);
        }
        return wanted;
    }

    // ---- subscriptions that are behind

    /**
     * Has subscriptions catch up that are newer than what was considered: those that are a little behind, since they are new, by
     * reading that again for all. What others of them have comes in once.
     */
    private void chaseNews() {
        Map<Subscription, Set<TopicPartition>> news = new LinkedHashMap<>();
        places.forEach((partition, place) -> {
            for (Subscription subscription : known.active())
                if (subscription.following().revision() > place.revision)
                    news.computeIfAbsent(subscription, each -> new HashSet<>()).add(partition);
        });
        Map<TopicPartition, Long> back = new HashMap<>();
        news.forEach((subscription, partitions) -> {
            end(subscription.id());
            Map<TopicPartition, Long> begins =
                    offsets(partitions, subscription.following().from());
            begins.entrySet().removeIf(begin -> {
                long position = place(begin.getKey()).position;
                boolean isNear = position - begin.getValue() <= NEAR;
                if (isNear && begin.getValue() < position) back.merge(begin.getKey(), begin.getValue(), Math::min);
                return isNear;
            });
            if (begins.isEmpty()) return;
            for (TopicPartition partition : begins.keySet())
                place(partition).apart.add(subscription.id());
            chases.add(new Chase(subscription, begins, this::replaying, outlet));
        });
        back.forEach((partition, begin) -> {
            consumer().seek(partition, begin);
            place(partition).position = begin;
        });
        // At the end: what fails above is done again.
        for (Place place : places.values()) place.revision = Math.max(place.revision, known.revision());
    }

    private ClusterConsumer<String, byte[]> replaying() {
        return EventReaders.open(EventReaders.settings(cluster, "webhook-replay"));
    }

    private Place place(TopicPartition partition) {
        Place place = places.get(partition);
        if (place == null) throw new IllegalStateException(partition + " is not assigned");
        return place;
    }

    private Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, Instant since) {
        ClusterConsumer<String, byte[]> own = consumer();
        Map<TopicPartition, Long> times = new HashMap<>();
        for (TopicPartition partition : partitions) times.put(partition, since.toEpochMilli());
        Map<TopicPartition, OffsetAndTimestamp> found = own.offsetsForTimes(times, PATIENCE);
        Map<TopicPartition, Long> ends = own.endOffsets(partitions, PATIENCE);
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (TopicPartition partition : partitions) {
            OffsetAndTimestamp at = found.get(partition);
            Long end = ends.get(partition);
            offsets.put(partition, at != null ? at.offset() : end == null ? 0 : end);
        }
        return offsets;
    }

    private void end(String subscription) {
        chases.end(subscription);
        places.values().forEach(place -> place.apart.remove(subscription));
    }

    private void chase() throws CommandFailed {
        for (Chase chase : chases.next()) {
            String id = chase.subscription().id();
            Subscription now = known.find(id);
            if (now == null || !now.isActive()) {
                end(id);
                continue;
            }
            chase.step(
                    partition -> place(partition).position,
                    partition -> place(partition).apart.remove(id));
            if (chase.partitions().isEmpty()) end(id);
        }
    }

    // ---- partitions come and go

    private final class Assignments implements ConsumerRebalanceListener {
        private final ClusterConsumer<String, byte[]> own;

        private Assignments(ClusterConsumer<String, byte[]> own) {
            this.own = own;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (partitions.isEmpty()) return;
            Instant first = known.active().stream()
                    .map(subscription -> subscription.following().from())
                    .min(Instant::compareTo)
                    .orElseGet(Instant::now);
            Map<TopicPartition, Long> begins = offsets(partitions, first);
            Map<TopicPartition, OffsetAndMetadata> committed = own.committed(Set.copyOf(partitions), PATIENCE);
            for (TopicPartition partition : partitions) {
                OffsetAndMetadata last = committed.get(partition);
                long begin = begins.getOrDefault(partition, 0L);
                if (last != null) begin = Math.max(begin, last.offset());
                own.seek(partition, begin);
                places.put(partition, new Place(begin, last == null ? known.revision() : EventReaders.mark(last)));
            }
            chaseNews();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            Map<TopicPartition, OffsetAndMetadata> commits = commits(partitions);
            try {
                if (!commits.isEmpty()) own.commitSync(commits, Duration.ofSeconds(2));
            } catch (KafkaException failure) {
                LOG.warn("Offsets of events could not be committed ({}); some are read again.", failure.toString());
            }
            onPartitionsLost(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            for (TopicPartition partition : partitions) {
                places.remove(partition);
                chases.drop(partition);
            }
        }
    }

    private void stop() {
        ClusterConsumer<String, byte[]> own = consumer;
        if (own == null) return;
        consumer = null;
        EventReaders.leave(own, "webhooks");
        chases.close();
        places.clear();
        behind.set(0);
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        ClusterConsumer<String, byte[]> own = consumer;
        if (own != null) own.wakeup();
        try {
            thread.join(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
