package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.gateway.system.Readiness;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether the server is well, and what is wrong with it. */
final class SystemExplainer {
    private static final String UNAVAILABLE = "docs/how-to/runbooks/partition-unavailable.md";
    private static final String ALARMS = "docs/how-to/runbooks/alarms.md";
    private static final String REJECTED = "docs/how-to/runbooks/callers-get-503.md";

    private SystemExplainer() {}

    static Explanation explain(SystemStanding system) {
        List<Finding> findings = new ArrayList<>(Stream.of(
                        kafka(system),
                        silent(system),
                        closing(system),
                        loading(system),
                        memory(system),
                        quarantine(system),
                        maintenance(system),
                        circuits(system),
                        versions(system),
                        unbounded(system))
                .filter(Objects::nonNull)
                .toList());
        system.readiness().alarms().forEach(alarm -> findings.add(alarm(alarm)));
        system.levels().forEach((of, level) -> findings.add(level(of, level)));
        if (findings.isEmpty()) findings.add(well(system));
        return new Explanation(
                new Subject("system", "floodgate"),
                system.now(),
                true,
                "this gateway",
                findings,
                figures(system),
                new Evidence(),
                system.readiness().silent().stream().map(PartitionId::toString).toList());
    }

    private static @Nullable Finding kafka(SystemStanding system) {
        String state = system.circuits().get("kafka");
        if (state == null) return null;
        return Finding.of(
                SystemCode.KAFKA_UNREACHABLE,
                Severity.PROBLEM,
                "This gateway cannot write to Kafka",
                "Its circuit to Kafka is %s: requests are rejected at once until it closes.".formatted(state),
                new Evidence().with("circuit", state),
                Advice.read("Look at the brokers, and at the network to them.", UNAVAILABLE));
    }

    private static @Nullable Finding silent(SystemStanding system) {
        Readiness.Finding readiness = system.readiness();
        if (readiness.silent().isEmpty()) return null;
        List<String> names =
                readiness.silent().stream().map(PartitionId::toString).toList();
        List<String> owners = system.silences().stream()
                .filter(silence -> silence.owner() != null)
                .map(silence -> String.valueOf(silence.owner()))
                .distinct()
                .toList();
        boolean isAll = !readiness.isUsable();
        return Finding.of(
                isAll ? SystemCode.NO_PARTITION_ANSWERS : SystemCode.PARTITION_SILENT,
                Severity.PROBLEM,
                isAll
                        ? "No partition answers"
                        : "%d of %s not answer: %s"
                                .formatted(
                                        names.size(),
                                        readiness.logs() == 1
                                                ? "1 partition does"
                                                : readiness.logs() + " partitions do",
                                        String.join(", ", names.subList(0, Math.min(5, names.size())))),
                "Their queues take no jobs and hand out none until a processor takes them over. No job is lost.",
                new Evidence().with("partitions", names).with("owners", owners.isEmpty() ? null : owners),
                Advice.read(
                        owners.isEmpty()
                                ? "See which processor is down, and start it."
                                : "Look at processor %s, and start it again if it is down."
                                        .formatted(String.join(", ", owners.subList(0, Math.min(5, owners.size())))),
                        UNAVAILABLE));
    }

    private static @Nullable Finding closing(SystemStanding system) {
        if (!system.readiness().closing()) return null;
        return Finding.of(
                SystemCode.CLOSING,
                Severity.PROBLEM,
                "This gateway is about to stop",
                "It serves what it has begun, and takes no more.",
                new Evidence(),
                Advice.say("Ask another gateway."));
    }

    private static @Nullable Finding loading(SystemStanding system) {
        if (!system.readiness().loading()) return null;
        return Finding.of(
                SystemCode.LOADING,
                Severity.PROBLEM,
                "This gateway still reads its topics",
                "Lists of queues and events are not complete yet.",
                new Evidence(),
                Advice.read("Wait a moment; if it lasts, look at the brokers.", UNAVAILABLE));
    }

    private static Finding alarm(Readiness.Alarm alarm) {
        Instant since = Timestamps.parse(alarm.since()).orElse(null);
        return new Finding(
                SystemCode.ALARM,
                Severity.PROBLEM,
                since,
                "Partition %s has raised the alarm '%s'".formatted(alarm.log(), alarm.code()),
                alarm.message(),
                new Evidence().with("partition", alarm.log().toString()).with("alarm", alarm.code()),
                List.of(Advice.read("See what it means; acknowledge it when its cause is gone.", ALARMS)));
    }

    private static Finding level(String of, String level) {
        SystemCode code = switch (level) {
            case "overflow" -> SystemCode.OVERFLOW;
            case "critical" -> SystemCode.CRITICAL;
            default -> SystemCode.NEARLY_FULL;
        };
        String follows = switch (code) {
            case OVERFLOW -> "All writes are rejected, except reports of workers and what operators do.";
            case CRITICAL -> "New jobs are rejected until it falls.";
            default -> "Nothing is rejected yet.";
        };
        return Finding.of(
                code,
                code == SystemCode.NEARLY_FULL ? Severity.WARNING : Severity.PROBLEM,
                "'%s' is at the level %s".formatted(of, level),
                follows,
                new Evidence().with("of", of).with("level", level),
                Advice.read("See GET /ojs/v1/admin/system/overload.", REJECTED));
    }

