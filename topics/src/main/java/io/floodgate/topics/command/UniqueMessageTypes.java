package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.BATCH;
import static io.floodgate.topics.command.CommandType.Owner.JOB;
import static io.floodgate.topics.command.CommandType.Owner.KEY;
import static io.floodgate.topics.command.CommandType.message;

import io.floodgate.topics.JobState;
import io.floodgate.topics.command.UniqueMessage.AskHolder;
import io.floodgate.topics.command.UniqueMessage.CancelHolder;
import io.floodgate.topics.command.UniqueMessage.ClaimKeys;
import io.floodgate.topics.command.UniqueMessage.Holder;
import io.floodgate.topics.command.UniqueMessage.Holder.Phase;
import io.floodgate.topics.command.UniqueMessage.HolderCancelled;
import io.floodgate.topics.command.UniqueMessage.HolderSaid;
import io.floodgate.topics.command.UniqueMessage.KeyClaim;
import io.floodgate.topics.command.UniqueMessage.KeyNote;
import io.floodgate.topics.command.UniqueMessage.KeyVerdict;
import io.floodgate.topics.command.UniqueMessage.KeysClaimed;
import io.floodgate.topics.command.UniqueMessage.TellKeys;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.unique.OnConflict;
import io.floodgate.topics.unique.UniquePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Messages between the homes of keys, the coordinators that want them, and the partitions of the jobs that have them. */
final class UniqueMessageTypes {
    static final List<CommandType<?>> ROWS = List.of(
            message(ClaimKeys.class, KEY, "Asks whether these jobs may come, as the only ones of their keys.")
                    .largeJson("claim-keys", UniqueMessageTypes::writeClaims, UniqueMessageTypes::readClaims)
                    .bounded(),
            message(KeysClaimed.class, BATCH, "To the coordinator: they may, with exceptions, or they may not.")
                    .largeJson("keys-claimed", UniqueMessageTypes::writeClaimed, UniqueMessageTypes::readClaimed)
                    .bounded(),
            message(AskHolder.class, JOB, "Asks in which state the job is that has a key.")
                    .json(
                            "ask-holder",
                            (c, out) -> out.field("home", c.home().toString())
                                    .field("claim", c.claim())
                                    .field("job_id", c.job().toString())
                                    .field("hops", c.hops()),
                            in -> new AskHolder(in.log("home"), in.text("claim"), in.job("job_id"), hops(in)))
                    .bounded(c -> Limits.name("claim", c.claim())),
            message(HolderSaid.class, KEY, "How the job stands that has a key.")
                    .json("holder-said", UniqueMessageTypes::writeSaid, UniqueMessageTypes::readSaid)
                    .bounded(c -> Limits.name("claim", c.claim())),
            message(CancelHolder.class, JOB, "Cancel the job: another one takes its place.")
                    .json(
                            "cancel-holder",
                            (c, out) -> out.field("batch", c.batch())
                                    .field("coordinator", c.coordinator().toString())
                                    .field("job_id", c.job().toString())
                                    .field("by", c.by().toString())
                                    .field("states", c.states())
                                    .field("hops", c.hops()),
                            in -> new CancelHolder(
                                    in.number("batch"),
                                    in.log("coordinator"),
                                    in.job("job_id"),
                                    in.job("by"),
                                    (int) in.natural("states"),
                                    hops(in)))
                    .bounded(),
            message(HolderCancelled.class, BATCH, "To the coordinator: the job is not run any more.")
                    .json(
                            "holder-cancelled",
                            (c, out) -> out.field("batch", c.batch())
                                    .field("job_id", c.job().toString()),
                            in -> new HolderCancelled(in.number("batch"), in.job("job_id")))
                    .bounded(),
            message(TellKeys.class, KEY, "What has become of jobs that have keys.")
                    .largeJson("tell-keys", UniqueMessageTypes::writeNotes, UniqueMessageTypes::readNotes)
                    .bounded());

    private UniqueMessageTypes() {}

    private static int hops(JsonFields in) throws UnreadableCommand {
        return (int) Math.min(in.natural("hops"), 100);
    }

    private static void writeClaims(ClaimKeys message, JsonOut out) {
        out.field("batch", message.batch())
                .field("coordinator", message.coordinator().toString())
                .field("waits", message.waits())
                .name("claims")
                .beginArray();
        for (KeyClaim claim : message.claims()) {
            out.beginObject()
                    .field("position", claim.position())
                    .field("job_id", claim.job().toString())
                    .field("queue", claim.queue());
            UniquePolicy policy = claim.policy();
            out.field("key", policy.fingerprint())
                    .field("of_queue", policy.ofQueue())
                    .field("states", policy.states())
                    .optional("period_ms", millis(policy.period()))
                    .field("on_conflict", policy.onConflict().wire())
                    .endObject();
        }
        out.endArray();
    }

    private static @Nullable Long millis(@Nullable Duration period) {
        return period == null ? null : (Long) period.toMillis();
    }

