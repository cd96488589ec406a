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
            .then("Look at the brokers.")
            .title("This gateway cannot write to Kafka")
            .text("Its circuit to Kafka is {circuit}: requests are rejected at once until it closes.")
            .evidence("circuit")
            .advise("Look at the brokers, and at the network to them.", Docs.UNAVAILABLE)),
    NO_PARTITION_ANSWERS(is(PROBLEM)
            .when("No partition answers.")
            .then("See which processors are down.")
            .title("No partition answers")
            .text(SystemExplainer.SILENT)
            .evidence("partitions owners")
            .advise(SystemExplainer.OWNERS, Docs.UNAVAILABLE)),
    CLOSING(is(PROBLEM)
            .when("This gateway is about to stop.")
            .then("Ask another gateway.")
            .title("This gateway is about to stop")
            .text("It serves what it has begun, and takes no more.")
            .advise("Ask another gateway.")),
    LOADING(is(PROBLEM)
            .when("This gateway still reads its topics, or cannot read them; lists are not complete.")
            .then("Wait; look at the brokers if it lasts.")
            .title("This gateway still reads its topics")
            .text("Lists of queues and events are not complete yet.")
            .advise("Wait a moment; if it lasts, look at the brokers.", Docs.UNAVAILABLE)),
    PARTITION_SILENT(is(PROBLEM)
            .when("Partitions do not answer. Their queues take and hand out no jobs.")
            .then("See which processor is down.")
            .title("{silent} of {all:partition does/partitions do} not answer: {partitions}")
            .text(SystemExplainer.SILENT)
            .evidence("partitions owners")
            .advise(SystemExplainer.OWNERS, Docs.UNAVAILABLE)),
    ALARM(is(PROBLEM)
            .when("A partition has raised an alarm.")
            .then("See the runbook of alarms, and acknowledge it.")
            .title("Partition {partition} has raised the alarm '{alarm}'")
            .text("{message}")
            .since("since")
            .evidence("partition alarm")
            .advise("See what it means; acknowledge it when its cause is gone.", Docs.ALARMS)),
    OVERFLOW(is(PROBLEM)
            .when("Something is so full that all writes are rejected.")
            .then("See what is full.")
            .title("'{of}' is at the level {level}")
            .text("All writes are rejected, except reports of workers and what operators do.")
            .evidence("of level")
            .advise("See GET /ojs/v1/admin/system/overload.", Docs.REJECTED)),
    CRITICAL(is(PROBLEM)
            .when("Something is so full that new jobs are rejected.")
            .then("See what is full.")
            .title("'{of}' is at the level {level}")
            .text("New jobs are rejected until it falls.")
            .evidence("of level")
            .advise("See GET /ojs/v1/admin/system/overload.", Docs.REJECTED)),
    PARTITION_MEMORY_FULL(is(PROBLEM)
            .when(
                    "A partition has used 95% or more of the memory that its state may take; it rejects new jobs when it is full.")
            .then("Drain its queues, or raise the memory.")
            .title("The state of partition {fullest} takes {share:%} of the memory that it may take")
            .text("When it is full, it rejects new jobs of all its queues.")
            .evidence("partitions")
            .advise("Drain its largest queues, or raise the memory of partitions.", Docs.SIZE)),
    SET_ASIDE(is(WARNING)
            .when("Records on which processing failed are quarantined.")
            .then("Decide about them.")
            .title("{entries:entry is/entries are} quarantined, since processing failed")
            .text("They are left alone until an operator decides about them.")
            .evidence("entries")
            .advise("See GET /ojs/v1/admin/set-aside.", Docs.QUARANTINE)),
    MAINTENANCE(Row.maintenance()),
    CIRCUIT_HALF_OPEN(is(WARNING)
            .when("A circuit is open or tries again.")
            .then("Wait; see what it leads to if it lasts.")
            .title("{not_closed:circuit is/circuits are} not closed: {circuits}")
            .text("Requests to it are rejected at once, and tried again from time to time.")
            .evidence("states*")
            .advise("If it lasts, see what does not answer.", Docs.REJECTED)),
    NEARLY_FULL(is(WARNING)
            .when("Something has reached its warning level.")
            .then("See what fills.")
            .title("'{of}' is at the level {level}")
            .text("Nothing is rejected yet.")
            .evidence("of level")
            .advise("See GET /ojs/v1/admin/system/overload.", Docs.REJECTED)),
    LOGIC_VERSIONS_DIFFER(is(INFO).when("Partitions execute different versions of the engine logic.")
            .then("Complete the upgrade.")
            .title("Partitions execute different versions of the engine logic")
            .evidence("versions")
            .advise("Complete the upgrade.", Docs.UPGRADE)),
    UNBOUNDED_QUEUES(is(INFO).when("Queues have no bound.")
            .then("Set a bound for all queues: PUT /ojs/v1/queues/_default/config.")
            .title("{unbounded:queue has/queues have} no bound")
            .text("A queue without a bound grows until the disk or the memory of its partition is full.")
            .evidence("largest")
            .advise("Set one for all queues: PUT /ojs/v1/queues/_default/config.", Docs.GROWS)),
    WELL(is(OK).when("Nothing of the above.").title("The server is well: all {answering:partition} answer"));

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
