package io.floodgate.gateway.workflow;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.access.Scope.PRODUCE;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.post;

import io.floodgate.gateway.http.Operation;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.Route;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.workflow.WorkflowReader;
import java.util.List;

/** The routes of workflows, and of signals for which their steps wait. */
public final class WorkflowRoutes {
    private static final String ONE = WorkflowOperations.PATH + "/{id}";

    private WorkflowRoutes() {}

    public static List<Route> of(Partitions partitions, WorkflowOperations workflows, Operation explanation) {
        var pages = new WorkflowPages(partitions);
        var signals = new SignalOperations(partitions);
        return List.of(
                post("workflow.create", WorkflowOperations.PATH, PRODUCE, workflows::create)
                        .ofJobs()
                        .upTo(WorkflowReader.MAX_BYTES)
                        .bringingJobs(),
                get("workflow.list", WorkflowOperations.PATH, pages::list).ofJobs(),
                get("workflow.get", ONE, workflows::get).ofJobs(),
                get("workflow.progress", ONE + "/progress", workflows::progress).ofJobs(),
                get("workflow.results", ONE + "/results", workflows::results).ofJobs(),
                get("workflow.result", ONE + "/results/{step}", workflows::result)
                        .ofJobs(),
                get("workflow.steps", ONE + "/steps", workflows::steps).ofJobs(),
                get("workflow.explain", ONE + "/explain", explanation).ofJobs(),
                delete("workflow.cancel", ONE, PRODUCE, workflows::cancel).ofJobs(),
                post("workflow.add_jobs", ONE + "/jobs", PRODUCE, workflows::addJobs)
                        .ofJobs()
                        .upTo(AddJobs.MAX_BYTES)
                        .bringingJobs(),
                post("workflow.cancel", ONE + "/cancel", PRODUCE, workflows::cancel)
                        .ofJobs(),
                post("workflow.cancel", "/ojs/v1/admin/workflows/{id}/cancel", ADMIN, workflows::cancel)
                        .ofJobs(),
                post("workflow.retry", ONE + "/retry", ADMIN, workflows::retry).ofJobs(),
                post("signal.send", SignalOperations.PATH, PRODUCE, signals::send)
                        .ofTenant()
                        .upTo(SignalOperations.MAX_BODY),
                get("signal.get", SignalOperations.PATH, signals::get).ofTenant(),
                delete("signal.forget", SignalOperations.PATH, ADMIN, signals::forget)
                        .ofTenant());
    }
}
