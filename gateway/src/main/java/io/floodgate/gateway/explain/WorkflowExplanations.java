package io.floodgate.gateway.explain;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.workflow.WorkflowAnswer;
import io.floodgate.gateway.workflow.WorkflowOperations;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import java.time.Clock;
import java.util.List;

/** {@code /ojs/v1/workflows/{id}/explain}. */
public final class WorkflowExplanations {
    private final CommandClient client;
    private final WorkflowOperations workflows;
    private final ExplainBudget budget;
    private final Clock clock;

    public WorkflowExplanations(CommandClient client, WorkflowOperations workflows, ExplainBudget budget, Clock clock) {
        this.client = client;
        this.workflows = workflows;
        this.budget = budget;
        this.clock = clock;
    }

    public ApiResponse explain(Call call) throws CommandFailed, RejectedException {
        ExplanationAnswer form = ExplanationAnswer.wanted(call);
        JobId id = WorkflowOperations.id(call);
        budget.take();
        String home = client.routing().ofJob(id).toString();
        return ExplainOperations.answer(
                form,
                "workflow",
                () -> {
                    WorkflowAnswer workflow = workflows.standing(call);
                    List<Facts> steps =
                            workflow.steps().stream().map(Facts::new).toList();
                    return WorkflowExplainer.explain(new Facts(workflow.head()), steps, clock.instant(), home);
                },
                () -> WorkflowExplainer.unknown(id.toString(), clock.instant(), home));
    }
}
