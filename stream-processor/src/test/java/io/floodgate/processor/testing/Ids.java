package io.floodgate.processor.testing;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;

/** Job ids by nickname: the same nickname is always the same id. */
public final class Ids {
    private static final long MADE_AT = TestPartition.START.toEpochMilli();

    private Ids() {}

    /** The id called so; its slot follows from the nickname. A full UUID stands for itself. */
    public static JobId id(String nickname) {
        return JobId.parse(nickname)
                .orElseGet(() -> JobId.make(
                        Slot.of(nickname),
                        MADE_AT,
                        Slot.of("chance of " + nickname).tag()));
    }

    /** A nickname, beginning like this, of an id that is at home in the given log. */
    public static String nicknameIn(PartitionId log, Routing routing, String beginning) {
        for (int n = 0; ; n++) {
            String nickname = beginning + n;
            if (routing.ofJob(id(nickname)).equals(log)) return nickname;
        }
    }

    /** A queue name, beginning like this, that the given log owns. */
    public static String queueIn(PartitionId log, Routing routing, String beginning) {
        for (int n = 0; ; n++) {
            String queue = beginning + n;
            if (routing.ofQueue(queue).equals(log)) return queue;
        }
    }

    /** A worker id, beginning like this, that is registered in the given log. */
    public static String workerIn(PartitionId log, Routing routing, String beginning) {
        for (int n = 0; ; n++) {
            String worker = beginning + n;
            if (routing.ofWorker(worker).equals(log)) return worker;
        }
    }
}
