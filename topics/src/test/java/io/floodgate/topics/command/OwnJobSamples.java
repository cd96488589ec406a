package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.JOB;
import static io.floodgate.topics.command.Samples.OTHER;
import static io.floodgate.topics.command.Samples.json;

import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.OwnJobMessage.AskOwn;
import io.floodgate.topics.command.OwnJobMessage.CancelOwn;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.command.OwnJobMessage.PlacedOwn;
import io.floodgate.topics.command.OwnJobMessage.TellOwners;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Messages about jobs that the system makes. */
final class OwnJobSamples {
    private static final PartitionId LOG = new PartitionId(3);
    private static final byte[] JOB_JSON = json("{\"type\":\"report\",\"args\":[],\"queue\":\"reports\"}");

    private OwnJobSamples() {}

    static void add(Map<String, Command> samples) {
        JobOwner owner = new JobOwner("schedule", LOG, "nightly", "17", false);
        JobOwner step = new JobOwner("step", LOG, JOB.toString(), "2.1", true);
        Instant at = Instant.parse("2026-02-13T12:05:00.25Z");
        samples.put("place-own", PlaceOwn.orSkip(owner, JOB, JOB_JSON));
        samples.put("place-own-waiting", PlaceOwn.asQueueSays(owner, JOB, JOB_JSON, Duration.ofMinutes(1)));
        samples.put("place-own-in-room", PlaceOwn.inRoomOf(OTHER, step, JOB, JOB_JSON, PlaceOwn.FOREVER));
        samples.put("placed-own", new PlacedOwn(owner, JOB, false, null, at));
        samples.put("placed-own-waits", new PlacedOwn(owner, JOB, true, null, at));
        samples.put(
                "placed-own-rejected",
                new PlacedOwn(owner, JOB, false, Rejection.of(ErrorCode.QUEUE_FULL, "no room"), at));
        samples.put(
                "tell-owners",
                new TellOwners(
                        LOG,
                        List.of(
                                new OwnerNote(step, JOB, 1, JobState.COMPLETED, false, 2, at, json("[1]"), null),
                                new OwnerNote(
                                        owner, OTHER, 2, JobState.DISCARDED, true, 1, null, null, json("{\"n\":1}")))));
        samples.put("ask-own", new AskOwn(owner, JOB, 1));
        samples.put("cancel-own", new CancelOwn(owner, JOB, OTHER, 0));
        samples.put("cancel-own-least", new CancelOwn(owner, JOB, null, 0));
    }
}
