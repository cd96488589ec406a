package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.BATCH;
import static io.floodgate.topics.command.CommandType.RECORD_BYTES;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.CommandType.LateReply;
import io.floodgate.topics.command.Message.Claim;
import io.floodgate.topics.command.Message.HasRoom;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Turn;
import io.floodgate.topics.command.Message.Unsettled;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batches: commands of clients, and the two-phase commit between the partitions of their jobs. */
final class BatchCommandTypes {
    /** Storing this many jobs of a batch costs a partition as much as any other command. */
    private static final int JOBS_PER_UNIT = 10;

    static final List<CommandType<?>> ROWS = List.of(
            command(EnqueueBatch.class, BATCH, WORK, "Stores jobs together, or none of them.")
                    .readsValue("batch", RECORD_BYTES, value -> new EnqueueBatch(Members.elements(value), false))
                    .readsValue("batch-new", RECORD_BYTES, value -> new EnqueueBatch(Members.elements(value), true))
                    .reads(
                            "batch-waiting",
                            RECORD_BYTES,
                            in -> new EnqueueBatch(in.raws("jobs"), in.flag("made_ids"), in.millis("wait_ms")))
                    .writes(BatchCommandTypes::encode)
                    .waits(c -> !c.maxWait().isZero(), LateReply.DROPPED)
                    .weighs(c -> weight(c.jobs().size()))
                    .bounded(Limits::wait),
            command(HoldRoom.class, BATCH, WORK, "Reserves capacity for a batch that is too large for one step.")
                    .largeJson("reserve-capacity", BatchCommandTypes::writeHoldRoom, BatchCommandTypes::readHoldRoom)
                    .waits(c -> !c.maxWait().isZero(), LateReply.RELEASED)
                    .weighs(c -> weight(c.demands().size()))
                    .bounded(c -> {
                        Limits.wait(c);
                        RoomCodec.check(c.demands());
                    }),
            command(HoldBatch.class, BATCH, WORK, "Stores a part of such a batch, not to be seen yet.")
                    .largeJson("stage-batch", BatchCommandTypes::writeHoldBatch, BatchCommandTypes::readHoldBatch)
                    .weighs(c -> weight(c.jobs().size()))
                    .lateReply(LateReply.RELEASED)
                    .bounded(c -> Limits.most("jobs", c.jobs().size(), Limits.JOBS_OF_A_PART)),
            command(EndHold.class, BATCH, COMPLETIONS, "Commits the parts of such a batch, or drops them.")
                    .json(
                            "end-stage",
                            BatchCommandTypes::writeEndHold,
                            in -> new EndHold(in.numbers("parts"), in.flag("store")))
                    .bounded(c -> Limits.most("parts", c.parts().size(), Limits.PARTS_OF_A_BATCH)),
            message(Prepare.class, BATCH, "To a participant: reserve these jobs and ids until the batch is settled.")
                    .largeJson("prepare", BatchCommandTypes::writePrepare, BatchCommandTypes::readPrepare)
                    .bounded(),
            message(Prepared.class, BATCH, "To the coordinator: reserved, or rejected, or there is no capacity now.")
                    .largeJson("prepared", BatchCommandTypes::writePrepared, BatchCommandTypes::readPrepared)
                    .bounded(),
            message(HasRoom.class, BATCH, "To the coordinator: there is capacity now; ask again.")
                    .json(
                            "has-capacity",
                            (c, out) ->
                                    writeParticipant(c.batch(), c.participant().toString(), out),
                            in -> new HasRoom(in.number("batch"), in.log("participant")))
                    .bounded(),
            message(Settle.class, BATCH, "To a participant: store the reserved jobs, or drop them.")
                    .json(
                            "settle",
                            (c, out) -> out.field("batch", c.batch())
                                    .field("coordinator", c.coordinator().toString())
                                    .field("commit", c.commit()),
                            in -> new Settle(in.number("batch"), in.log("coordinator"), in.flag("commit")))
                    .bounded(),
            message(Unsettled.class, BATCH, "To the coordinator: asks for the outcome of a batch.")
                    .json(
                            "unsettled",
                            (c, out) ->
                                    writeParticipant(c.batch(), c.participant().toString(), out),
                            in -> new Unsettled(in.number("batch"), in.log("participant")))
                    .bounded());

    private BatchCommandTypes() {}

    private static int weight(int jobs) {
        return 1 + jobs / JOBS_PER_UNIT;
    }

    private static Encoded encode(EnqueueBatch command) {
        byte[] jobs = array(command.jobs());
        if (command.maxWait().isZero()) return new Encoded(command.madeIds() ? "batch-new" : "batch", jobs);
        JsonOut out = new JsonOut()
                .beginObject()
                .field("made_ids", command.madeIds())
                .fieldRaw("jobs", jobs)
                .field("wait_ms", command.maxWait().toMillis());
        return new Encoded("batch-waiting", out.endObject().toBytes());
    }

