package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Mutant.Search.REPLAY;
import static io.floodgate.processor.simulation.Mutant.Search.SIMULATION;
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
                    "queue/Fetches",
                    "Instant until = out.now().plus(length);",
                    "Instant until = out.now().plus(length).plusMillis(1);"),
            Mutant.of(
                    WALK,
                    "what is due happens a millisecond late",
                    "queue/JobTimers",
                    "!time.isAfter(out.now())",
                    "time.isBefore(out.now())"),
            Mutant.of(
                    WALK,
                    "lower priorities go first",
                    "queue/ReadyOrder",
                    "new TreeMap<>(Collections.reverseOrder())",
                    "new TreeMap<>(Collections.reverseOrder(Collections.reverseOrder()))"),
            Mutant.of(WALK, "an attempt is not counted", "queue/Fetches", "j.attempt++;", "j.attempt += 0;"),
            Mutant.of(WALK, "an attempt given back is counted", "queue/Attempts", "j.attempt--;", "j.attempt -= 0;"),
            Mutant.of(
                    WALK,
                    "a report on an ended lease is believed",
                    "queue/JobRules",
                    "claimant.lease() != null && claimant.lease() != lease.number()",
                    "claimant.lease() != null && claimant.lease() > lease.number()"),
            Mutant.of(
                    WALK,
                    "a job that is retried goes to its old place",
                    "queue/JobTimers",
                    "j.place = queues.of(j).nextPlace();",
                    "queues.of(j).nextPlace();"),
            Mutant.of(
                    WALK,
                    "a paused queue hands out jobs",
                    "queue/Fetches",
                    "if (queue == null || queue.isPaused()) continue;",
                    "if (queue == null) continue;"),
            Mutant.of(
                    WALK,
                    "a worker is lost a millisecond late",
                    "worker/WorkerRules",
                    "beat.plus(HEARTBEAT_TIMEOUT)",
                    "beat.plus(HEARTBEAT_TIMEOUT).plusMillis(1)"),
            Mutant.of(
                    WALK,
                    "an expired job leaves no dead letter",
                    "queue/Attempts",
                    "j.deadLetter = j.retry.deadLetterOnExhaustion();",
                    "j.deadLetter = false;"),
            Mutant.of(
                    WALK,
                    "a lost worker's jobs stay with it when it was served while parked",
                    "log/LogEngine",
                    "} while (out.hasLocal());",
                    "} while (false);"),
            Mutant.of(
                    WALK,
                    "half of a batch is stored before the other half is refused",
                    "batch/Batches",
                    "                out.refuse(taken);",
                    """
                                    for (Member m : members.subList(0, members.indexOf(member)))
                                        queues.admit(m.envelope, m.id, false);
                                    out.refuse(taken);"""),
            Mutant.of(
                    WALK,
                    "a job that is sent twice as new overwrites the first",
                    "directory/Directory",
                    "Refusal taken = refuseSentTwice(id);",
                    "Refusal taken = null;"),
            // determinism
            Mutant.of(
                    REPLAY,
                    "jitter is real chance",
                    "topics/job/RetryPolicy",
                    "return (mixed >>> 11) * 0x1.0p-53;",
                    "return Math.random() + mixed * 0.0;"),
            Mutant.of(
                    REPLAY,
                    "a rule looks at the wall clock",
                    "queue/Attempts",
                    "job.endedAt = out.now();",
                    "job.endedAt = Instant.now();"),
            Mutant.of(
                    REPLAY,
                    "who waits is forgotten in a restart",
                    "queue/Waiting",
                    "entities.put(keys.parked(waiting.number()), waiting.write());",
                    ""),
            Mutant.of(
                    REPLAY,
                    "which workers were announced is forgotten in a restart",
                    "queue/Announcements",
                    "entities.put(keys.announced(worker), new BinaryOut().time(out.now()).toBytes());",
                    ""),
            Mutant.of(
                    REPLAY,
                    "timers of leases are not set again in a restart",
                    "queue/Jobs",
                    "if (wakesAt != null) timers.set(Timer.job(wakesAt, job.id));\n            if (job.state",
                    "if (wakesAt != null && job.lease == null) timers.set(Timer.job(wakesAt, job.id));\n            if (job.state"),
            Mutant.of(
                    REPLAY,
                    "the log's time goes back in a restart",
                    "kernel/LogPosition",
                    "time.begin(clock, Duration.ofMillis(in.number()));",
                    "time.begin(Instant.EPOCH, Duration.ofMillis(in.number()));"),
            Mutant.of(
                    REPLAY,
                    "logs of one task share their queues",
                    "store/Keys",
                    ": new BinaryOut().u8(1).text(log.topic()).toBytes();",
                    ": new byte[] {0};"),
            // between logs, and over crashes
            Mutant.of(
                    SIMULATION,
                    "a message that comes again is carried out again",
                    "kernel/Mail",
                    "if (sequence != received.taken + 1) return sequence > received.taken ? Arrival.EARLY : Arrival.REPEATED;",
                    "if (sequence > number(keys.received(from)) + 1) return false;"),
            Mutant.of(
                    SIMULATION,
                    "a gap between messages is accepted",
                    "kernel/Mail",
                    "if (sequence != received.taken + 1) return sequence > received.taken ? Arrival.EARLY : Arrival.REPEATED;",
                    "if (sequence < received.taken + 1) return Arrival.REPEATED;"),
            Mutant.of(
                    SIMULATION,
                    "the first job of a batch is left out when it is settled",
                    "batch/Batches",
                    "for (Reserved.ReservedJob job : reserved.jobs()) {",
                    "for (Reserved.ReservedJob job : reserved.jobs().subList(1, reserved.jobs().size())) {"),
            Mutant.of(
                    SIMULATION,
                    "a batch is stored although a participant refused it",
                    "batch/Batches",
                    "boolean commit = batch.refusal == null;",
                    "boolean commit = batch.refusal == null || batch.parts.size() > 2;"),
            Mutant.of(
                    SIMULATION,
                    "the claims of a failed batch stay",
                    "batch/Batches",
                    "reserved.claims().forEach(id -> directory.settle(id, name, commit));",
                    "if (commit) reserved.claims().forEach(id -> directory.settle(id, name, true));"),
            Mutant.of(
                    SIMULATION,
                    "a batch overwrites jobs that are there",
                    "batch/Batches",
                    "isRegistered(member) ? directory.refuseTaken(member.id()) : directory.refuseSentTwice(member.id())",
                    "null"),
            Mutant.of(
                    SIMULATION,
                    "the directory hears nothing when a job is forgotten",
                    "queue/Retirement",
                    "if (job.registered) out.tell",
                    "if (job.registered && job.deadLetter) out.tell"),
            Mutant.of(
                    SIMULATION,
                    "an id is not claimed before its job is placed",
                    "directory/Directory",
                    "            enter(id, new Entry(envelope.queue(), null, claim()));\n            out.pass",
                    "            out.pass"),
            Mutant.of(
                    SIMULATION,
                    "an id that is only claimed counts as taken",
                    "directory/Directory",
                    "if (queues.holds(id) || (entry != null && entry.batch != null)) return unsettled(id);",
                    "if (queues.holds(id)) return unsettled(id);"),
            Mutant.of(
                    SIMULATION,
                    "a reply says when it was sent",
                    "queue/JobView",
                    "out.beginObject().members(parts.payload());",
                    "out.beginObject().members(parts.payload()).field(\"sent\", System.nanoTime());"));
}
