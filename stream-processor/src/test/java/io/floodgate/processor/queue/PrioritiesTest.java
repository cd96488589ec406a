package io.floodgate.processor.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.QueueCommand.CountPriorities;
import org.junit.jupiter.api.Test;

/** How many available jobs a queue has of each priority. */
class PrioritiesTest extends PartitionTest {
    private static Commands.Job limited(String job, int priority) {
        return enqueue(job).priority(priority).member("rate_limit", "{\"key\":\"k\",\"concurrency\":1}");
    }

    private void counts(String distribution, String byPriority) {
        log.receives(ask(new CountPriorities("q")))
                .replies()
                .shown()
                .showsJson("distribution", distribution)
                .showsJson("counts_by_priority", byPriority);
    }

    @Test
    void are_counted_with_the_highest_first_and_those_with_a_rate_limit_too() {
        log.receives(
                enqueue("a"),
                enqueue("b").priority(5),
                enqueue("c").priority(5),
                enqueue("d").priority(-1));
        log.receives(limited("e", 5), limited("f", 7));
        counts(
                "[{'priority':7,'count':1},{'priority':5,'count':3},{'priority':0,'count':1},{'priority':-1,'count':1}]",
                "{'7':1,'5':3,'0':1,'-1':1}");
        log.restarts().receives(fetch().count(2));
        counts("[{'priority':5,'count':2},{'priority':0,'count':1},{'priority':-1,'count':1}]", "{'5':2,'0':1,'-1':1}");
    }

    @Test
    void of_a_queue_that_no_client_knows_are_none() {
        counts("[]", "{}");
        assertThat(log.engine().queueNames()).isEmpty();
    }
}
