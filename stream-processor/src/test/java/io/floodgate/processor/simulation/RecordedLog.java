package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Effects.Answer;
import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A partition as a release has carried it out, in a file that is kept: its records, the replies and messages that each of them
 * caused, and what was stored in the end. One line for each, fields between blanks, bytes in base 64:
 *
 * <pre>
 *   log      topic/partition partitions
 *   record   offset appended op replyTo from sequence value [acked sent]
 *   answer   to rejectedCode body
 *   message  to sequence key op replyTo value
 *   stores
 *   entry    store key value
 * </pre>
 *
 * A dash stands for what is absent; texts that may hold anything begin with an equals sign and are bytes, too.
 */
record RecordedLog(PartitionId log, Routing routing, List<Step> steps, Stores stores) {
    /** A record, and lines for what it caused. */
    record Step(PartitionRecord record, List<String> effects) {}

    private static final Path DIRECTORY = Path.of("src", "test", "resources", "recordings");
    private static final Base64.Encoder OUT = Base64.getEncoder().withoutPadding();
    private static final String ABSENT = "-";

    static List<RecordedLog> read(String name) {
        List<RecordedLog> logs = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(DIRECTORY.resolve(name))), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) read(line, logs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return logs;
    }

    private static void read(String line, List<RecordedLog> logs) {
        String[] f = line.split(" ", -1);
        switch (f[0]) {
            case "log" ->
                logs.add(new RecordedLog(
                        PartitionId.parse(f[1]),
                        new Routing(Integer.parseInt(f[2])),
                        new ArrayList<>(),
                        Instance.Snapshot.EMPTY.copy()));
            case "record" -> logs.getLast().steps.add(new Step(record(f), new ArrayList<>()));
            case "answer", "message" -> logs.getLast().steps.getLast().effects().add(line);
            case "entry" -> {
                Stores stores = logs.getLast().stores;
                Object store = switch (f[1]) {
                    case "payloads" -> stores.payloads();
                    case "jobs" -> stores.jobs();
                    default -> stores.entities();
                };
                ((MemoryKeyValues) store).put(HexFormat.of().parseHex(f[2]), bytes(f[3]));
            }
            default -> {}
        }
    }

    private static PartitionRecord record(String[] f) {
        String replyTo = text(f[4]);
        boolean more = f.length > 8;
        return new PartitionRecord(
                Long.parseLong(f[1]),
                Instant.ofEpochMilli(Long.parseLong(f[2])),
                text(f[3]),
                bytes(f[7]),
                replyTo == null ? null : ReplyTo.parse(replyTo),
                f[5].equals(ABSENT) ? null : PartitionId.parse(f[5]),
                Long.parseLong(f[6]),
                more ? Long.parseLong(f[8]) : 0,
                more && !f[9].equals(ABSENT) ? Instant.ofEpochMilli(Long.parseLong(f[9])) : null,
                Broker.TOPIC_ID,
                -1);
    }

    private static byte[] bytes(String field) {
        return Base64.getDecoder().decode(field);
    }

    private static @Nullable String text(String field) {
        return field.equals(ABSENT) ? null : new String(bytes(field.substring(1)), StandardCharsets.UTF_8);
    }

    private static String field(@Nullable Object text) {
        return text == null ? ABSENT : "=" + OUT.encodeToString(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** What a record has caused for others, as it stands in a file. */
    static List<String> effects(Outcome outcome) {
        List<String> lines = new ArrayList<>();
        for (Answer answer : outcome.answers()) {
            String rejected = answer.reply() instanceof Reply.Rejected rejection
                    ? rejection.rejection().code().name()
                    : ABSENT;
            lines.add("answer %s %s %s"
                    .formatted(
                            answer.to(),
                            rejected,
                            OUT.encodeToString(answer.reply().toBytes())));
        }
        for (Outgoing message : outcome.outgoing())
            lines.add("message %s %d %s %s %s %s"
                    .formatted(
                            message.to(),
                            message.sequence(),
                            field(message.key()),
                            message.op(),
                            message.replyTo() == null ? ABSENT : message.replyTo(),
                            OUT.encodeToString(message.value())));
        return lines;
    }

    /** Writes logs of simulations as this release carries them out. */
    static void write(String name, List<Recording> recordings) {
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(DIRECTORY.resolve(name)))) {
            for (Recording recording : recordings) {
                StringBuilder text = new StringBuilder("log %s %d%n"
                        .formatted(recording.log(), recording.routing().partitions()));
                Stores stores = Instance.Snapshot.EMPTY.copy();
                var engine = new io.floodgate.processor.partition.PartitionEngine(
                        recording.log(), recording.routing(), stores);
                for (PartitionRecord record : recording.records()) {
                    text.append("record %d %d %s %s %s %d %s %d %s%n"
                            .formatted(
                                    record.offset(),
                                    record.appended().toEpochMilli(),
                                    field(record.op()),
                                    field(record.replyTo()),
                                    record.from() == null ? ABSENT : record.from(),
                                    record.sequence(),
                                    OUT.encodeToString(record.value()),
                                    record.acked(),
                                    record.sent() == null
                                            ? ABSENT
                                            : record.sent().toEpochMilli()));
                    effects(engine.apply(record))
                            .forEach(line -> text.append(line).append('\n'));
                }
                text.append("stores\n");
                write(text, "payloads", stores.payloads());
                write(text, "jobs", stores.jobs());
                write(text, "entities", stores.entities());
                out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(StringBuilder text, String name, Object store) {
        ((MemoryKeyValues) store)
                .entries()
                .forEach((key, value) -> text.append(
                        "entry %s %s %s%n".formatted(name, HexFormat.of().formatHex(key), OUT.encodeToString(value))));
    }
}
