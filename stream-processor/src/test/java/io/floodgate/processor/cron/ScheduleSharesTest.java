package io.floodgate.processor.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.topics.command.CronCommand;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Reply;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys that are confined in the same way have a share of a partition's schedules. */
class ScheduleSharesTest extends CronFixture {
    private final Identity confined = new Identity("a", List.of(here), null);
    private final Identity ofTenant = new Identity("b", List.of(here), "acme");
    private final Identity operator = new Identity("c", null, null);
    private final PutSchedule like = put("0 0 1 1 *", here, false);
    private final Iterator<String> names = IntStream.iterate(0, i -> i + 1)
            .mapToObj(i -> "share-" + i)
            .filter(each -> CronCommand.home(cluster.routing(), each).equals(home.id()))
            .iterator();

    private Answered puts(Identity by) {
        return puts(by, names.next());
    }

    private Answered puts(Identity by, String name) {
        return home.receives(ask(new PutSchedule(name, like.spec(), false, null, like.plan()))
                        .sentBy(by))
                .replies();
    }

    @Test
    void one_key_cannot_take_all_schedules_of_a_partition() {
        home.unaudited();
        String first = names.next();
        puts(confined, first);
        for (int i = 1; i < ScheduleStore.MAX_OWNED; i++) puts(confined);
        puts(confined).rejected(ErrorCode.RATE_LIMITED);
        assertThat(puts(confined, first).reply()).isInstanceOf(Reply.Done.class);
        assertThat(puts(ofTenant).reply()).isInstanceOf(Reply.Done.class);
        assertThat(puts(operator).reply()).isInstanceOf(Reply.Done.class);
        home.restarts();
        puts(confined).rejected(ErrorCode.RATE_LIMITED);
    }
}
