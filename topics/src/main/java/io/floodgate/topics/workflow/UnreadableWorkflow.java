package io.floodgate.topics.workflow;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import java.util.List;

/** Thrown while reading what is no valid workflow; carries the rejection its sender gets. */
public final class UnreadableWorkflow extends Exception {
    private static final long serialVersionUID = 1L;

    /** The most findings that are named, each cut to a length: a rejection has to stay short. */
    private static final int MOST_NAMED = 8;

    private static final int MOST_CHARS = 150;

    /** A fault of a value, and the path of the value. */
    record Wrong(String path, String message) {}

    private final transient Rejection rejection;

    UnreadableWorkflow(Rejection rejection) {
        super(rejection.message(), null, false, false);
        this.rejection = rejection;
    }

    public Rejection rejection() {
        return rejection;
    }

    static UnreadableWorkflow of(List<Wrong> all) {
        JsonOut errors = new JsonOut().beginArray();
        for (Wrong wrong : all.subList(0, Math.min(MOST_NAMED, all.size())))
            errors.beginObject()
                    .field("path", Limits.cut(wrong.path(), MOST_CHARS / 2))
                    .field("message", Limits.cut(wrong.message(), MOST_CHARS))
                    .endObject();
        Wrong first = all.getFirst();
        String more = all.size() == 1 ? "" : " And %d more.".formatted(all.size() - 1);
        String message = "The workflow is not valid: %s: %s%s"
                .formatted(Limits.cut(first.path(), MOST_CHARS), Limits.cut(first.message(), 400), more);
        return new UnreadableWorkflow(Rejection.of(ErrorCode.INVALID_WORKFLOW, message)
                .withJson("validation_errors", errors.endArray().toString())
                .with("errors", all.size()));
    }
}
