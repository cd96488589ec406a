package io.floodgate.standalone;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import org.apache.kafka.common.KafkaException;

/**
 * Errors of commands as users see them: a sentence if the cause is outside, the stack trace if it is a fault of the
 * program.
 */
final class CommandErrors {
    /** A command that cannot do what it was asked to, for a reason that its message says in full. */
    static final class Rejection extends RuntimeException {
        Rejection(String message) {
            super(message);
        }
    }

    private CommandErrors() {}

    static int report(Throwable failure, PrintStream err) {
        if (isExpected(failure)) {
            err.println("floodgate: " + sentence(failure));
        } else {
            failure.printStackTrace(err);
        }
        return 1;
    }

    private static boolean isExpected(Throwable failure) {
        return failure instanceof Rejection
                || failure instanceof UncheckedIOException
                || failure instanceof KafkaException
                || failure instanceof IllegalStateException;
    }

    private static String sentence(Throwable failure) {
        var sentence = new StringBuilder(String.valueOf(failure.getMessage()));
        for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && sentence.indexOf(cause.getMessage()) < 0) {
                sentence.append(": ").append(cause.getMessage());
            }
        }
        return sentence.toString();
    }
}
