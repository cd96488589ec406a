package io.floodgate.gateway.explain;

/** What can be found about the server as a whole. Of two of the same severity, the first one here is the verdict. */
enum SystemCode implements FindingCode {
    KAFKA_UNREACHABLE(
            "problem", "The gateway cannot write to Kafka: its circuit is not closed.", "Look at the brokers."),
    NO_PARTITION_ANSWERS("problem", "No partition answers.", "See which processors are down."),
    CLOSING("problem", "This gateway is about to stop.", "Ask another gateway."),
    LOADING(
            "problem",
            "This gateway still reads its topics, or cannot read them; lists are not complete.",
            "Wait; look at the brokers if it lasts."),
    PARTITION_SILENT(
            "problem",
            "Partitions do not answer. Their queues take and hand out no jobs.",
            "See which processor is down."),
    ALARM("problem", "A partition has raised an alarm.", "See the runbook of alarms, and acknowledge it."),
    OVERFLOW("problem", "Something is so full that all writes are rejected.", "See what is full."),
    CRITICAL("problem", "Something is so full that new jobs are rejected.", "See what is full."),
    PARTITION_MEMORY_FULL(
            "problem",
            "A partition has used 95% or more of the memory that its state may take; it rejects new jobs when it is full.",
            "Drain its queues, or raise the memory."),
    SET_ASIDE("warning", "Records on which processing failed are quarantined.", "Decide about them."),
    MAINTENANCE("warning", "Maintenance is on: no queue hands out jobs.", "End the maintenance."),
    CIRCUIT_HALF_OPEN("warning", "A circuit is open or tries again.", "Wait; see what it leads to if it lasts."),
    NEARLY_FULL("warning", "Something has reached its warning level.", "See what fills."),
    LOGIC_VERSIONS_DIFFER(
            "info", "Partitions execute different versions of the engine logic.", "Complete the upgrade."),
    UNBOUNDED_QUEUES(
            "info", "Queues have no bound.", "Set a bound for all queues: PUT /ojs/v1/queues/_default/config."),
    WELL("ok", "Nothing of the above.", "Nothing.");

    private final String severities;
    private final String meaning;
    private final String advice;

    SystemCode(String severities, String meaning, String advice) {
        this.severities = severities;
        this.meaning = meaning;
        this.advice = advice;
    }

    @Override
    public String severities() {
        return severities;
    }

    @Override
    public String meaning() {
        return meaning;
    }

    @Override
    public String advice() {
        return advice;
    }
}
