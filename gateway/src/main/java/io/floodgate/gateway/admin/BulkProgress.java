package io.floodgate.gateway.admin;

import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The progress of a bulk operation in all partitions.
 *
 * @param logs what each of them says
 */
record BulkProgress(List<byte[]> logs) {
    private static final int MOST_ERRORS = 100;

    boolean isOver() {
        return logs.stream().noneMatch(log -> state(log).equals("running"));
    }

    private static String state(byte[] log) {
        return MemberWalk.text(log, "state").orElse("");
    }

    private String state() {
        if (!isOver()) return "running";
        return logs.stream().anyMatch(log -> state(log).equals("stopped")) ? "stopped" : "done";
    }

    private long sum(String name) {
        return logs.stream()
                .mapToLong(
                        log -> MemberWalk.text(log, name).map(Long::parseLong).orElse(0L))
                .sum();
    }

    private List<byte[]> errors() {
        List<byte[]> errors = new ArrayList<>();
        for (byte[] log : logs) {
            MemberWalk members = new MemberWalk(log);
            // Without its brackets, a list of errors is what stands between the brackets of another one.
            while (members.next())
                if (members.nameIs("errors") && members.raw().length > 2 && errors.size() < MOST_ERRORS)
                    errors.add(Arrays.copyOfRange(members.raw(), 1, members.raw().length - 1));
        }
        return errors;
    }

    /** Writes the progress under the names of the specifications, the admin page and the command-line tool. */
    JsonOut write(String operation) {
        String action = MemberWalk.text(logs.getFirst(), "action").orElse("");
        long succeeded = sum("succeeded");
        JsonOut out = JsonOut.object(1_024)
                .field("operation_id", operation)
                .field("action", action)
                .field("state", state())
                .field("matched", sum("matched"))
                .field("total_matched", sum("matched"))
                .field("succeeded", succeeded)
                .field("affected", succeeded)
                .field(done(action), succeeded)
                .field("failed", sum("failed"));
        if (action.equals(BulkAction.PURGE.wire())) out.field("purged_count", succeeded);
        out.beginArray("errors");
        errors().forEach(out::raw);
        return out.endArray().endObject();
    }

    static String done(String action) {
        for (BulkAction known : BulkAction.values()) if (known.wire().equals(action)) return done(known);
        return "done";
    }

    static String done(BulkAction action) {
        return switch (action) {
            case CANCEL -> "cancelled";
            case RETRY -> "retried";
            case DELETE, PURGE -> "deleted";
        };
    }
}
