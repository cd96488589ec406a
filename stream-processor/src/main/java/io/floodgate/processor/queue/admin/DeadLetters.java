package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.job.JobView;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists dead letters, newest first, a page and a bounded search at a time. */
public record DeadLetters(KeyValues index, Queues queues, Jobs jobs, Effects out) {
    /** Entries looked at for one page; a filter that matches little gets a short page and a cursor. */
    private static final int MOST_VISITED = 2_000;

    private static final int FULL_BYTES = 8 * 1024 * 1024;

    public void list(ListDead command) {
        Page page = search(command);
        JsonOut jobLines = new JsonOut(4096);
        String next = page.next;
        int taken = 0;
        for (byte[] key : page.found) {
            if (jobLines.length() > FULL_BYTES) {
                next = cursor(page.found.get(taken - 1));
                break;
            }
            taken++;
            JobId id = Keys.jobAtEnd(key);
            if (jobs.orders().isAside(id)) continue;
            out.about(Quarantine.JOB, id);
            JobRecord job = jobs.find(id);
            if (job == null) continue;
            JobView.complete(job, jobs.parts(job), jobLines);
            jobLines.newLine();
        }
        JsonOut lines = JsonOut.object(jobLines.length() + 128)
                .field("total", queues.deadLetters(command.queue()))
                .optional("next", next)
                .endObject()
                .newLine();
        out.reply(lines.append(jobLines));
    }

    private record Page(List<byte[]> found, @Nullable String next) {}

    private Page search(ListDead command) {
        int limit = Math.clamp(command.limit(), 1, ListDead.MAX_LIMIT);
        byte[] wanted = command.queue() == null ? null : command.queue().getBytes(StandardCharsets.UTF_8);
        byte[] prefix = Keys.allDead();
        List<byte[]> found = new ArrayList<>();
        List<byte[]> visited = new ArrayList<>();
        boolean[] more = {false};
        index.scan(from(command.after(), prefix), Keys.after(prefix), (key, queue) -> {
            if (found.size() == limit || visited.size() == MOST_VISITED) {
                more[0] = true;
                return false;
            }
            visited.add(key);
            if (wanted == null || java.util.Arrays.equals(wanted, queue)) found.add(key);
            return true;
        });
        return new Page(found, more[0] ? cursor(visited.getLast()) : null);
    }

    private static String cursor(byte[] key) {
        return HexFormat.of().formatHex(key, key.length - 24, key.length);
    }

    /** Just behind the entry that the cursor names; the beginning for a cursor that this partition did not make. */
    private static byte[] from(@Nullable String cursor, byte[] prefix) {
        if (cursor == null || cursor.length() != 48 || !cursor.chars().allMatch(HexFormat::isHexDigit)) return prefix;
        byte[] end = HexFormat.of().parseHex(cursor);
        byte[] from = java.util.Arrays.copyOf(prefix, prefix.length + end.length + 1);
        System.arraycopy(end, 0, from, prefix.length, end.length);
        return from;
    }
}
