package io.floodgate.processor.partition;

import static io.floodgate.processor.testing.Commands.enqueue;
import static io.floodgate.processor.testing.Commands.fetch;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.AdminCommand.GetBulk;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.AdminCommand.ListLeases;
import io.floodgate.topics.command.AdminCommand.ListTenants;
import io.floodgate.topics.command.AdminCommand.ListWorkers;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.CommandType;
import io.floodgate.topics.command.CommandTypes;
import io.floodgate.topics.command.CronCommand.GetSchedule;
import io.floodgate.topics.command.CronCommand.ListSchedules;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import io.floodgate.topics.command.KeyCommand.GetKey;
import io.floodgate.topics.command.KeyCommand.ListKeys;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.PartitionCommand.ListQuarantined;
import io.floodgate.topics.command.PoolCommand.GetPool;
import io.floodgate.topics.command.PoolCommand.ListPools;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CountPriorities;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.SchemaCommand.ChangedSchemas;
import io.floodgate.topics.command.SchemaCommand.Revision;
import io.floodgate.topics.command.SignalCommand.GetSignal;
import io.floodgate.topics.command.SinkCommand.ListSinks;
import io.floodgate.topics.command.SourceCommand.ListSources;
import io.floodgate.topics.command.WebhookCommand.ListSubscriptions;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.command.WorkflowCommand.GetStepJobs;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.ListWorkflows;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A command whose row calls it a query changes nothing. */
class QueriesTest {
    private static final List<Command> QUERIES = List.of(
            new GetQueue("email"),
            new GetQueue("unknown"),
            new ExplainQueue("email"),
            new ExplainQueue("unknown"),
            new CountPriorities("email"),
            new CheckIds(List.of(Ids.id("a"))),
            new GetJob(Ids.id("a")),
            new GetWorker("w1"),
            new GetLimit("key"),
            new ListLimits(10, null),
            new CountLimited(List.of("key")),
            new GetKey("0".repeat(64)),
            new CheckKeys(List.of("0".repeat(64))),
            new ListKeys(10, null),
            new ListJobs(JobFilter.of(), false, 10, null),
            new ListDead(null, 10, null),
            new ListWorkers(10, null),
            new ListLeases("w1", 10),
            new ListTenants(10, null),
            new GetTenant("acme"),
            new GetBulk("purge"),
            new GetSchedule("nightly", true),
            new ListSchedules(10, null),
            new GetWorkflow(Ids.id("w"), 0, 10, true),
            new ListWorkflows(null, null, 10, null),
            new GetStepJobs(List.of(Ids.id("a"))),
            new GetSignal(null, "payment", "order-17"),
            new GetPool("a"),
            new ListPools(10, null),
            new ChangedSchemas(Revision.NONE),
            new ListSubscriptions(0),
            new ListSources(0),
            new ListSinks(0),
            new Inspect(),
            new ListQuarantined(10, null));

    @Test
    void every_query_is_tried() {
        assertThat(QUERIES.stream().<Class<?>>map(Object::getClass).distinct())
                .containsExactlyInAnyOrderElementsOf(CommandTypes.all().stream()
                        .filter(CommandType::isQuery)
                        .<Class<?>>map(CommandType::type)
                        .toList());
    }

    @Test
    void no_query_changes_what_is_stored() {
        TestPartition log = new TestPartition().receives(enqueue("a"), enqueue("b"), fetch().by("w1"));
        for (Command query : QUERIES) {
            var before = log.state().entriesButPosition();
            CommandCodec.Encoded encoded = CommandCodec.encode(query);
            log.receivesRaw(encoded.op(), encoded.value());
            assertThat(log.state().entriesButPosition())
                    .as("%s", query.getClass())
                    .isEqualTo(before);
        }
    }
}
