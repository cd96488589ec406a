package io.floodgate.processor.kernel;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.json.JsonOut;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An OJS event as it goes to {@code ojs.events}: the key that orders it, and the envelope. */
public record Event(String key, String type, byte[] envelope) {
    /** @param by the identity that has caused it; null for none */
    static Event of(
            PartitionId log,
            Moment at,
            int index,
            String type,
            String subject,
            String key,
            @Nullable Identity by,
            byte[] data) {
        return new Event(
                key,
                type,
                new JsonOut(data.length + 320)
                        .beginObject()
                        .field("specversion", "1.0")
                        .field("id", "evt_" + id(log, at, index))
                        .field("type", type)
                        .field("source", "ojs://floodgate/" + log)
                        .field("time", at.time())
                        .field("subject", subject)
                        .field("datacontenttype", "application/json")
                        .optional("by", by == null ? null : by.name())
                        .fieldRaw("data", data)
                        .endObject()
                        .toBytes());
    }

    /** A UUIDv7 that a replay makes again: time, log, offset, and the event's number among those of the record. */
    private static UUID id(PartitionId log, Moment at, int index) {
        long high = (at.time().toEpochMilli() << 16) | 0x7000L | (log.partition() & 0xFFF);
        // Of one millisecond: 2^26 records, and a record may cause 2^20 events.
        long low = ((at.offset() & 0x3FF_FFFFL) << 20) | (index & 0xF_FFFF);
        return new UUID(high, 0x8000_0000_0000_0000L | low);
    }
}
