package io.floodgate.gateway.explain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A row of the table of explanations: all that is said about one code. The texts are {@linkplain Template templates}. */
final class Row {
    /** @param docs null for none */
    private record Help(
            String text,
            @Nullable Request request,
            @Nullable String docs) {}

    private final List<Severity> severities;
    private final List<Help> advice = new ArrayList<>();
    private String meaning = "";
    private String help = "Nothing.";
    private String title = "";
    private String text = "";
    private String evidence = "";
    private String since = "";

    private Row(List<Severity> severities) {
        this.severities = severities;
    }

    /** A finding that has one of these severities. */
    static Row is(Severity... severities) {
        return new Row(List.of(severities));
    }

    /** The row of all things that maintenance stops. */
    static Row maintenance() {
        return is(Severity.WARNING)
                .when("Maintenance is on: no queue hands out jobs.")
                .then("End the maintenance.")
                .title("The server is in maintenance[: {maintenance_reason}]")
                .text("No queue hands out jobs until maintenance ends.[ It is expected to end at {maintenance_until}.]")
                .since("maintenance_since")
                .evidence("reason=maintenance_reason until=maintenance_until")
                .advise("End the maintenance.", Request.END_MAINTENANCE);
    }

    /** A finding about steps of a workflow, of which the first are named. */
    Row steps(String what) {
        return title(what + ": [{is_many?}{steps} steps|step '{step}']")
                .text(
                        "[{is_many?}The first are {first}.][ ({detail}: {details})]"
                                + "[{is_one?} Step '{step}' waits for step '{needed}'."
                                + "| Step '{step}' waits for {needed_total} steps: {needed}[ and {more} more].|]"
                                + "[{is_blocked?} Every queue in question has a problem, and no other step can make the workflow go on.]")
                .since("stuck_since")
                .evidence("reason steps first named*");
    }

    /** A job that was discarded for a reason. */
    Row discarded(String why) {
        return title("Job {job_id} was discarded: " + why)
                .text("[The last error: {last_error}]")
                .since("discarded_at")
                .evidence("discarded_at error=last_error dead_letter_queue");
    }

    /** Advises to retry a job: without the request where it would be rejected. */
    Row retry(String advised) {
        return advise("[{not_now?}|" + advised + "]", Request.RETRY_JOB)
                .advise("[" + advised + " It cannot be retried now: {not_now}.]");
    }

    /** The condition with its thresholds, as the documentation has it. */
    Row when(String condition) {
        meaning = condition;
        return this;
    }

    /** The documentation of what an operator can do; nothing by default. */
    Row then(String whatToDo) {
        help = whatToDo;
        return this;
    }

    Row title(String oneLine) {
        title = oneLine;
        return this;
    }

    /** At most three sentences. */
    Row text(String sentences) {
        text = sentences;
        return this;
    }

    /** @param names as {@link Values#pick} takes them */
    Row evidence(String names) {
        evidence = names;
        return this;
    }

    /** @param time the name of the time since when it is so */
    Row since(String time) {
        since = time;
        return this;
    }

    /** Advice whose text is empty is left out: a condition may be put in brackets. */
    Row advise(String advised) {
        advice.add(new Help(advised, null, null));
        return this;
    }

    Row advise(String advised, String docs) {
        advice.add(new Help(advised, null, docs));
        return this;
    }

    Row advise(String advised, Request request) {
        advice.add(new Help(advised, request, null));
        return this;
    }

    String severities() {
        return severities.stream().map(Severity::wire).collect(Collectors.joining(", "));
    }

    String meaning() {
        return meaning;
    }

    String help() {
        return help;
    }

    /** The only severity of the row. */
    Severity severity() {
        if (severities.size() != 1) throw new IllegalStateException("one of several severities: " + severities);
        return severities.getFirst();
    }

    Finding finding(FindingCode code, Severity severity, FindingFacts facts) {
        if (!severities.contains(severity))
            throw new IllegalArgumentException(severity + " is not documented: " + code);
        List<Advice> given = new ArrayList<>();
        for (Help each : advice) {
            String said = Template.fill(each.text, facts);
            if (said.isEmpty()) continue;
            given.add(new Advice(said, each.request == null ? null : each.request.action(facts), each.docs));
        }
        return new Finding(
                code,
                severity,
                facts.value(since) instanceof Instant time ? time : null,
                Template.fill(title, facts),
                Template.fill(text, facts).strip(),
                evidence.isEmpty() ? new Evidence() : facts.pick(evidence),
                given);
    }
}
