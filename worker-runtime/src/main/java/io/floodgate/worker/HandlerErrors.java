package io.floodgate.worker;

import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.json.JsonOut;
import java.util.Arrays;
import java.util.List;

/** Exceptions that handlers let out, as OJS errors. */
final class HandlerErrors {
    private static final int STACK_LINES = 20;

    private HandlerErrors() {}

    /** The type is the simple class name, as the OJS Java SDK has it: retry policies name it. */
    static ErrorReport report(Throwable failure) {
        String name = failure.getClass().getSimpleName();
        List<String> stack = Arrays.stream(failure.getStackTrace())
                .limit(STACK_LINES)
                .map(StackTraceElement::toString)
                .toList();
        byte[] details = new JsonOut()
                .beginObject()
                .field("error_class", failure.getClass().getName())
                .field("stack", stack)
                .endObject()
                .toBytes();
        String message = failure.getMessage() == null ? name : failure.getMessage();
        String shown = message.substring(0, Math.min(message.length(), ErrorReport.MAX_MESSAGE_CHARS));
        return new ErrorReport(name, "handler_error", shown, null, details);
    }
}
