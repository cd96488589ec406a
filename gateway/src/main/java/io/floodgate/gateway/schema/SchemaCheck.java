package io.floodgate.gateway.schema;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueConfigCodec;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.queue.SchemaMode;
import io.floodgate.topics.schema.Misfit;
import io.floodgate.topics.schema.SchemaCatalog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The check of the jobs of a request by their schemas. Only for a job that does not pass, the partition of its queue is asked
 * what is to become of it: so a change of the queue's configuration holds at once.
 */
public final class SchemaCheck {
    private static final int MOST_WARNINGS = 20;

    private final SchemaCatalog catalog;
    private final Partitions partitions;
    private final Map<SchemaMode, Counter> counters = new HashMap<>();

    public SchemaCheck(SchemaCatalog catalog, Partitions partitions, MeterRegistry registry) {
        this.catalog = catalog;
        this.partitions = partitions;
        for (SchemaMode mode : SchemaMode.values())
            counters.put(
                    mode,
                    Counter.builder("floodgate.gateway.schema.mismatches")
                            .description("Jobs that do not match their schema, by what became of them")
                            .tag("outcome", outcome(mode))
                            .register(registry));
        Gauge.builder("floodgate.gateway.schema.copy.age", catalog, SchemaCatalog::ageSeconds)
                .description("For how long the registry of schemas has not answered, while jobs came in")
                .baseUnit("seconds")
                .register(registry);
    }

    private static String outcome(SchemaMode mode) {
        return switch (mode) {
            case OFF -> "ignored";
            case WARN -> "warned";
            case REJECT -> "rejected";
        };
    }

    /** Returns warnings for the producer of a job, or throws if the job is rejected. */
    public List<String> check(Call call, Envelope job) throws CommandFailed, RejectedException {
        Optional<Misfit> misfit = catalog.check(job);
        return misfit.isEmpty() ? List.of() : decide(misfit.get(), mode(call, job.queue()));
    }

    /** The same for jobs that come together: the first one that is rejected rejects them all. */
    public List<String> check(Call call, List<Envelope> jobs, String what) throws CommandFailed, RejectedException {
        List<String> warnings = new ArrayList<>();
        Map<String, Optional<SchemaMode>> modes = new HashMap<>();
        for (int i = 0; i < jobs.size(); i++) {
            Optional<Misfit> misfit = catalog.check(jobs.get(i));
            if (misfit.isEmpty()) continue;
            String queue = jobs.get(i).queue();
            Optional<SchemaMode> mode = modes.get(queue);
            if (mode == null) mode = Optional.ofNullable(mode(call, queue));
            modes.put(queue, mode);
            String job = "Job %d of the %s: ".formatted(i, what);
            try {
                for (String warning : decide(misfit.get(), mode.orElse(null)))
                    if (warnings.size() < MOST_WARNINGS) warnings.add(job + warning);
            } catch (RejectedException rejected) {
                Rejection rejection = rejected.rejection();
                throw new RejectedException(
                        rejection.withMessage(job + rejection.message()).with("index", i));
            }
        }
        return warnings;
    }

    private List<String> decide(Misfit misfit, @Nullable SchemaMode mode) throws RejectedException {
        SchemaMode outcome = misfit.under(mode);
        Objects.requireNonNull(counters.get(outcome)).increment();
        return switch (outcome) {
            case OFF -> List.of();
            case WARN -> misfit.warnings();
            case REJECT -> throw new RejectedException(misfit.rejection());
        };
    }

    private @Nullable SchemaMode mode(Call call, String queue) throws CommandFailed, RejectedException {
        byte[] status = partitions.from(call).ofQueue(queue).askLine(new GetQueue(queue));
        byte[] config = MemberWalk.raw(status, "config");
        try {
            return config == null
                    ? null
                    : QueueConfigCodec.read(config).policy().schemas();
        } catch (UnreadableCommand unreadable) {
            throw new IllegalStateException("a configuration that no queue can have", unreadable);
        }
    }
}