    private static void writeHoldRoom(HoldRoom command, JsonOut out) {
        RoomCodec.write("queues", command.demands(), out);
        out.field("wait_ms", command.maxWait().toMillis());
    }

    private static HoldRoom readHoldRoom(JsonFields in) throws UnreadableCommand, MalformedJson {
        List<QueueDemand> demands = RoomCodec.read("queues", in);
        if (demands.isEmpty()) throw new UnreadableCommand("'queues' must not be empty.");
        return new HoldRoom(demands, in.millis("wait_ms"));
    }

    private static void writeHoldBatch(HoldBatch part, JsonOut out) {
        out.field("first", part.first()).fieldRaw("jobs", array(part.jobs()));
        if (part.madeIds()) out.field("made_ids", true);
        out.optional("room", part.room());
    }

    private static HoldBatch readHoldBatch(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new HoldBatch(
                (int) in.natural("first"), in.raws("jobs"), in.flag("made_ids"), in.optionalNumber("room"));
    }

    private static void writeEndHold(EndHold end, JsonOut out) {
        out.name("parts").beginArray();
        end.parts().forEach(out::value);
        out.endArray().field("store", end.store());
    }

    private static void writePrepare(Prepare prepare, JsonOut out) {
        out.field("batch", prepare.batch())
                .field("coordinator", prepare.coordinator().toString())
                .fieldRaw("jobs", array(prepare.jobs()))
                .name("claims")
                .beginArray();
        for (Claim claim : prepare.claims())
            out.beginObject()
                    .field("job_id", claim.job().toString())
                    .field("queue", claim.queue())
                    .endObject();
        out.endArray();
        Turn turn = prepare.turn();
        if (turn != null)
            out.field("wait_ms", turn.left().toMillis())
                    .field("waited_ms", turn.waited().toMillis())
                    .field("store-claimed", turn.place())
                    .field("joins", turn.joins());
        if (!prepare.demands().isEmpty()) RoomCodec.write("demands", prepare.demands(), out);
        out.optional("room", prepare.room());
        if (prepare.replaced().isEmpty()) return;
        out.name("replaced").beginArray();
        for (Message.Replaced replaced : prepare.replaced())
            out.beginObject()
                    .field("job_id", replaced.job().toString())
                    .field("by", replaced.by().toString())
                    .field("states", replaced.states())
                    .endObject();
        out.endArray();
    }

    private static List<Message.Replaced> replaced(JsonFields in) throws UnreadableCommand, MalformedJson {
        List<Message.Replaced> all = new ArrayList<>();
        if (!in.has("replaced")) return all;
        for (byte[] raw : in.raws("replaced")) {
            JsonFields each = JsonFields.of(raw);
            all.add(new Message.Replaced(each.job("job_id"), each.job("by"), (int) each.natural("states")));
        }
        return all;
    }

    private static Prepare readPrepare(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new Prepare(
                in.number("batch"),
                in.log("coordinator"),
                in.raws("jobs"),
                in.claims("claims"),
                turn(in),
                in.has("demands") ? RoomCodec.read("demands", in) : List.of(),
                in.optionalNumber("room"),
                replaced(in));
    }

    private static @Nullable Turn turn(JsonFields in) throws UnreadableCommand {
        Duration left = in.optionalMillis("wait_ms");
        if (left == null) return null;
        return new Turn(in.flag("joins"), in.number("store-claimed"), left, in.millis("waited_ms"));
    }

    private static void writePrepared(Prepared prepared, JsonOut out) {
        out.field("batch", prepared.batch())
                .field("participant", prepared.participant().toString())
                .fieldRaw("tails", array(prepared.tails()));
        Rejection rejection = prepared.rejection();
        if (rejection != null) out.fieldRaw("refusal", Reply.write(rejection));
        out.optional("store-claimed", prepared.place());
    }

    private static Prepared readPrepared(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new Prepared(
                in.number("batch"),
                in.log("participant"),
                in.raws("tails"),
                in.optionalRejection("refusal"),
                in.optionalNumber("store-claimed"));
    }

    private static void writeParticipant(long batch, String participant, JsonOut out) {
        out.field("batch", batch).field("participant", participant);
    }

    private static byte[] array(List<byte[]> elements) {
        int size = elements.stream().mapToInt(e -> e.length + 1).sum();
        JsonOut out = new JsonOut(size + 2).beginArray();
        elements.forEach(out::raw);
        return out.endArray().toBytes();
    }
}
