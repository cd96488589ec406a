package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;

import io.floodgate.processor.own.OwnJobs;
import io.floodgate.processor.testing.Answered;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.UploadJobs;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.workflow.UnreadableWorkflow;
import io.floodgate.topics.workflow.WorkflowId;
import io.floodgate.topics.workflow.WorkflowJson;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import io.floodgate.topics.workflow.WorkflowStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A workflow that a gateway sends in parts. */
final class PartedWorkflow {
    private static final byte[] NO_JOB = {'{', '}'};

    private final WorkflowWorld world;
    private final WorkflowPlan plan;
    private final List<byte[]> jobs = new ArrayList<>();
    final JobId id;

    private @Nullable Long upload;

    PartedWorkflow(WorkflowWorld world, String body) {
        this(world, read(body), null);
    }

    private PartedWorkflow(WorkflowWorld world, WorkflowPlan read, @Nullable JobId given) {
        this.world = world;
        String queue = read.firstQueue();
        id = given == null ? OwnJobs.makeId(queue, world.log(queue).now(), OwnJobs.mix("w" + world.created++)) : given;
        plan = read.withId(WorkflowId.of(id));
        for (WorkflowStep step : plan.steps().subList(1, plan.steps().size())) {
            Envelope job = step.job();
            jobs.add(job == null ? NO_JOB : job.toJson());
        }
    }

    private static WorkflowPlan read(String body) {
        try {
            return WorkflowReader.read(WorkflowWorld.json(body));
        } catch (UnreadableWorkflow unreadable) {
            throw new AssertionError(unreadable.rejection().message(), unreadable);
        }
    }

    /** Another workflow, with the id and the parts of this one. */
    PartedWorkflow as(String body) {
        PartedWorkflow other = new PartedWorkflow(world, read(body), id);
        other.upload = upload;
        return other;
    }

    int steps() {
        return jobs.size();
    }

    /** The steps from this one on, of which the first of all is 1, and before that one. */
    Answered sends(int first, int end) {
        UploadJobs part = new UploadJobs(id, upload, first, jobs.subList(first - 1, end - 1));
        Answered answered = world.tell(plan.firstQueue(), ask(part));
        if (answered.reply() instanceof Reply.Done) upload = answered.shown().number("upload");
        return answered;
    }

    void sendsAll(int atOnce) {
        for (int first = 1; first <= steps(); first += atOnce) sends(first, Math.min(steps() + 1, first + atOnce));
    }

    Answered creates(Duration wait) {
        return creates(upload(), wait);
    }

    /** The answer comes later, if there is one. */
    void send(Duration wait) {
        world.at(world.log(plan.firstQueue()), ask(command(upload(), wait)));
    }

    private CreateWorkflow command(long number, Duration wait) {
        return new CreateWorkflow(WorkflowJson.outline(plan), wait, number);
    }

    Answered creates(long number, Duration wait) {
        Answered answered = world.tell(plan.firstQueue(), ask(command(number, wait)));
        if (world.ticks) world.cluster.after(Duration.ofMillis(100)).delivers();
        return answered;
    }

    long upload() {
        return upload == null ? -1 : upload;
    }
}
