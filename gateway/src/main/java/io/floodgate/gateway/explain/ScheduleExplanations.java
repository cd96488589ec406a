package io.floodgate.gateway.explain;

import io.floodgate.gateway.cron.CronOperations;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.topics.Routing;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.CronCommand;
import java.time.Clock;

/** {@code /ojs/v1/cron/{name}/explain}. */
public record ScheduleExplanations(CronOperations crons, Routing routing, ExplainBudget budget, Clock clock) {
    public ApiResponse explain(Call call) throws CommandFailed, RejectedException {
        ExplanationAnswer form = ExplanationAnswer.wanted(call);
        budget.take();
        String name = CronOperations.name(call);
        String from = CronCommand.home(routing, name).toString();
        return ExplainOperations.answer(
                form,
                "cron",
                () -> ScheduleExplainer.explain(Facts.of(crons.figures(call)), clock.instant(), from),
                () -> ScheduleExplainer.unknown(name, clock.instant(), from));
    }
}
