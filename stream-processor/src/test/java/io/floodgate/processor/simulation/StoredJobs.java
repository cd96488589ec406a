package io.floodgate.processor.simulation;

import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The jobs in a partition's stores, with the marks in their arguments. */
final class StoredJobs {
    private StoredJobs() {}

    static Map<JobId, String> of(PartitionId log, Stores stores) {
        Map<JobId, String> jobs = new TreeMap<>();
        for (byte[] prefix : List.of(Keys.allLive(), Keys.allTerminal()))
            stores.jobs().scan(prefix, Keys.after(prefix), (key, value) -> {
                JobId id = Keys.jobAtEnd(key);
                byte[] payload = stores.payloads().get(Keys.payload(id));
                if (payload == null) throw new AssertionError("%s has lost its payload".formatted(id));
                String mark = Json.tree(payload).get("args").get(0).stringValue();
                if (jobs.put(id, mark) != null) throw new AssertionError("%s is both live and finished".formatted(id));
                return true;
            });
        long payloads = ((MemoryKeyValues) stores.payloads())
                .entries().keySet().stream().filter(key -> Kind.of(key) == 'p').count();
        if (payloads != jobs.size())
            throw new AssertionError("%s keeps %d payloads of %d jobs".formatted(log, payloads, jobs.size()));
        return jobs;
    }
}
