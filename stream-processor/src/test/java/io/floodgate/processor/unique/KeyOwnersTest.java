package io.floodgate.processor.unique;

import static io.floodgate.processor.testing.Commands.ack;
import static io.floodgate.processor.testing.Commands.enqueue;
import static io.floodgate.processor.testing.Commands.fetch;
import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.PERMISSION_DENIED;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.unique.OnConflict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whose a key of unique jobs is: what a confined caller can do to jobs of others, and learn of them. */
class KeyOwnersTest {
    private static final String GIVEN = "0123456789abcdef".repeat(4);

    private final Cluster cluster = new Cluster(4);
    private final TestPartition here = cluster.log(1);
    private final TestPartition there = cluster.log(2);
    private final String mine = Ids.queueIn(here.id(), cluster.routing(), "mine");
    private final String shop = Ids.queueIn(there.id(), cluster.routing(), "shop");

    private final Identity everything = new Identity("ops", null, null);
    private final Identity ofMine = new Identity("a", List.of(mine), null);
    private final Identity ofMineToo = new Identity("b", List.of(mine), null);
    private final Identity ofShop = new Identity("c", List.of(shop), null);
    private final Identity ofBoth = new Identity("d", List.of(mine, shop), null);
    private final Identity acme = new Identity("e", null, "acme");
    private final Identity beta = new Identity("f", null, "beta");
    private final Identity defaultTenant = new Identity("g", null, "default");

    private final Map<String, TestPartition> asked = new HashMap<>();

    private String name(TestPartition log) {
        return Ids.nicknameIn(log.id(), cluster.routing(), "n" + asked.size() + "x");
    }

    private String policy(OnConflict onConflict, boolean given) {
        return "{\"on_conflict\":\"%s\"%s}"
                .formatted(onConflict.wire(), given ? ",\"unique_key\":\"" + GIVEN + "\"" : "");
    }

    /** The name of the job, which is stored in the partition of its queue. */
    private String enqueues(@Nullable Identity by, String queue, String policy) {
        TestPartition log = queue.equals(mine) ? here : there;
        String name = name(log);
        asked.put(name, log);
        Commands.Job job = enqueue(name).to(queue).member("unique", policy).madeId();
        if (by != null && by.tenant() != null && !by.tenant().equals("default"))
            job.member("meta", "{\"tenant_id\":\"" + by.tenant() + "\"}");
        Ask ask = by == null ? job : job.sentBy(by);
        cluster.receives(queue.equals(mine) ? 1 : 2, ask.as(name)).delivers();
        return name;
    }

    private Answered answer(String name) {
        return asked.get(name).repliesTo(name);
    }

    @ParameterizedTest
    @EnumSource(OnConflict.class)
    void a_confined_caller_and_another_one_have_no_duplicates_of_each_other(OnConflict onConflict) {
        List<Identity> owners = List.of(everything, ofMine, ofShop, ofBoth, acme, beta, defaultTenant);
        for (boolean given : new boolean[] {false, true}) {
            for (Identity owner : owners) {
                String queue = owner.equals(ofShop) ? shop : mine;
                answer(enqueues(owner, queue, policy(onConflict, given)))
                        .shown()
                        .is("available")
                        .hides("deduplicated", "replaced_job_id");
            }
            answer(enqueues(null, shop, policy(OnConflict.REJECT, given))).rejected(DUPLICATE);
        }
        for (PartitionId log : cluster.routing().logs())
            assertThat(Stored.live(cluster.log(log)))
                    .allMatch(job -> Stored.rows(cluster.log(job.tie.home())).contains(job.id.toString()));
    }

    @Test
    void callers_with_the_same_queues_share_keys() {
        String first = enqueues(ofMine, mine, policy(OnConflict.REJECT, false));
        answer(enqueues(ofMineToo, mine, policy(OnConflict.REJECT, false)))
                .rejected(DUPLICATE)
                .with("existing_job_id", Ids.id(first).toString());
        cluster.receives(1, fetch(mine).by("w")).receives(1, ack(first).by("w")).delivers();
        answer(enqueues(ofMineToo, mine, policy(OnConflict.REJECT, false)))
                .shown()
                .is("available");
    }

    @Test
    void a_caller_that_may_not_see_the_job_of_its_key_learns_nothing_of_it() {
        // Shared patterns, and a job that has gone to a queue of others.
        String holder = enqueues(ofMine, shop, policy(OnConflict.REJECT, true));
        for (OnConflict onConflict : OnConflict.values()) {
            Answered answer = answer(enqueues(ofMine, mine, policy(onConflict, true)));
            answer.rejected(onConflict.replaces() ? PERMISSION_DENIED : DUPLICATE);
            assertThat(answer.toString()).doesNotContain(Ids.id(holder).toString(), "existing_job_state");
        }
        there.job(holder).is("available");
    }
}
