package io.floodgate.processor.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** While it lasts these do not log: the test provokes what they would complain about. */
public final class MutedLogs implements AutoCloseable {
    private final List<Logger> loggers;

    private MutedLogs(String... names) {
        loggers = Stream.of(names)
                .map(name -> (Logger) LoggerFactory.getLogger(name))
                .toList();
        loggers.forEach(logger -> logger.setLevel(Level.OFF));
    }

    public static MutedLogs of(Class<?> logging) {
        return new MutedLogs(logging.getName());
    }

    /** A class or package by name. */
    public static MutedLogs of(String logging) {
        return new MutedLogs(logging);
    }

    @Override
    public void close() {
        loggers.forEach(logger -> logger.setLevel(null));
    }
}
