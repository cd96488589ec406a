package io.floodgate.processor.unique;

import io.floodgate.processor.queue.state.JobCodec;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.KeyTie;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.testing.TestPartition;
import java.util.ArrayList;
import java.util.List;

/** What partitions have stored of keys, and of jobs that have them. */
final class Stored {
    private Stored() {}

    /** Rows, owners, lines, claims and phases. */
    static List<String> keys(TestPartition log) {
        List<String> found = new ArrayList<>(rows(log));
        for (byte[] prefix : List.of(
                Keys.allKeyOwners(),
                Keys.allKeysWaiting(),
                Keys.allKeyClaims(),
                Keys.allKeyPhases(),
                Keys.allKeyUntil()))
            log.state().stores().entities().scan(prefix, Keys.after(prefix), (key, value) -> {
                found.add((char) key[0] + " " + new String(value, java.nio.charset.StandardCharsets.ISO_8859_1));
                return true;
            });
        return found;
    }

    /** Jobs that have rows. */
    static List<String> rows(TestPartition log) {
        List<String> found = new ArrayList<>();
        byte[] prefix = Keys.allKeyRows();
        log.state().stores().entities().scan(prefix, Keys.after(prefix), (key, value) -> {
            BinaryIn in = new BinaryIn(value);
            in.u8();
            for (int i = in.integer(); i > 0; i--)
                found.add(KeyRow.read(in).job().toString());
            return true;
        });
        return found;
    }

    /** Unfinished jobs that have keys, and that everybody can see. */
    static List<JobRecord> live(TestPartition log) {
        List<JobRecord> found = new ArrayList<>();
        byte[] prefix = Keys.allLive();
        log.state().stores().jobs().scan(prefix, Keys.after(prefix), (key, value) -> {
            JobRecord job = JobCodec.read(Keys.jobAtEnd(key), value);
            if (job.tie != null && !job.reserved && !KeyTie.stateOf(job).isTerminal()) found.add(job);
            return true;
        });
        return found;
    }
}
