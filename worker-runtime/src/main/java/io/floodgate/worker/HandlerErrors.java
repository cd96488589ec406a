package io.floodgate.worker;

import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.JsonOut;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates the failures of handlers into OJS errors. */
final class HandlerErrors {
    private static final int STACK_LINES = 20;
    private static final byte[] NO_DETAILS = {'{', '}'};

    private HandlerErrors() {}

    /**
     * The type is the simple class name, as the OJS Java SDK has it: retry policies name it.
     *
     * <p>The job's retry policy judges an exception. After an {@link Error}, or an interrupt of the handler's thread,
     * it is unknown how far the handler came, and another attempt might do twice what must be done once.
     */
    static ErrorReport report(Throwable failure, boolean errorsRetryable) {
        String name = name(failure.getClass());
        List<String> stack = Arrays.stream(failure.getStackTrace())
                .limit(STACK_LINES)
                .map(StackTraceElement::toString)
                .toList();
        byte[] details = JsonOut.object()
                .field("error_class", failure.getClass().getName())
                .field("stack", stack)
                .endObject()
                .toBytes();
        String message = failure.getMessage() == null ? name : failure.getMessage();
        boolean fatal = failure instanceof Error || failure instanceof InterruptedException;
        return new ErrorReport(
                name,
                "handler_error",
                Limits.cut(message, ErrorReport.MAX_MESSAGE_CHARS - 1),
                retryable(fatal, errorsRetryable),
                details);
    }

    /** An anonymous class has no simple name: what it is of says more than nothing. */
    private static String name(Class<?> type) {
        return type.isAnonymousClass() ? name(type.getSuperclass()) : type.getSimpleName();
    }

    /** The handler's thread died, and what it had to say with it. */
    static ErrorReport killed(boolean errorsRetryable) {
        return new ErrorReport(
                "handler_killed",
                "handler_killed",
                "The handler's thread died.",
                retryable(true, errorsRetryable),
                NO_DETAILS);
    }

    private static @Nullable Boolean retryable(boolean fatal, boolean errorsRetryable) {
        return (fatal && !errorsRetryable) ? Boolean.FALSE : null;
    }
}
