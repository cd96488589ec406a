package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.MemberWalk;
import java.util.Comparator;
import java.util.Locale;

/** The orders of a list of jobs (OJS admin §7.1). Partitions list jobs by {@code created_at} only. */
public enum JobSort {
    CREATED_AT,
    SCHEDULED_AT,
    PRIORITY;

    static JobSort of(Call call) throws RejectedException {
        String wanted = call.query("sort").orElse("created_at");
        for (JobSort sort : values()) if (sort.name().toLowerCase(Locale.ROOT).equals(wanted)) return sort;
        throw RequestFields.wrong("sort", "The 'sort' must be created_at, scheduled_at or priority.");
    }

    /** Returns the order of jobs as partitions list them; those without a date come last. */
    Comparator<byte[]> order(boolean ascending) {
        Comparator<Long> numbers = ascending ? Comparator.naturalOrder() : Comparator.reverseOrder();
        Comparator<String> texts = ascending ? Comparator.naturalOrder() : Comparator.reverseOrder();
        return switch (this) {
            case CREATED_AT ->
                Comparator.comparing(job -> MemberWalk.text(job, "created_at").orElse(""), texts);
            case SCHEDULED_AT ->
                Comparator.comparing(
                        job -> MemberWalk.text(job, "scheduled_at").orElse(null), Comparator.nullsLast(texts));
            case PRIORITY ->
                Comparator.comparing(
                        job -> MemberWalk.text(job, "priority")
                                .map(Long::valueOf)
                                .orElse(0L),
                        numbers);
        };
    }
}
