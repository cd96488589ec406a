package io.floodgate.standalone.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Lets one warning about a broker that is gone through, and after a minute another one: each of a process's dozen Kafka
 * clients warns with each attempt to reach it.
 */
public final class OncePerMinute extends Filter<ILoggingEvent> {
    private static final String KAFKA = "org.apache.kafka.";
    private static final long MINUTE_MS = 60_000;
    private static final int MOST_KNOWN = 1_000;

    /** The client, thread or task in a warning. */
    private static final Pattern WHO = Pattern.compile("\\[[^\\]]*]");

    private final Map<String, Long> lastPassed = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_KNOWN;
        }
    };

    @Override
    public FilterReply decide(ILoggingEvent event) {
        if (!event.getLevel().equals(Level.WARN) || !event.getLoggerName().startsWith(KAFKA))
            return FilterReply.NEUTRAL;
        String cause = WHO.matcher(event.getFormattedMessage()).replaceAll("");
        return isNews(cause, event.getTimeStamp()) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    private synchronized boolean isNews(String cause, long now) {
        Long last = lastPassed.get(cause);
        if (last != null && now - last < MINUTE_MS) return false;
        lastPassed.put(cause, now);
        return true;
    }
}
