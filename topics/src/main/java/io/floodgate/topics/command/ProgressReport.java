package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Wire;
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
        @Wire.Name("progress") @Nullable Double share,
        @Wire.Most(ProgressReport.MESSAGE_CHARS) @Nullable String message,

        @Wire.ForClients @Wire.Most(ProgressReport.MAX_BYTES)
        byte @Nullable [] data,

        @Wire.ForClients @Wire.Most(ProgressReport.CHECKPOINT_BYTES)
        byte @Nullable [] checkpoint,

        @Wire.Least(0) @Wire.Most(ProgressReport.MAX_SEQUENCE) @Nullable
        Long sequence) {
    public static final int MESSAGE_CHARS = 1_000;

    /** A wrong sum must not make a report useless (OJS progress §5.1). */
    public ProgressReport {
        if (share != null) share = Math.clamp(share, 0, 1);
    }

    public ProgressReport(
            @Nullable Double share, @Nullable String message, byte @Nullable [] data, byte @Nullable [] checkpoint) {
        this(share, message, data, checkpoint, null);
    }

    /** Of the data: it is read and written with every report, and is part of events. */
    public static final int MAX_BYTES = 16 * 1024;

    public static final int CHECKPOINT_BYTES = 256 * 1024;
    /** Member of a checkpoint of a run that is about to commit a transaction. */
    public static final String TRANSACTION = "transaction";
    /** The largest integer that every JSON reader keeps exact. Numbers that follow it do not overflow. */
    public static final long MAX_SEQUENCE = (1L << 53) - 1;

    public static ProgressReport of(double share) {
        return new ProgressReport(share, null, null, null, null);
    }

    /** @param state any JSON value */
    public static ProgressReport checkpoint(byte[] state, @Nullable Long sequence) {
        return wholeCheckpoint(withState(state), sequence);
    }

    /** @param checkpoint with its state, and what stands beside it */
    public static ProgressReport wholeCheckpoint(byte[] checkpoint, @Nullable Long sequence) {
        return new ProgressReport(null, null, null, checkpoint, sequence);
    }

    /** A checkpoint of nothing but its state. */
    public static byte[] withState(byte[] state) {
        return JsonOut.object(state.length + 16)
                .fieldRaw("state", state)
                .endObject()
                .toBytes();
    }

    /**
     * The run is about to commit a transaction with what its handler has produced. Until this is settled, the job does not
     * end in any other way than by its worker.
     *
     * @param state of the checkpoint before; null if there is none
     * @param transaction an object that lets another worker find out whether it was committed; null if it was not
     */
    public static ProgressReport committing(byte @Nullable [] state, byte @Nullable [] transaction) {
        return wholeCheckpoint(
                JsonOut.object()
                        .optionalRaw("state", state)
                        .optionalRaw(TRANSACTION, transaction)
                        .endObject()
                        .toBytes(),
                null);
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

    void check() throws UnreadableCommand {
        if (saysNothing())
            throw new UnreadableCommand("One of 'progress', 'message', 'data' and 'checkpoint' must be there.");
    }
}
