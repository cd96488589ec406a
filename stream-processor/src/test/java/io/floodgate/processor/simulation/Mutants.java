package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Mutant.Search.CROWDS;
import static io.floodgate.processor.simulation.Mutant.Search.CURSES;
import static io.floodgate.processor.simulation.Mutant.Search.LOSSES;
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
            Mutant.of(WALK, "an attempt is not counted", "queue/Transitions", "job.attempt++;", "job.attempt += 0;"),
            Mutant.of(
                    WALK,
                    "an attempt given back is counted",
                    "queue/Transitions",
                    "job.attempt--;",
                    "job.attempt -= 0;"),
            Mutant.of(
                    WALK,
                    "a report on an ended lease is believed",
                    "queue/JobRules",
                    "claimant.lease() != null && claimant.lease() != lease.number()",
                    "claimant.lease() != null && claimant.lease() > lease.number()"),
            Mutant.of(
                    WALK,
                    "a job that is retried goes to its old place",
                    "queue/Transitions",
                    "job.rank = queues.of(job).nextRank();",
                    "queues.of(job).nextRank();"),
            Mutant.of(
                    WALK,
                    "a paused queue hands out jobs",
                    "queue/Fetches",
                    "if (queue == null || rests(queue)) continue;",
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
                    "queue/Transitions",
                    "discard(job, job.retry.deadLetterOnExhaustion(), now);",
                    "discard(job, false, now);"),
            Mutant.of(
                    WALK,
                    "a worker that only waits is never lost",
                    "queue/Waiting",
                    "if (rules.atLeast(2) && fetch.worker() != null) registrations.register(fetch.worker());",
                    ""),
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
            Mutant.of(
                    WALK,
                    "a reply that was withdrawn keeps its jobs",
                    "queue/Departures",
                    "leases.takeBack(handedOut);\n            taken",
                    "taken"),
            Mutant.of(
                    WALK,
                    "a job of which something was heard is taken back all the same",
                    "queue/Lease",
                    "return new Lease(number, holder, end, length, null, null);",
                    "return new Lease(number, holder, end, length, handout, null);"),
            Mutant.of(
                            WALK,
                            "one list without a job is enough to take it back",
                            "queue/Leases",
                            "if (missed == null) jobs.apply(new Missed(), job);",
                            "if (missed == null) attempts.giveBack(job, \"not_received\");")
                    .near(18),
            Mutant.of(
                    WALK,
                    "a worker that leaves has failed its jobs",
                    "queue/Leases",
                    "if (left && !job.discardOnWorkerLost)",
                    "if (false)"),
            Mutant.of(
                    WALK,
                    "who waited for a lost worker goes on waiting",
                    "queue/Departures",
                    "if (rules.atLeast(2)) waiting.sendAway(worker);",
                    ""),
            Mutant.of(
                            WALK,
                            "a watch whose job nobody fetched was the last to be told",
                            "queue/Serving",
                            "note(queue.name, out.now().plus(WOKEN));",
                            ";")
                    .near(890),
            Mutant.of(
                    WALK,
                    "a report on an earlier attempt is believed",
                    "queue/JobRules",
                    "claimant.attempt() != job.attempt",
                    "claimant.attempt() > job.attempt"),
            Mutant.of(
                    WALK,
                    "an expired job runs after all",
                    "queue/JobActions",
                    "if (end == null || end.isAfter(out.now())) return null;",
                    "if (end == null || end.isAfter(out.now().minusSeconds(3600))) return null;"),
            // bounds
            Mutant.of(
                    WALK,
                    "a full queue takes in one job more",
                    "queue/Bounds",
                    "Math.max(0, queue.counts.depth() + jobs - bound)",
                    "Math.max(0, queue.counts.depth() + jobs - bound - 1)"),
            Mutant.of(
                    WALK,
                    "the most urgent make room first",
                    "queue/ReadyOrder",
                    "visit(priorities().descendingSet(), visitor);",
                    "visit(priorities(), visitor);"),
            Mutant.of(
                    WALK,
                    "a dead letter comes back into a full queue",
                    "queue/JobActions",
                    "Refusal full = job.isLive() ? null : bounds.makeRoomAgain(job);",
                    "Refusal full = null;"),
            Mutant.of(
                    WALK,
                    "the last in line is let in first",
                    "queue/ProducerLine",
                    "Waiting first = own.firstEntry().getValue();",
                    "Waiting first = own.lastEntry().getValue();"),
            Mutant.of(
                            WALK,
                            "whoever comes overtakes the line",
                            "queue/Bounds",
                            "if (demand.fits() && !producers.areBefore(demand.queue, demand.tenants.jobs(), space)) continue;",
                            "if (demand.fits()) continue;")
                    .near(33),
            Mutant.of(
                            WALK,
                            "who waits goes on waiting when the queue drops from now on",
                            "queue/Bounds",
                            "return queue.config().overflow() == Overflow.DROP_OLDEST;",
                            "return false;")
                    .near(45),
            Mutant.of(
                    WALK,
                    "a full queue takes in a few bytes more",
                    "queue/Bounds",
                    "Math.max(0, queue.counts.bytes() + bytes - bound)",
                    "Math.max(0, queue.counts.bytes() + bytes - bound - 20)"),
            Mutant.of(
                            WALK,
                            "one large job makes room for more bytes than it has",
                            "queue/Bounds",
                            "if (missing[1] > 0) missing[1] -= job.sizeBytes;",
                            "if (missing[1] > 0) missing[1] -= 2L * job.sizeBytes;")
                    .near(42),
            Mutant.of(
                    WALK,
                    "a tenant has one job more than it may",
                    "queue/TenantDemand",
                    "Math.max(0, depth(queue, tenant) + jobs.getOrDefault(tenant, 0L) - bound)",
                    "Math.max(0, depth(queue, tenant) + jobs.getOrDefault(tenant, 0L) - bound - 1)"),
            Mutant.of(
                            WALK,
                            "anybody's job makes room for a tenant that has reached its bound",
                            "queue/Bounds",
                            "choose(all.ready(tenant), some, missing",
                            "choose(demand.queue.ready(), some, missing")
                    .near(70),
            Mutant.of(
                            WALK,
                            "who waits for his tenant's bound holds up everybody",
                            "queue/ProducerLine",
                            "if (!later && isFirstOfAll(first) && tenantsHaveRoom.test(first.tenants())) next = first;",
                            "if (!later && isFirstOfAll(first)) next = first;")
                    .near(77),
            // what queues give their jobs, and dead letters
            Mutant.of(
                    WALK,
                    "a queue's timeout goes before the job's own",
                    "queue/Admission",
                    "job.timeout = terms.timeout() == null ? defaults.timeout() : terms.timeout();",
                    "job.timeout = defaults.timeout() == null ? terms.timeout() : defaults.timeout();"),
            Mutant.of(
                    WALK,
                    "a queue that has decided something gets nothing from the policy of all",
                    "queue/Queue",
                    "config = decided.isNone() ? below : decided.over(below);",
                    "config = decided.isNone() ? below : decided;"),
            Mutant.of(
                    WALK,
                    "a job of any type comes in",
                    "queue/Entry",
                    "if (!access.allowsType(type))",
                    "if (type.isEmpty())"),
            Mutant.of(
                    WALK,
                    "dead letters go round in circles",
                    "queue/Burials",
                    "if (!job.deadLetter || job.letter != null) return;",
                    "if (!job.deadLetter) return;"),
            Mutant.of(
                    WALK,
                    "a dead letter comes into a full queue of dead letters",
                    "queue/Transfers",
                    "return refusal == null ? bounds.makeRoomFor(job, queue) : refusal;",
                    "return refusal;"),
            Mutant.of(
                            WALK,
                            "a dead letter is tried again where it lies",
                            "queue/JobRules",
                            "job.letter == null ? job.queue : job.letter.origin()",
                            "job.queue")
                    .near(11),
            Mutant.of(
                    WALK,
                    "what a queue says of its finished jobs is not heard",
                    "queue/FinishedJobs",
                    "return decided == null ? otherwise : decided;",
                    "return otherwise;"),
            // determinism
            Mutant.of(
                    REPLAY,
                    "what was handed out in which reply is forgotten in a restart",
                    "queue/JobCodec",
                    "Handout handout = has(flags, 22) ? new Handout(in.text(), in.number()) : null;",
                    "if (has(flags, 22)) { in.text(); in.number(); } Handout handout = null;"),
            Mutant.of(
                    REPLAY,
                    "jitter is real chance",
                    "topics/retry/RetryPolicy",
                    "return (mixed >>> 11) * 0x1.0p-53;",
                    "return Math.random() + mixed * 0.0;"),
            Mutant.of(
                    REPLAY,
                    "a rule looks at the wall clock",
                    "queue/Transitions",
                    "job.endedAt = now;",
                    "job.endedAt = Instant.now();"),
            Mutant.of(
                    REPLAY,
                    "who waits is forgotten in a restart",
                    "queue/Waiters",
                    "entities.put(keys.parked(waiter.number()), waiter.write());",
                    ""),
            Mutant.of(
                    REPLAY,
                    "which workers were registered is forgotten in a restart",
                    "queue/LeaseRegistrations",
                    "entities.put(keys.announced(worker), new BinaryOut().time(out.now()).toBytes());",
                    ""),
            Mutant.of(
                    REPLAY,
                    "timers of leases are not set again in a restart",
                    "queue/Jobs",
                    "if (job != null && queues.find(job.queue) != null) put",
                    "if (job != null && job.lease == null) put"),
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
            // where a log stands
            Mutant.of(
                    SIMULATION,
                    "a record is carried out again",
                    "log/Progress",
                    "record.offset() <= position.offset();",
                    "record.offset() < 0;"),
            Mutant.of(
                    SIMULATION,
                    "new rules apply before the upgrade record",
                    "kernel/LogPosition",
                    "        return rules;",
                    "        return newest;"),
            Mutant.of(
                    LOSSES,
                    "nobody notices that commands were deleted",
                    "log/Progress",
                    "record.logStart() > position.offset() + 1;",
                    "record.logStart() > Long.MAX_VALUE - 1;"),
            Mutant.of(
                            LOSSES,
                            "nobody notices that messages were lost",
                            "kernel/Mail",
                            "long lost = Math.min(acked, sequence - 1);",
                            "long lost = received.taken;")
                    .near(10),
            Mutant.of(
                            LOSSES,
                            "what is reserved for a batch waits for ever",
                            "batch/Reservations",
                            "Instant askAt = rules.atLeast(2) ? out.now().plus(FIRST_QUESTION) : null;",
                            "Instant askAt = null;")
                    .near(13),
            Mutant.of(
                            LOSSES,
                            "a batch waits for ever for a participant",
                            "batch/Batches",
                            "if (rules.atLeast(2)) batch.until = out.now().plus(PREPARED_WITHIN);",
                            "")
                    .near(10),
            Mutant.of(
                            LOSSES,
                            "an id stays claimed although its job never arrived",
                            "directory/Directory",
                            "if (!missing.isEmpty()) out.tell(message.directory()",
                            "if (missing.size() > 1_000) out.tell(message.directory()")
                    .near(16),
            Mutant.of(
                    CURSES,
                    "what was set aside is forgotten",
                    "kernel/SetAside",
                    "        entities.put(keys.setAside(entry.id), entry.write());\n",
                    ""),
            Mutant.of(
                    CURSES,
                    "a broken job is not set aside",
                    "queue/QueueRules",
                    "case SetAside.JOB -> jobOf(subject).ifPresent(broken::setAside);",
                    "case SetAside.JOB -> {}"),
            Mutant.of(
                    SIMULATION,
                    "a message that comes again is carried out again",
                    "kernel/Mail",
                    "if (sequence != received.taken + 1) return sequence > received.taken ? Arrival.EARLY : Arrival.REPEATED;",
                    "if (sequence > received.taken + 1) return Arrival.EARLY;"),
            Mutant.of(
                            SIMULATION,
                            "a gap between messages is accepted",
                            "kernel/Mail",
                            "if (sequence != received.taken + 1) return sequence > received.taken ? Arrival.EARLY : Arrival.REPEATED;",
                            "if (sequence < received.taken + 1) return Arrival.REPEATED;")
                    .near(84),
            Mutant.of(
                    SIMULATION,
                    "the first job of a batch is left out when it is settled",
                    "batch/Reservations",
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
                    "batch/Reservations",
                    "reserved.claims().forEach(id -> directory.settle(id, name, commit));",
                    "if (commit) reserved.claims().forEach(id -> directory.settle(id, name, true));"),
            Mutant.of(
                    SIMULATION,
                    "a batch overwrites jobs that are there",
                    "batch/Reservations",
                    "isRegistered(member) ? directory.refuseTaken(member.id()) : directory.refuseSentTwice(member.id())",
                    "null"),
            Mutant.of(
                    SIMULATION,
                    "the directory hears nothing when a job is removed",
                    "queue/Jobs",
                    "if (job.registered && isFree)",
                    "if (job.registered && job.deadLetter && isFree)"),
            Mutant.of(
                    SIMULATION,
                    "an id is not claimed before its job is placed",
                    "directory/Directory",
                    "            enter(id, new Entry(envelope.queue(), rules.atLeast(2) ? PASSED_ON : null, claim()));\n            out.pass",
                    "            out.pass"),
            Mutant.of(
                            SIMULATION,
                            "an id that is only claimed counts as taken",
                            "directory/Directory",
                            "if (queues.reserved().has(id) || (entry != null && entry.batch != null)) return unsettled(id);",
                            "if (queues.reserved().has(id)) return unsettled(id);")
                    .near(36),
            Mutant.of(
                    SIMULATION,
                    "a reply says when it was sent",
                    "queue/JobView",
                    "out.beginObject().members(parts.payload());",
                    "out.beginObject().members(parts.payload()).field(\"sent\", System.nanoTime());"),
            Mutant.of(
                    CROWDS,
                    "what is reserved for a batch takes no room",
                    "queue/Counts",
                    "if (job.reserved) reserved += by;",
                    "if (job.reserved) reserved += 0;"),
            Mutant.of(
                    CROWDS,
                    "there is room for a batch when there is room for one of its jobs",
                    "queue/Bounds",
                    "return new Demand(queue, jobs + more.jobs, bytes + more.bytes, type, tenants);",
                    "return new Demand(queue, jobs, bytes + more.bytes, type, tenants);"),
            Mutant.of(
                    CROWDS,
                    "a job that is to make room for a batch can be fetched",
                    "queue/Job",
                    "state == JobState.AVAILABLE && !reserved && promise == null && movingTo == null;",
                    "state == JobState.AVAILABLE && !reserved && movingTo == null;"),
            Mutant.of(
                            CROWDS,
                            "whoever counts along is not told what is still to make room",
                            "queue/Queues",
                            "queue.counts.depthWithPromised()",
                            "queue.counts.depth()")
                    .near(216),
            Mutant.of(
                    CROWDS,
                    "a batch that waits is forgotten when its time is up",
                    "batch/Batches",
                    "            askForTheLastTime(number, batch, batch.patience);\n",
                    "            forget(number, batch);\n"),
            Mutant.of(
                    CROWDS,
                    "room that is kept for parts takes none",
                    "queue/KeptRoom",
                    "queue.counts.expect(by * share.jobs, by * share.bytes);",
                    "queue.counts.expect(0, 0);"),
            Mutant.of(
                    CROWDS,
                    "room that was kept for parts stays when the batch is over",
                    "batch/Reservations",
                    "if (reserved.jobs().isEmpty()) queues.bounds().freeRoom(coordinator(name), batch(name));",
                    ""),
            // queues that are deleted
            Mutant.of(
                    CROWDS,
                    "no room is kept for jobs that are to be moved",
                    "queue/Expecting",
                    "queue.counts.expect(message.jobs(), message.bytes());",
                    "queue.counts.expect(0, 0);"),
            Mutant.of(
                    CROWDS,
                    "jobs are moved whether there is room or not",
                    "queue/Expecting",
                    "return fits ? gates.refuse(List.of(name)) : full(queue, message);",
                    "return gates.refuse(List.of(name));"),
            Mutant.of(
                    CROWDS,
                    "room that was kept for a move is never free again",
                    "queue/Expecting",
                    "free(kept.queue, kept.jobs, kept.bytes);",
                    "free(kept.queue, 0, 0);"),
            Mutant.of(
                            SIMULATION,
                            "nobody passes on what comes for a job that was moved",
                            "queue/Moving",
                            "out.tell(out.log(), id.toString(), message);",
                            "out.aboutNothing();")
                    .near(28),
            Mutant.of(
                            SIMULATION,
                            "the directory does not hear that a job was moved",
                            "directory/Directory",
                            "else if (known == null ? message.source().equals(out.log()) : message.hops() >= known.hops)",
                            "else if (message.source().equals(out.log()))")
                    .near(47),
            Mutant.of(
                            SIMULATION,
                            "a job that comes back into a queue that is deleted stays there",
                            "queue/Jobs",
                            "&& job.isLive() && !job.reserved) stirred.add(job.id);",
                            "&& job.isReady() && job.priority > 1_000) stirred.add(job.id);")
                    .near(30));
}