    private static ClaimKeys readClaims(JsonFields in) throws UnreadableCommand, MalformedJson {
        List<KeyClaim> claims = new ArrayList<>();
        for (byte[] raw : in.raws("claims")) {
            JsonFields claim = JsonFields.of(raw);
            OnConflict onConflict = OnConflict.parse(claim.text("on_conflict"))
                    .orElseThrow(() -> new UnreadableCommand("'on_conflict' is unknown."));
            UniquePolicy policy = new UniquePolicy(
                    key(claim),
                    claim.flag("of_queue"),
                    (int) claim.natural("states"),
                    claim.optionalMillis("period_ms"),
                    onConflict);
            claims.add(new KeyClaim((int) claim.natural("position"), claim.job("job_id"), claim.text("queue"), policy));
        }
        return new ClaimKeys(in.number("batch"), in.log("coordinator"), in.flag("waits"), claims);
    }

    private static String key(JsonFields in) throws UnreadableCommand {
        return KeyCommandTypes.key(in.text("key"), "key");
    }

    private static void writeClaimed(KeysClaimed message, JsonOut out) {
        out.field("batch", message.batch())
                .field("home", message.home().toString())
                .name("verdicts")
                .beginArray();
        for (KeyVerdict verdict : message.verdicts())
            out.beginObject()
                    .field("position", verdict.position())
                    .field("ignored", verdict.ignored())
                    .field("holder", verdict.holder().toString())
                    .field("log", verdict.log().toString())
                    .field("state", verdict.state().wire())
                    .optional("scheduled_at", millis(verdict.scheduledAt()))
                    .endObject();
        out.endArray();
        Rejection rejection = message.rejection();
        if (rejection != null) out.fieldRaw("refusal", Reply.write(rejection));
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : (Long) time.toEpochMilli();
    }

    private static @Nullable Instant time(JsonFields in, String name) throws UnreadableCommand {
        Long millis = in.optionalNumber(name);
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    private static JobState state(JsonFields in) throws UnreadableCommand {
        return JobState.parse(in.text("state")).orElseThrow(() -> new UnreadableCommand("'state' is unknown."));
    }

    private static Phase phase(JsonFields in) throws UnreadableCommand {
        String wire = in.text("phase");
        for (Phase phase : Phase.values()) if (wire(phase).equals(wire)) return phase;
        throw new UnreadableCommand("'phase' is unknown.");
    }

    private static String wire(Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    private static KeysClaimed readClaimed(JsonFields in) throws UnreadableCommand, MalformedJson {
        List<KeyVerdict> verdicts = new ArrayList<>();
        for (byte[] raw : in.raws("verdicts")) {
            JsonFields verdict = JsonFields.of(raw);
            verdicts.add(new KeyVerdict(
                    (int) verdict.natural("position"),
                    verdict.flag("ignored"),
                    verdict.job("holder"),
                    verdict.log("log"),
                    state(verdict),
                    time(verdict, "scheduled_at")));
        }
        return new KeysClaimed(in.number("batch"), in.log("home"), verdicts, in.optionalRejection("refusal"));
    }

    private static void writeSaid(HolderSaid message, JsonOut out) {
        out.field("claim", message.claim()).field("job_id", message.job().toString());
        Holder holder = message.holder();
        if (holder == null) return;
        out.name("holder").beginObject();
        writeHolder(holder, out);
        out.endObject();
    }

    private static void writeHolder(Holder holder, JsonOut out) {
        out.field("log", holder.log().toString())
                .field("state", holder.state().wire())
                .field("created_at", holder.createdAt().toEpochMilli())
                .field("now", holder.now().toEpochMilli())
                .optional("scheduled_at", millis(holder.scheduledAt()))
                .field("phase", wire(holder.phase()))
                .field("hidden", holder.hidden());
    }

    private static HolderSaid readSaid(JsonFields in) throws UnreadableCommand, MalformedJson {
        var job = in.job("job_id");
        if (!in.has("holder")) return new HolderSaid(in.text("claim"), job, null);
        JsonFields holder = in.fields("holder");
        return new HolderSaid(
                in.text("claim"),
                job,
                new Holder(
                        job,
                        holder.log("log"),
                        state(holder),
                        Instant.ofEpochMilli(holder.number("created_at")),
                        Instant.ofEpochMilli(holder.number("now")),
                        time(holder, "scheduled_at"),
                        phase(holder),
                        holder.flag("hidden")));
    }

    private static void writeNotes(TellKeys message, JsonOut out) {
        out.field("log", message.log().toString()).name("notes").beginArray();
        for (KeyNote note : message.notes())
            out.beginObject()
                    .field("key", note.fingerprint())
                    .field("job_id", note.job().toString())
                    .field("number", note.number())
                    .field("state", note.state().wire())
                    .field("gone", note.gone())
                    .field("created_at", note.createdAt().toEpochMilli())
                    .field("states", note.states())
                    .optional("period_ms", millis(note.period()))
                    .optional("space", note.space())
                    .endObject();
        out.endArray();
    }

    private static TellKeys readNotes(JsonFields in) throws UnreadableCommand, MalformedJson {
        List<KeyNote> notes = new ArrayList<>();
        for (byte[] raw : in.raws("notes")) {
            JsonFields note = JsonFields.of(raw);
            notes.add(new KeyNote(
                    key(note),
                    note.job("job_id"),
                    (int) note.natural("number"),
                    state(note),
                    note.flag("gone"),
                    Instant.ofEpochMilli(note.number("created_at")),
                    (int) note.natural("states"),
                    note.optionalMillis("period_ms"),
                    note.optionalText("space")));
        }
        return new TellKeys(in.log("log"), notes);
    }
}
