package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.gateway.system.Readiness;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Timestamps;
import java.util.ArrayList;
import java.util.List;

/** Whether the server is well, and what is wrong with it. */
final class SystemExplainer {
    static final String SILENT =
            "Their queues take no jobs and hand out none until a processor takes them over. No job is lost.";
    static final String OWNERS =
            "[Look at processor {owners}, and start it again if it is down.|See which processor is down, and start it.]";

    private final SystemStanding system;
    private final Readiness.Finding readiness;
    private final FindingFacts facts;
    private final List<Finding> findings = new ArrayList<>();

    private SystemExplainer(SystemStanding system) {
        this.system = system;
        readiness = system.readiness();
        facts = FindingFacts.of(Facts.NONE, system.now());
    }

    static Explanation explain(SystemStanding system) {
        SystemExplainer explainer = new SystemExplainer(system);
        explainer.gateway();
        explainer.silent();
        explainer.memory();
        explainer.partitions();
        explainer.circuits();
        explainer.levels();
        return new Explanation(
                new Subject("system", "floodgate"),
                system.now(),
                true,
                "this gateway",
                explainer.orWell(),
                explainer.figures(),
                new Evidence(),
                names(system.readiness().silent()));
    }

    private static List<String> names(List<PartitionId> partitions) {
        return partitions.stream().map(PartitionId::toString).toList();
    }

    private void gateway() {
        if (readiness.closing()) findings.add(SystemCode.CLOSING.finding(facts));
        if (readiness.loading()) findings.add(SystemCode.LOADING.finding(facts));
        if (readiness.quarantine() > 0)
            findings.add(SystemCode.SET_ASIDE.finding(facts.with("entries", readiness.quarantine())));
        for (Readiness.Alarm alarm : readiness.alarms())
            findings.add(SystemCode.ALARM.finding(facts.with("partition", alarm.log())
                    .with("alarm", alarm.code())
                    .with("message", alarm.message())
                    .with("since", Timestamps.parse(alarm.since()).orElse(null))));
        if (system.unboundedQueues() == 0) return;
        List<Evidence> largest = system.unbounded().stream()
                .map(each -> new Evidence().with("queue", each.queue()).with("jobs", each.jobs()))
                .toList();
        findings.add(SystemCode.UNBOUNDED_QUEUES.finding(
                facts.with("unbounded", system.unboundedQueues()).with("largest", largest)));
    }

    private void silent() {
        if (readiness.silent().isEmpty()) return;
        List<String> owners = system.silences().stream()
                .filter(silence -> silence.owner() != null)
                .map(silence -> String.valueOf(silence.owner()))
                .distinct()
                .toList();
        boolean isAll = !readiness.isUsable();
        SystemCode code = isAll ? SystemCode.NO_PARTITION_ANSWERS : SystemCode.PARTITION_SILENT;
        findings.add(code.finding(facts.with("partitions", names(readiness.silent()))
                .with("silent", readiness.silent().size())
                .with("all", readiness.logs())
                .with("owners", owners.isEmpty() ? null : owners)));
    }

    private void memory() {
        List<Evidence> full = new ArrayList<>();
        String fullest = "";
        double most = 0;
        for (Facts partition : system.partitions()) {
            long max = partition.number("max_memory_bytes");
            double used = max == 0 ? 0 : (double) partition.number("memory_bytes") / max;
            if (used < Thresholds.MEMORY_FULL) continue;
            full.add(partition.pick("partition=log memory_bytes max_memory_bytes"));
            if (used > most) fullest = String.valueOf(partition.text("log"));
            most = Math.max(most, used);
        }
        if (!full.isEmpty())
            findings.add(SystemCode.PARTITION_MEMORY_FULL.finding(
                    facts.with("fullest", fullest).with("share", most).with("partitions", full)));
    }

    private void partitions() {
        system.partitions().stream()
                .filter(partition -> partition.flag("maintenance"))
                .findFirst()
                .ifPresent(partition -> findings.add(SystemCode.MAINTENANCE.finding(facts.over(partition))));
        List<Long> versions = system.partitions().stream()
                .map(partition -> partition.number("rules"))
                .distinct()
                .sorted()
                .toList();
        if (versions.size() > 1)
            findings.add(SystemCode.LOGIC_VERSIONS_DIFFER.finding(facts.with("versions", versions)));
    }

    private void circuits() {
        Evidence states = new Evidence();
        system.circuits().forEach((name, state) -> {
            if (name.equals("kafka")) findings.add(SystemCode.KAFKA_UNREACHABLE.finding(facts.with("circuit", state)));
            else states.with(name, state);
        });
        List<String> names = List.copyOf(states.values().keySet());
        if (!names.isEmpty())
            findings.add(SystemCode.CIRCUIT_HALF_OPEN.finding(facts.with("not_closed", names.size())
                    .with("circuits", names)
                    .with("states", states)));
    }

    private void levels() {
        system.levels().forEach((of, level) -> {
            SystemCode code = switch (level) {
                case "overflow" -> SystemCode.OVERFLOW;
                case "critical" -> SystemCode.CRITICAL;
                default -> SystemCode.NEARLY_FULL;
            };
            findings.add(code.finding(facts.with("of", of).with("level", level)));
        });
    }

    private List<Finding> orWell() {
        int answering = readiness.logs() - readiness.silent().size();
        if (findings.isEmpty()) findings.add(SystemCode.WELL.finding(facts.with("answering", answering)));
        return findings;
    }

    private Evidence figures() {
        return new Evidence()
                .with("partitions", (long) readiness.logs())
                .with("partitions_that_answer", (long) system.partitions().size())
                .with("queues", sum("queues"))
                .with("stored_jobs", sum("jobs"))
                .with("waiting_requests", sum("waiters"));
    }

    private long sum(String name) {
        return system.partitions().stream()
                .mapToLong(partition -> partition.number(name))
                .sum();
    }
}
