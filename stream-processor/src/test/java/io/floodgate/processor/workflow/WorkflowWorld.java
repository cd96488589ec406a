package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static io.floodgate.processor.testing.Commands.fetch;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.command.WorkflowCommand.CancelWorkflow;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.RetryWorkflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Partitions with workflows, and workers that run their jobs. Messages arrive at once. */
final class WorkflowWorld {
    final Cluster cluster;
    /** Workflows with ids of their own. */
    int created;
    /** Whether time passes after large ones are created: their first jobs follow with ticks. */
    boolean ticks = true;

    WorkflowWorld(int partitions) {
        cluster = new Cluster(partitions);
    }

    static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(UTF_8);
    }

    /** A job of a workflow, which is not tried again when it fails. */
    static String job(String type, String queue) {
        return "{'type':'%s','args':[],'options':{'queue':'%s','retry':{'max_attempts':1}}}".formatted(type, queue);
    }

    /** The same with an id, and what it depends on. */
    static String step(String id, String queue, String more) {
        return "{'id':'%s','type':'t.%s','args':[],'options':{'queue':'%s','retry':{'max_attempts':1}}%s}"
                .formatted(id, id, queue, more);
    }

    TestPartition log(String queue) {
        return cluster.log(cluster.routing().ofQueue(queue));
    }

    private TestPartition log(JobId id) {
        return cluster.log(cluster.routing().ofJob(id));
    }

    TestPartition at(TestPartition log, Ask... asks) {
        cluster.receives(log.id().partition(), asks);
        cluster.delivers();
        return log;
    }

    Answered tell(String queue, Ask what) {
        return at(log(queue), what).replies();
    }

    /** @param queue of its first job */
    Answered creates(String queue, String body, Duration wait) {
        return tell(queue, ask(new CreateWorkflow(json(body), wait)));
    }

    JobId create(String queue, String body) {
        return JobId.parse(creates(queue, body, Duration.ZERO).shown().text("id"))
                .orElseThrow();
    }

    List<Shown> fetches(String queue, int count) {
        return tell(queue, fetch(queue).by("w").count(count)).lines();
    }

    /** The next job of the queue; null if there is none. */
    @Nullable
    Shown fetchOne(String queue) {
        List<Shown> jobs = fetches(queue, 1);
        return jobs.isEmpty() ? null : jobs.getFirst();
    }

    static JobId id(Shown job) {
        return JobId.parse(job.text("id")).orElseThrow();
    }

    void ack(Shown job, String result) {
        at(log(id(job)), ask(new Ack(id(job), Claimant.UNNAMED, json(result))));
    }

    void nack(Shown job) {
        at(log(id(job)), ask(new Nack(id(job), Claimant.UNNAMED, ErrorReport.of("handler_error", "it broke"), false)));
    }

    /** Runs the next job of each of these queues, in this order, and completes it. */
    void runs(String... queues) {
        for (String queue : queues) {
            Shown job = fetchOne(queue);
            if (job == null) throw new AssertionError("nothing to run in " + queue);
            ack(job, "{'of':'" + job.text("type") + "'}");
        }
    }

    void fails(String queue) {
        Shown job = fetchOne(queue);
        if (job == null) throw new AssertionError("nothing to fail in " + queue);
        nack(job);
    }

    Answered cancels(JobId id, boolean activeToo) {
        return at(log(id), ask(new CancelWorkflow(id, activeToo))).replies();
    }

    Answered retries(JobId id, String... steps) {
        return at(log(id), ask(new RetryWorkflow(id, List.of(steps)))).replies();
    }

    /** @param jobs of a group */
    Answered adds(JobId id, String jobs) {
        return adds(id, jobs, null);
    }

    Answered adds(JobId id, String jobs, @Nullable Long total) {
        byte[] group = json("{'type':'group','jobs':[" + jobs + "]}");
        return at(log(id), ask(new AddJobs(id, group, total))).replies();
    }

    /** @param steps of a graph */
    Answered addsSteps(JobId id, String steps) {
        byte[] graph = json("{'type':'dag','steps':[" + steps + "]}");
        return at(log(id), ask(new AddJobs(id, graph, null))).replies();
    }

    Answered get(JobId id) {
        return at(log(id), ask(new GetWorkflow(id, 1, GetWorkflow.MAX_LIMIT, true)))
                .replies();
    }

    Shown show(JobId id) {
        return get(id).shown();
    }

    /** Each step as id=state, in their order. */
    List<String> states(JobId id) {
        List<String> states = new ArrayList<>();
        for (Shown step : get(id).lines().subList(1, get(id).lines().size()))
            states.add(step.text("id") + "=" + step.text("state"));
        return states;
    }

    Shown step(JobId id, String step) {
        for (Shown each : get(id).lines().subList(1, get(id).lines().size()))
            if (each.text("id").equals(step)) return each;
        throw new AssertionError("no step " + step);
    }

    PartitionId home(JobId id) {
        return cluster.routing().ofJob(id);
    }
}
