package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * How far a run has come, as its worker says (OJS progress §5). What is not said stays as it was last said.
 *
 * @param share of the work that is done, from 0 to 1
 * @param data an object, of whatever the handler wants to show
 * @param checkpoint an object, from which the next attempt can go on should this one fail: {@code state}, which is any JSON
 *     value, and beside it {@code metadata} and {@code step_index}, if the worker sends them
 * @param sequence the number of the checkpoint, which must be larger than that of the one before; null for the next number
 */
public record ProgressReport(
        @Nullable Double share,
        @Nullable String message,
        byte @Nullable [] data,
        byte @Nullable [] checkpoint,
        @Nullable Long sequence) {
    public static final int MESSAGE_CHARS = 1_000;

    public ProgressReport(
            @Nullable Double share, @Nullable String message, byte @Nullable [] data, byte @Nullable [] checkpoint) {
        this(share, message, data, checkpoint, null);
    }

    /** Of the data: it is read and written with every report, and is part of events. */
    public static final int MAX_BYTES = 16 * 1024;

    public static final int CHECKPOINT_BYTES = 256 * 1024;
    /** The largest integer that every JSON reader keeps exact. Numbers that follow it do not overflow. */
    public static final long MAX_SEQUENCE = (1L << 53) - 1;

    public static ProgressReport of(double share) {
        return new ProgressReport(clamped(share), null, null, null, null);
    }

    /** @param state any JSON value */
    public static ProgressReport checkpoint(byte[] state, @Nullable Long sequence) {
        return new ProgressReport(null, null, null, withState(state), sequence);
    }

    /** A checkpoint of nothing but its state. */
    public static byte[] withState(byte[] state) {
        return new JsonOut(state.length + 16)
                .beginObject()
                .fieldRaw("state", state)
                .endObject()
                .toBytes();
    }

    /** A wrong sum must not make a report useless (OJS progress §5.1). */
    public static double clamped(double share) {
        return Math.clamp(share, 0, 1);
    }

    public boolean saysNothing() {
        return share == null && message == null && data == null && checkpoint == null;
    }

    /** This one, with what only an earlier one has said. */
    public ProgressReport after(ProgressReport earlier) {
        return new ProgressReport(
                share == null ? earlier.share : share,
                message == null ? earlier.message : message,
                data == null ? earlier.data : data,
                checkpoint == null ? earlier.checkpoint : checkpoint,
                checkpoint == null ? earlier.sequence : sequence);
    }

    void write(JsonOut out) {
        if (share != null) out.field("progress", share);
        out.optional("message", message).optionalRaw("data", data).optionalRaw("checkpoint", checkpoint);
        if (sequence != null) out.field("sequence", sequence);
    }

    static ProgressReport read(JsonFields in) throws UnreadableCommand {
        Double share = in.optionalDouble("progress");
        ProgressReport report = new ProgressReport(
                share == null ? null : (Double) clamped(share),
                in.optionalText("message"),
                in.has("data") ? in.object("data") : null,
                in.has("checkpoint") ? in.object("checkpoint") : null,
                in.optionalNatural("sequence"));
        if (report.saysNothing())
            throw new UnreadableCommand("One of 'progress', 'message', 'data' and 'checkpoint' must be there.");
        return report;
    }

    void check() throws UnreadableCommand {
        Limits.chars("message", message, MESSAGE_CHARS);
        Limits.bytes("data", data, MAX_BYTES);
        Limits.bytes("checkpoint", checkpoint, CHECKPOINT_BYTES);
        if (sequence != null && sequence > MAX_SEQUENCE)
            throw new UnreadableCommand("The 'sequence' field must be at most %d.".formatted(MAX_SEQUENCE));
    }
}
