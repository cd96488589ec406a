package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Edit.condition;
import static io.floodgate.processor.simulation.Edit.deleted;
import static io.floodgate.processor.simulation.Edit.operand;
import static io.floodgate.processor.simulation.Edit.otherwise;
import static io.floodgate.processor.simulation.Edit.part;
import static io.floodgate.processor.simulation.Edit.then;
import static io.floodgate.processor.simulation.Edit.to;
import static io.floodgate.processor.simulation.Edit.value;
import static io.floodgate.processor.simulation.Mutant.Search.CROWDS;
import static io.floodgate.processor.simulation.Mutant.Search.CURSES;
import static io.floodgate.processor.simulation.Mutant.Search.LOSSES;
import static io.floodgate.processor.simulation.Mutant.Search.REPLAY;
import static io.floodgate.processor.simulation.Mutant.Search.SELECTIVE_WALK;
import static io.floodgate.processor.simulation.Mutant.Search.SIMULATION;
import static io.floodgate.processor.simulation.Mutant.Search.TURNS;
import static io.floodgate.processor.simulation.Mutant.Search.WALK;

import java.util.List;

/** What the searches must find. */
final class Mutants {
    private Mutants() {}

    static final List<Mutant> ALL = List.of(
            // rules of a queue
            Mutant.of(
                    WALK,
                    "a lease lasts one millisecond longer than it should",
                    "lease-length",
                    value("$.plusMillis(1)")),
            Mutant.of(
                    WALK,
                    "what is due happens a millisecond late",
                    "due-timer",
                    value(operand("2.1.1", "$.minusMillis(1)"))),
            Mutant.of(WALK, "lower priorities go first", "priority-order", value("new TreeMap<>()")),
            Mutant.of(WALK, "an attempt is not counted", "attempt-count", deleted()),
            Mutant.of(WALK, "an attempt given back is counted", "attempt-given-back", deleted()),
            Mutant.of(
                    WALK,
                    "a report on an ended lease is believed",
                    "ended-lease",
                    condition(operand("2", part("!=", ">")))),
            Mutant.of(WALK, "a job that is retried goes to its old place", "rank-of-retry", to("$2;")),
            Mutant.of(WALK, "a paused queue hands out jobs", "paused-queue", condition("$1")),
            Mutant.of(
                    WALK,
                    "a worker is lost a millisecond late",
                    "worker-lost-at",
                    value(operand("3.1", "$.plusMillis(1)"))),
            Mutant.of(WALK, "an expired job leaves no dead letter", "expired-dead-letter", operand("2", "false")),
            Mutant.of(WALK, "a worker that only waits is never lost", "waiting-worker-registered", deleted()),
            Mutant.of(
                    WALK,
                    "half of a batch is stored before the other half is rejected",
                    "local-batch-refused",
                    to("""
                            { for (BatchMember m : members.subList(0, members.size() / 2))
                                queues.admit(m.envelope(), m.id(), false);
                            $ }""")),
            Mutant.of(
                    WALK, "a job that is sent twice as new overwrites the first", "made-id-sent-twice", value("null")),
            Mutant.of(WALK, "a reply that was withdrawn keeps its jobs", "withdrawn-reply", deleted()),
            Mutant.of(
                    WALK,
                    "a job of which something was heard is taken back all the same",
                    "lease-heard-of",
                    value(operand("5", "deliveryRef"))),
            Mutant.of(
                            WALK,
                            "one list without a job is enough to take it back",
                            "missing-in-two-lists",
                            then(to("attempts.giveBack(job, \"not_received\");")))
                    .near(18),
            Mutant.of(WALK, "a worker that leaves has failed its jobs", "worker-left", condition("false")),
            Mutant.of(
                    WALK,
                    "a lost worker loses the jobs of which something was just heard",
                    "heard-of-lost-worker",
                    condition("false")),
            Mutant.of(WALK, "who waited for a lost worker goes on waiting", "lost-worker-waits", deleted()),
            Mutant.of(WALK, "a watch whose job was not fetched was the last to be woken", "watch-woken", deleted())
                    .near(890),
            Mutant.of(
                    WALK,
                    "a report on an earlier attempt is believed",
                    "earlier-attempt",
                    condition(operand("2", part("!=", ">")))),
            Mutant.of(
                    WALK,
                    "an expired job runs after all",
                    "retry-of-expired",
                    condition(operand("2.1", "$.minusSeconds(3600)"))),
            // bounds
            Mutant.of(WALK, "a full queue takes in one job more", "depth-bound", value(operand("3.2", "$ - 1"))),
            Mutant.of(TURNS, "turns of tenants make no difference", "order-of-turns", condition("false")),
            Mutant.of(TURNS, "a fetch gets jobs of any tenant", "tenant-of-fetch", condition("false")),
            Mutant.of(TURNS, "a tenant that comes again has its turn from before", "turns-forgotten", deleted()),
            Mutant.of(TURNS, "a tenant catches up on all that it was held back", "turns-missed", value("$2")),
            Mutant.of(WALK, "the most urgent make room first", "least-urgent-first", operand("1", "$.descendingSet()")),
            Mutant.of(WALK, "a dead letter comes back into a full queue", "retry-into-full-queue", value("null")),
            Mutant.of(
                    WALK,
                    "the last in line is let in first",
                    "first-waiting-producer",
                    value(part("firstEntry", "lastEntry"))),
            Mutant.of(WALK, "a new producer overtakes the line", "producers-in-order", value("$1"))
                    .near(33),
            Mutant.of(WALK, "who waits goes on waiting when the queue drops from now on", "drop-oldest", value("false"))
                    .near(54),
            Mutant.of(WALK, "a full queue takes in a few bytes more", "size-bound", value(operand("3.2", "$ - 20"))),
            Mutant.of(
                            WALK,
                            "one large job makes room for more bytes than it has",
                            "bytes-of-victims",
                            then(value("2L * $")))
                    .near(42),
            Mutant.of(WALK, "a tenant has one job more than it may", "tenant-bound", value(operand("3.2", "$ - 1"))),
            Mutant.of(
                            WALK,
                            "anybody's job makes room for a tenant that has reached its bound",
                            "tenant-victims",
                            operand("1", "demand.queue().ready()"))
                    .near(70),
            Mutant.of(
                            WALK,
                            "who waits for his tenant's bound holds up everybody",
                            "tenant-with-room",
                            condition("$1 && $2"))
                    .near(77),
            // what queues give their jobs, and dead letters
            Mutant.of(
                    WALK,
                    "a queue's timeout goes before the job's own",
                    "timeout-of-job",
                    value("$2 == null ? $3 : $2")),
            Mutant.of(
                    WALK,
                    "a queue that has decided something gets nothing from the policy of all",
                    "policy-below",
                    value("$1 ? $2 : decided")),
            Mutant.of(WALK, "a job of any type comes in", "allowed-types", condition("false")),
            Mutant.of(WALK, "dead letters go round in circles", "dead-letter-stays", condition("$1")),
            Mutant.of(WALK, "a dead letter comes into a full queue of dead letters", "dead-letter-bound", value("$3")),
            Mutant.of(
                            WALK,
                            "a dead letter is tried again where it lies",
                            "dead-letter-origin",
                            value(operand("3", "$2")))
                    .near(11),
            Mutant.of(WALK, "what a queue says of its finished jobs is not heard", "retention-of-queue", value("$2")),
            // versions of jobs
            Mutant.of(
                    SELECTIVE_WALK, "no fetch gets a job of a version that it accepts", "version-of-mark", value("$1")),
            Mutant.of(SELECTIVE_WALK, "a restart makes jobs unversioned", "stored-version", value("$3")),
            // determinism
            Mutant.of(
                    REPLAY,
                    "what was handed out in which reply is forgotten in a restart",
                    "stored-handout",
                    value("$ == null ? null : null")),
            Mutant.of(REPLAY, "jitter is real chance", "jitter", value("Math.random() + $ * 0.0")),
            Mutant.of(REPLAY, "a rule looks at the wall clock", "ended-at", value("Instant.now()")),
            Mutant.of(REPLAY, "who waits is forgotten in a restart", "stored-waiter", deleted()),
            Mutant.of(
                    REPLAY,
                    "which workers were registered is forgotten in a restart",
                    "stored-registration",
                    deleted()),
            Mutant.of(
                    REPLAY,
                    "timers of leases are not set again in a restart",
                    "restored-jobs",
                    condition("$ && job.lease == null")),
            Mutant.of(REPLAY, "the log's time goes back in a restart", "restored-time", operand("1", "Instant.EPOCH")),
            // between partitions, and over crashes
            // where a partition stands
            Mutant.of(SIMULATION, "a record is carried out again", "repeated-record", value("false")),
            Mutant.of(SIMULATION, "new rules apply before the upgrade record", "rules-version", value("newest")),
            Mutant.of(LOSSES, "deleted commands are not noticed", "deleted-records", value("false")),
            Mutant.of(LOSSES, "lost messages are not noticed", "lost-messages", value("received.taken"))
                    .near(10),
            Mutant.of(
                            LOSSES,
                            "what is reserved for a batch waits for ever",
                            "reservation-asks",
                            value("$.plus(Duration.ofDays(3_650))"))
                    .near(13),
            Mutant.of(
                            LOSSES,
                            "a batch waits for ever for a participant",
                            "batch-times-out",
                            value(operand("4", "$.plus(Duration.ofDays(3_650))")))
                    .near(10),
            Mutant.of(LOSSES, "an id stays claimed although its job never arrived", "claim-without-job", deleted())
                    .near(31),
            Mutant.of(CURSES, "what was set aside is forgotten", "stored-set-aside", deleted()),
            Mutant.of(CURSES, "a broken job is not set aside", "job-set-aside", deleted()),
            Mutant.of(
                    SIMULATION,
                    "a message that comes again is carried out again",
                    "message-taken-before",
                    condition("false")),
            Mutant.of(SIMULATION, "a gap between messages is accepted", "gap-in-messages", condition("false"))
                    .near(369),
            Mutant.of(
                    SIMULATION,
                    "the first job of a batch is left out when it is settled",
                    "settled-jobs",
                    value("$.subList(1, $.size())")),
            Mutant.of(
                    SIMULATION,
                    "a batch is stored although a participant rejected it",
                    "batch-refused",
                    value("$ || batch.parts.size() > 2")),
            Mutant.of(SIMULATION, "the claims of a failed batch stay", "claims-settled", to("if (commit) $")),
            Mutant.of(SIMULATION, "a batch overwrites jobs that are there", "reserved-id-taken", value("null")),
            Mutant.of(
                    SIMULATION,
                    "the directory gets no message when a job is removed",
                    "id-released",
                    condition("$ && job.deadLetter")),
            Mutant.of(SIMULATION, "an id is not claimed before its job is placed", "id-claimed", deleted()),
            Mutant.of(SIMULATION, "an id that is only claimed counts as taken", "id-only-claimed", condition("$1"))
                    .near(36),
            Mutant.of(
                    SIMULATION,
                    "a reply says when it was sent",
                    "job-reply",
                    value("$.field(\"sent\", System.nanoTime())")),
            Mutant.of(CROWDS, "what is reserved for a batch takes no room", "reserved-count", then(value("0"))),
            Mutant.of(
                    CROWDS,
                    "there is room for a batch when there is room for one of its jobs",
                    "demand-sum",
                    value(operand("2", "$1"))),
            Mutant.of(
                    CROWDS,
                    "a job that is to make room for a batch can be fetched",
                    "job-ready",
                    value("$1 && $2 && $4")),
            Mutant.of(
                            CROWDS,
                            "events do not count what is still to make room",
                            "promised-depth",
                            value(part("depthWithPromised", "depth")))
                    .near(339),
            Mutant.of(
                    CROWDS,
                    "a batch that waits is forgotten when its time is up",
                    "batch-asks-last",
                    to("states.forget(number, batch);")),
            Mutant.of(CROWDS, "room that is kept for parts takes none", "kept-room", deleted()),
            Mutant.of(
                    CROWDS, "room that was kept for parts stays when the batch is over", "kept-room-freed", deleted()),
            // queues that are deleted
            Mutant.of(CROWDS, "no room is kept for jobs that are to be moved", "room-for-move", deleted()),
            Mutant.of(CROWDS, "jobs are moved whether there is room or not", "move-fits", value("$2")),
            Mutant.of(WALK, "jobs of any type are moved", "types-of-move", condition("false")),
            Mutant.of(WALK, "jobs are moved whether their tenants have room or not", "tenants-of-move", value("null")),
            Mutant.of(WALK, "no room is kept for the tenants of what is moved", "tenants-to-come", condition("true")),
            Mutant.of(CROWDS, "room that was kept for a move is never free again", "room-after-move", deleted()),
            Mutant.of(SIMULATION, "what comes for a job that was moved is not passed on", "readdressed", deleted())
                    .near(28),
            Mutant.of(
                            SIMULATION,
                            "the directory does not hear that a job was moved",
                            "moved-id",
                            otherwise(condition("$2")))
                    .near(47),
            Mutant.of(
                            SIMULATION,
                            "a job that comes back into a queue that is deleted stays there",
                            "job-to-end",
                            deleted())
                    .near(30));
}
