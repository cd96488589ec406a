package io.floodgate.processor.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.PoolCommand.DeletePool;
import io.floodgate.topics.command.PoolCommand.GetPool;
import io.floodgate.topics.command.PoolCommand.ListPools;
import io.floodgate.topics.command.PoolCommand.PutPool;
import io.floodgate.topics.queue.QueueSharing;
import io.floodgate.topics.queue.WorkerPool;
import java.util.LinkedHashMap;
import org.junit.jupiter.api.Test;

class PoolsTest extends PartitionTest {
    private static WorkerPool pool(String name, QueueSharing sharing, int weight) {
        LinkedHashMap<String, Integer> queues = new LinkedHashMap<>();
        queues.put("critical", weight);
        queues.put("default", 1);
        return new WorkerPool(name, sharing, queues);
    }

    @Test
    void a_pool_is_shown_as_it_was_defined_also_after_a_restart() {
        log.receives(ask(new PutPool(pool("general", QueueSharing.WEIGHTED, 5))));
        log.replies().shown().showsJson("created", "true");
        log.restarts();
        log.receives(ask(new GetPool("general")));
        log.replies()
                .shown()
                .shows("strategy", "weighted")
                .showsJson("queues", "['critical','default']")
                .showsJson("weights", "{'critical':5,'default':1}");
    }

    @Test
    void a_change_is_an_event_and_the_same_again_is_none() {
        log.receives(ask(new PutPool(pool("general", QueueSharing.WEIGHTED, 5))));
        log.receives(ask(new PutPool(pool("general", QueueSharing.STRICT, 5))));
        log.event("scheduling.rebalanced")
                .shows("pool", "general")
                .shows("previous_strategy", "weighted")
                .shows("new_strategy", "strict");
        log.receives(ask(new PutPool(pool("general", QueueSharing.STRICT, 5))));
        log.emits();
    }

    @Test
    void pools_are_listed_by_name_and_forgotten() {
        for (String name : new String[] {"c", "a", "b"})
            log.receives(ask(new PutPool(pool(name, QueueSharing.STRICT, 1))));
        log.receives(ask(new ListPools(2, "a")));
        assertThat(log.replies().lines().stream().map((Shown pool) -> pool.text("name")))
                .containsExactly("b", "c");
        log.receives(ask(new DeletePool("b")));
        log.receives(ask(new GetPool("b")));
        log.replies().rejected(ErrorCode.NOT_FOUND);
        log.receives(ask(new DeletePool("b")));
        log.replies().rejected(ErrorCode.NOT_FOUND);
    }
}
