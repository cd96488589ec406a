package io.floodgate.gateway.explain;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.workflow.WorkflowAnswer;
import io.floodgate.gateway.workflow.WorkflowOperations;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.workflow.WorkflowId;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** {@code /ojs/v1/workflows/{id}/explain}. */
public record WorkflowExplanations(
        Partitions partitions,
        WorkflowOperations workflows,
        ExplainOperations explanations,
        ExplainBudget budget,
        Clock clock) {
    /** Each costs a command. */
    static final int MAX_QUEUES = 5;

    public ApiResponse explain(Call call) throws CommandFailed, RejectedException {
        ExplanationAnswer form = ExplanationAnswer.wanted(call);
        WorkflowId id = WorkflowOperations.id(call);
        budget.take();
        String home = partitions.ofJob(id.key()).partition().toString();
        return ExplainOperations.answer(
                form,
                "workflow",
                () -> {
                    WorkflowAnswer workflow = workflows.standing(call);
                    List<Facts> steps =
                            workflow.steps().stream().map(Facts::new).toList();
                    Facts head = new Facts(workflow.head());
                    boolean isBlocked = haveProblems(WorkflowExplainer.lastQueues(head, steps));
                    return WorkflowExplainer.explain(head, steps, isBlocked, clock.instant(), home);
                },
                () -> WorkflowExplainer.unknown(id.text(), clock.instant(), home));
    }

    /** Whether all of these queues do, and there are some. */
    private boolean haveProblems(Set<String> queues) {
        if (queues.isEmpty() || queues.size() > MAX_QUEUES) return false;
        List<OjsEvent> happened = explanations.failures();
        List<Supplier<Explanation>> asked = queues.stream()
                .map(queue -> explanations.queue(queue, true, happened))
                .toList();
        return asked.stream().allMatch(queue -> queue.get().verdict().severity() == Severity.PROBLEM);
    }
}
