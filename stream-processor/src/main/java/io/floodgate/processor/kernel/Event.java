package io.floodgate.processor.kernel;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An OJS event as it goes to {@code ojs.events}.
 *
 * @param key orders it
 * @param source the partition, as a URI
 * @param envelope all of it, as JSON
 * @param late by how much what it tells of was late; null if that is not measured
 * @param mark for sinks, as a header of its record; null if it is for none
 */
public record Event(
        String key,
        String id,
        String type,
        String source,
        String time,
        String subject,
        byte[] envelope,
        @Nullable Duration late,
        byte @Nullable [] mark) {
    /** @param by the identity that has caused it; null for none */
    static Event of(
            PartitionId log,
            Moment at,
            int index,
            String type,
            String subject,
            String key,
            @Nullable Identity by,
            byte[] data,
            @Nullable Duration late,
            byte @Nullable [] mark) {
        String id = "evt_" + id(log, at, index);
        String source = source(log);
        String time = Timestamps.format(at.time());
        byte[] envelope = JsonOut.object(data.length + 320)
                .field("specversion", "1.0")
                .field("id", id)
                .field("type", type)
                .field("source", source)
                .field("time", time)
                .field("subject", subject)
                .field("datacontenttype", "application/json")
                .optional("by", by == null ? null : by.name())
                .fieldRaw("data", data)
                .endObject()
                .toBytes();
        return new Event(key, id, type, source, time, subject, envelope, late, mark);
    }

    /** Returns the source of the events of this partition. */
    public static String source(PartitionId log) {
        return "ojs://floodgate/" + log;
    }

    /** A UUIDv7 that a replay makes again: time, log, offset, and the event's number among those of the record. */
    private static UUID id(PartitionId log, Moment at, int index) {
        long high = (at.time().toEpochMilli() << 16) | 0x7000L | (log.partition() & 0xFFF);
        // Of one millisecond: 2^26 records, and a record may cause 2^20 events.
        long low = ((at.offset() & 0x3FF_FFFFL) << 20) | (index & 0xF_FFFF);
        return new UUID(high, 0x8000_0000_0000_0000L | low);
    }
}
