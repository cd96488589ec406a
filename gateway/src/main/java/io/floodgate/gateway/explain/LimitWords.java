package io.floodgate.gateway.explain;

import java.time.Instant;

/** What a rate limit holds back, in words. */
final class LimitWords {
    static final String EVIDENCE = "key strategy limit current until jobs";

    private LimitWords() {}

    /** @param held with {@code strategy}, {@code limit}, {@code current} and {@code until} */
    static String held(Facts held, Instant now) {
        String limit = Words.number(held.number("limit"));
        Instant until = held.time("until");
        String next = until == null ? "" : "; the next may start at %s".formatted(Words.time(until, now));
        return switch (String.valueOf(held.text("strategy"))) {
            case "concurrency" ->
                held.number("limit") == 0
                        ? "it is stopped: its concurrency is 0"
                        : "%s of %s run".formatted(Words.number(held.number("current")), limit);
            case "rate" -> "its rate of %s per period is used up%s".formatted(limit, next);
            case "throttle" -> "its starts are spread in time%s".formatted(next);
            case "adjusted" -> "a worker reported that nothing may start%s".formatted(next);
            case "memory" -> "the partition that decides about it has no memory left for its keys";
            default -> "nothing starts under it now";
        };
    }

    /** It stays so until an operator changes it. */
    static boolean isStopped(Facts held) {
        return "concurrency".equals(held.text("strategy")) && held.number("limit") == 0;
    }
}
