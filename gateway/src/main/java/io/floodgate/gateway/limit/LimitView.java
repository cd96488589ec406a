package io.floodgate.gateway.limit;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import org.jspecify.annotations.Nullable;

/** A limit as clients are shown it (OJS rate limiting §10), with short names beside it that the command line tool reads. */
final class LimitView {
    private LimitView() {}

    /** @param line as the partition of the key has it */
    static void write(byte[] line, LimitFigures.Counted counted, JsonOut out) {
        out.beginObject();
        Long concurrency = null;
        String starts = null;
        String period = null;
        MemberWalk members = new MemberWalk(line);
        while (members.next()) {
            if (members.nameIs("concurrency")) {
                concurrency = Long.valueOf(members.text());
                concurrency(concurrency, counted.active(), out);
                continue;
            }
            if (members.nameIs("outstanding")) continue;
            if (members.nameIs("rate")) {
                starts = MemberWalk.text(members.raw(), "limit").orElse(null);
                period = MemberWalk.text(members.raw(), "period").orElse(null);
            }
            members.copyTo(out);
        }
        out.field("waiting_count", counted.waiting())
                .field("active", counted.active())
                .field("waiting", counted.waiting());
        if (concurrency != null) out.field("available", Math.max(0, concurrency - counted.active()));
        Long limit = starts == null ? concurrency : (Long) Long.parseLong(starts);
        shortly(limit, period, out);
        out.endObject();
    }

    private static void shortly(@Nullable Long limit, @Nullable String period, JsonOut out) {
        out.optional("limit", limit).optional("period", period);
    }

    private static void concurrency(long limit, long active, JsonOut out) {
        out.beginObject("concurrency")
                .field("limit", limit)
                .field("active", active)
                .field("available", Math.max(0, limit - active))
                .endObject();
    }
}
