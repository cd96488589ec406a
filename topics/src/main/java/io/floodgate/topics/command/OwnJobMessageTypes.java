package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.JOB;
import static io.floodgate.topics.command.CommandType.Owner.OWNER;
import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.message;

import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.OwnJobMessage.AskOwn;
import io.floodgate.topics.command.OwnJobMessage.CancelOwn;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.command.OwnJobMessage.PlacedOwn;
import io.floodgate.topics.command.OwnJobMessage.TellOwners;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages between the owners of jobs that the system makes, and the queues of these jobs. */
final class OwnJobMessageTypes {
    private static final int KIND_CHARS = 20;

    static final List<CommandType<?>> ROWS = List.of(
            message(PlaceOwn.class, QUEUE, "Take in a job that the system has made.")
                    .largeJson("place-own", OwnJobMessageTypes::writePlace, OwnJobMessageTypes::readPlace)
                    .bounded(message -> check(message.owner())),
            message(PlacedOwn.class, OWNER, "To the owner: its job is in the queue, or waits, or was rejected.")
                    .json("placed-own", OwnJobMessageTypes::writePlaced, OwnJobMessageTypes::readPlaced)
                    .bounded(message -> check(message.owner())),
            message(TellOwners.class, OWNER, "What has become of jobs that the system has made.")
                    .largeJson("tell-owners", OwnJobMessageTypes::writeNotes, OwnJobMessageTypes::readNotes)
                    .bounded(),
            message(AskOwn.class, JOB, "Asks how a job stands that the system has made.")
                    .json(
                            "ask-own",
                            (message, out) -> {
                                write(message.owner(), out);
                                out.field("job_id", message.job().toString()).field("hops", message.hops());
                            },
                            in -> new AskOwn(owner(in), in.job("job_id"), hops(in)))
                    .bounded(message -> check(message.owner())),
            message(CancelOwn.class, JOB, "Cancel a job that the system has made, wherever it is.")
                    .json(
                            "cancel-own",
                            (message, out) -> {
                                write(message.owner(), out);
                                out.field("job_id", message.job().toString());
                                optional("by", message.by(), out);
                                out.field("hops", message.hops());
                                if (message.spares()) out.field("spares", true);
                            },
                            in -> new CancelOwn(
                                    owner(in), in.job("job_id"), optionalJob(in, "by"), hops(in), in.flag("spares")))
                    .bounded(message -> check(message.owner())));

    private OwnJobMessageTypes() {}

    private static void check(JobOwner owner) throws UnreadableCommand {
        if (owner.kind().length() > KIND_CHARS) throw new UnreadableCommand("'kind' is too long.");
        Limits.name("name", owner.name());
        Limits.name("ticket", owner.ticket());
    }

    private static int hops(JsonFields in) throws UnreadableCommand {
        return (int) Math.min(in.natural("hops"), 100);
    }

    private static void optional(String name, @Nullable JobId job, JsonOut out) {
        out.optional(name, job == null ? null : job.toString());
    }

    private static @Nullable JobId optionalJob(JsonFields in, String name) throws UnreadableCommand {
        return in.has(name) ? in.job(name) : null;
    }

    private static void write(JobOwner owner, JsonOut out) {
        out.name("owner")
                .beginObject()
                .field("kind", owner.kind())
                .field("home", owner.home().toString())
                .field("name", owner.name())
                .field("ticket", owner.ticket());
        if (owner.wantsResult()) out.field("wants_result", true);
        out.endObject();
    }

    private static JobOwner owner(JsonFields in) throws UnreadableCommand, MalformedJson {
        JsonFields owner = in.fields("owner");
        return new JobOwner(
                owner.text("kind"),
                owner.log("home"),
                owner.text("name"),
                owner.text("ticket"),
                owner.flag("wants_result"));
    }

    private static void writePlace(PlaceOwn message, JsonOut out) {
        write(message.owner(), out);
        out.field("job_id", message.id().toString()).fieldRaw("job", message.job());
        if (!message.maxWait().isZero())
            out.field("max_wait_ms", message.maxWait().toMillis());
        if (message.anywhere()) out.field("anywhere", true);
        optional("room_of", message.roomOf(), out);
    }

    private static PlaceOwn readPlace(JsonFields in) throws UnreadableCommand, MalformedJson {
        var wait = in.optionalMillis("max_wait_ms");
        return new PlaceOwn(
                owner(in),
                in.job("job_id"),
                in.object("job"),
                wait == null ? Duration.ZERO : wait,
                in.flag("anywhere"),
                optionalJob(in, "room_of"));
    }

    private static void writePlaced(PlacedOwn message, JsonOut out) {
        write(message.owner(), out);
        out.field("job_id", message.job().toString()).field("waits", message.waits());
        Rejection rejection = message.rejection();
        if (rejection != null) out.fieldRaw("refusal", Reply.write(rejection));
        out.field("at_ms", message.at().toEpochMilli());
    }

    private static PlacedOwn readPlaced(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new PlacedOwn(
                owner(in),
                in.job("job_id"),
                in.flag("waits"),
                in.optionalRejection("refusal"),
                Instant.ofEpochMilli(in.number("at_ms")));
    }

    private static void writeNotes(TellOwners message, JsonOut out) {
        out.field("log", message.log().toString()).name("notes").beginArray();
        for (OwnerNote note : message.notes()) {
            out.beginObject();
            write(note.owner(), out);
            out.field("job_id", note.job().toString())
                    .field("number", note.number())
                    .field("state", note.state().wire())
                    .field("gone", note.gone())
                    .field("attempt", note.attempt());
            if (note.startedAt() != null)
                out.field("started_at_ms", note.startedAt().toEpochMilli());
            out.optionalRaw("result", note.result())
                    .optionalRaw("error", note.error())
                    .endObject();
        }
        out.endArray();
    }

    private static TellOwners readNotes(JsonFields in) throws UnreadableCommand, MalformedJson {
        List<OwnerNote> notes = new ArrayList<>();
        for (byte[] raw : in.raws("notes")) {
            JsonFields note = JsonFields.of(raw);
            JobState state =
                    JobState.parse(note.text("state")).orElseThrow(() -> new UnreadableCommand("'state' is unknown."));
            notes.add(new OwnerNote(
                    owner(note),
                    note.job("job_id"),
                    (int) note.natural("number"),
                    state,
                    note.flag("gone"),
                    (int) note.natural("attempt"),
                    note.has("started_at_ms") ? Instant.ofEpochMilli(note.number("started_at_ms")) : null,
                    note.optionalRaw("result"),
                    note.optionalRaw("error")));
        }
        return new TellOwners(in.log("log"), notes);
    }
}