    private static @Nullable Finding memory(SystemStanding system) {
        List<Evidence> full = new ArrayList<>();
        String first = "";
        double most = 0;
        for (Facts partition : system.partitions()) {
            long max = partition.number("max_memory_bytes");
            double used = max == 0 ? 0 : (double) partition.number("memory_bytes") / max;
            if (used < Thresholds.MEMORY_FULL) continue;
            full.add(new Evidence()
                    .with("partition", partition.text("log"))
                    .with("memory_bytes", partition.number("memory_bytes"))
                    .with("max_memory_bytes", max));
            if (used > most) first = String.valueOf(partition.text("log"));
            most = Math.max(most, used);
        }
        if (full.isEmpty()) return null;
        return Finding.of(
                SystemCode.PARTITION_MEMORY_FULL,
                Severity.PROBLEM,
                "The state of partition %s takes %s of the memory that it may take"
                        .formatted(first, Words.percent(most)),
                "When it is full, it rejects new jobs of all its queues.",
                new Evidence().with("partitions", full),
                Advice.read(
                        "Drain its largest queues, or raise the memory of partitions.",
                        "docs/how-to/size-a-cluster.md"));
    }

    private static @Nullable Finding quarantine(SystemStanding system) {
        long entries = system.readiness().quarantine();
        if (entries == 0) return null;
        return Finding.of(
                SystemCode.SET_ASIDE,
                Severity.WARNING,
                "%s quarantined, since processing failed"
                        .formatted(entries == 1 ? "1 entry is" : Words.number(entries) + " entries are"),
                "They are left alone until an operator decides about them.",
                new Evidence().with("entries", entries),
                Advice.read("See GET /ojs/v1/admin/set-aside.", "docs/how-to/runbooks/quarantined-records.md"));
    }

    private static @Nullable Finding maintenance(SystemStanding system) {
        for (Facts partition : system.partitions()) {
            Finding finding = StateFindings.maintenance(partition, system.now(), SystemCode.MAINTENANCE);
            if (finding != null) return finding;
        }
        return null;
    }

    private static @Nullable Finding circuits(SystemStanding system) {
        List<String> names = system.circuits().keySet().stream()
                .filter(name -> !name.equals("kafka"))
                .toList();
        if (names.isEmpty()) return null;
        Evidence states = new Evidence();
        names.forEach(name -> states.with(name, system.circuits().get(name)));
        return Finding.of(
                SystemCode.CIRCUIT_HALF_OPEN,
                Severity.WARNING,
                "%s not closed: %s"
                        .formatted(
                                names.size() == 1 ? "1 circuit is" : names.size() + " circuits are",
                                String.join(", ", names.subList(0, Math.min(5, names.size())))),
                "Requests to it are rejected at once, and tried again from time to time.",
                states,
                Advice.read("If it lasts, see what does not answer.", REJECTED));
    }

    private static @Nullable Finding versions(SystemStanding system) {
        List<Long> versions = system.partitions().stream()
                .map(partition -> partition.number("rules"))
                .distinct()
                .sorted()
                .toList();
        if (versions.size() < 2) return null;
        return Finding.of(
                SystemCode.LOGIC_VERSIONS_DIFFER,
                Severity.INFO,
                "Partitions execute different versions of the engine logic",
                "",
                new Evidence().with("versions", versions),
                Advice.read("Complete the upgrade.", "docs/how-to/upgrade.md"));
    }

    private static @Nullable Finding unbounded(SystemStanding system) {
        if (system.unboundedQueues() == 0) return null;
        return Finding.of(
                SystemCode.UNBOUNDED_QUEUES,
                Severity.INFO,
                "%s no bound"
                        .formatted(
                                system.unboundedQueues() == 1
                                        ? "1 queue has"
                                        : Words.number(system.unboundedQueues()) + " queues have"),
                "A queue without a bound grows until the disk or the memory of its partition is full.",
                new Evidence()
                        .with(
                                "largest",
                                system.unbounded().stream()
                                        .map(each -> new Evidence()
                                                .with("queue", each.queue())
                                                .with("jobs", each.jobs()))
                                        .toList()),
                Advice.read(
                        "Set one for all queues: PUT /ojs/v1/queues/_default/config.",
                        "docs/how-to/runbooks/queue-grows.md"));
    }

    private static Finding well(SystemStanding system) {
        int answering = system.readiness().logs() - system.readiness().silent().size();
        return Finding.of(
                SystemCode.WELL,
                Severity.OK,
                "The server is well: all %s answer".formatted(Words.count(answering, "partition")),
                "",
                new Evidence());
    }

    private static Evidence figures(SystemStanding system) {
        long jobs = system.partitions().stream()
                .mapToLong(partition -> partition.number("jobs"))
                .sum();
        long queues = system.partitions().stream()
                .mapToLong(partition -> partition.number("queues"))
                .sum();
        long waiters = system.partitions().stream()
                .mapToLong(partition -> partition.number("waiters"))
                .sum();
        return new Evidence()
                .with("partitions", (long) system.readiness().logs())
                .with("partitions_that_answer", (long) system.partitions().size())
                .with("queues", queues)
                .with("stored_jobs", jobs)
                .with("waiting_requests", waiters);
    }
}
