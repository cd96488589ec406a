package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about the server as a whole. Of two of the same severity, the first one here is the verdict. */
enum SystemCode implements FindingCode {
    KAFKA_UNREACHABLE(is(PROBLEM)
            .when("The gateway cannot write to Kafka: its circuit is not closed.")
            .then("Look at the brokers.")),
    NO_PARTITION_ANSWERS(is(PROBLEM).when("No partition answers.").then("See which processors are down.")),
    CLOSING(is(PROBLEM).when("This gateway is about to stop.").then("Ask another gateway.")),
    LOADING(is(PROBLEM)
            .when("This gateway still reads its topics, or cannot read them; lists are not complete.")
            .then("Wait; look at the brokers if it lasts.")),
    PARTITION_SILENT(is(PROBLEM)
            .when("Partitions do not answer. Their queues take and hand out no jobs.")
            .then("See which processor is down.")),
    ALARM(is(PROBLEM).when("A partition has raised an alarm.").then("See the runbook of alarms, and acknowledge it.")),
    OVERFLOW(is(PROBLEM)
            .when("Something is so full that all writes are rejected.")
            .then("See what is full.")),
    CRITICAL(
            is(PROBLEM).when("Something is so full that new jobs are rejected.").then("See what is full.")),
    PARTITION_MEMORY_FULL(is(PROBLEM)
            .when(
                    "A partition has used 95% or more of the memory that its state may take; it rejects new jobs when it is full.")
            .then("Drain its queues, or raise the memory.")),
    SET_ASIDE(is(WARNING)
            .when("Records on which processing failed are quarantined.")
            .then("Decide about them.")),
    MAINTENANCE(is(WARNING).when("Maintenance is on: no queue hands out jobs.").then("End the maintenance.")),
    CIRCUIT_HALF_OPEN(
            is(WARNING).when("A circuit is open or tries again.").then("Wait; see what it leads to if it lasts.")),
    NEARLY_FULL(is(WARNING).when("Something has reached its warning level.").then("See what fills.")),
    LOGIC_VERSIONS_DIFFER(is(INFO).when("Partitions execute different versions of the engine logic.")
            .then("Complete the upgrade.")),
    UNBOUNDED_QUEUES(is(INFO).when("Queues have no bound.")
            .then("Set a bound for all queues: PUT /ojs/v1/queues/_default/config.")),
    WELL(is(OK).when("Nothing of the above."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    SystemCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
