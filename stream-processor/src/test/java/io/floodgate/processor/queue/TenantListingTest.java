package io.floodgate.processor.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.AdminCommand.ListTenants;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two queues that bound their tenants, and one that does not. */
class TenantListingTest extends PartitionTest {
    @BeforeEach
    void three_queues() {
        log.receives(
                bound("a", QueueConfig.of(new TenantBounds(Map.of("acme", 5L, "named", 7L)))),
                bound("b", QueueConfig.of(new TenantBounds(Map.of(TenantBounds.OTHERS, 3L)))));
        log.receives(
                enqueue("j1").to("a").of("acme"),
                enqueue("j2").to("a").of("acme"),
                enqueue("j3").to("b").of("acme"),
                enqueue("j4").to("b"),
                enqueue("j5").to("b").of("zeta"),
                enqueue("j6").to("c").of("elsewhere"));
    }

    @Test
    void tells_what_each_has_and_may_have_by_name() {
        log.receives(fetch("a"), ask(new ListTenants(10, null)));
        assertThat(log.replies().lines().stream()
                        .map(line -> line.json().toString().replace('"', '\'')))
                .containsExactly(
                        "{}",
                        "{'tenant_id':'_default','queues':[{'queue':'b','depth':1,'available':1,'max_depth':3,'own':false}]}",
                        "{'tenant_id':'acme','queues':[{'queue':'a','depth':2,'available':1,'max_depth':5,'own':true},"
                                + "{'queue':'b','depth':1,'available':1,'max_depth':3,'own':false}]}",
                        "{'tenant_id':'named','queues':[{'queue':'a','depth':0,'available':0,'max_depth':7,'own':true}]}",
                        "{'tenant_id':'zeta','queues':[{'queue':'b','depth':1,'available':1,'max_depth':3,'own':false}]}");
    }

    @Test
    void goes_on_where_a_slice_has_ended() {
        log.receives(ask(new ListTenants(2, null)));
        log.replies().line(0).shows("next", "acme");
        assertThat(log.replies().lines()).hasSize(3);
        log.receives(ask(new ListTenants(2, "acme")));
        log.replies().line(1).shows("tenant_id", "named");
        log.replies().line(2).shows("tenant_id", "zeta");
        assertThat(log.replies().line(0).json().has("next")).isFalse();
    }

    @Test
    void tells_of_one() {
        log.receives(ask(new GetTenant("zeta")));
        assertThat(log.replies().lines()).hasSize(2);
        log.replies().line(1).shows("tenant_id", "zeta");
        log.receives(ask(new GetTenant("elsewhere")));
        assertThat(log.replies().lines()).hasSize(1);
    }
}
