package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The page of all codes is made from them: {@code -Dpages.write=true} writes it. */
class ExplanationsPageTest {
    private static final Path PAGE = Path.of("../docs/reference/explanations.md");

    private static final String INTRODUCTION = """
            # Explanations

            Why is this queue full, why does this job not run, who is stopped? The server answers with a verdict, its evidence and
            what to do. The tables below are made from the code; a test checks that this page is up to date.

            | ask | route | command |
            |---|---|---|
            | about a queue | `GET /ojs/v1/queues/{name}/explain` | `./floodgate why queue NAME` |
            | about a job | `GET /ojs/v1/jobs/{id}/explain` | `./floodgate why job ID` |
            | about a rate limit | `GET /ojs/v1/rate-limits/{key}/explain` | `./floodgate why limit KEY` |
            | about a schedule | `GET /ojs/v1/cron/{name}/explain` | `./floodgate why schedule NAME` |
            | about a source | `GET /ojs/v1/admin/sources/{name}/explain` | `./floodgate why source NAME` |
            | about a tenant | `GET /ojs/v1/admin/tenants/{id}/explain` | `./floodgate why tenant ID` |
            | about a worker | `GET /ojs/v1/admin/workers/{id}/explain` | `./floodgate why worker ID` |
            | about the server | `GET /ojs/v1/admin/explain` | `./floodgate why system` |

            ## Forms

            - JSON; with `Accept: text/plain` or `?format=text` text for a terminal of 80 columns; with `Accept: text/markdown` or
              `?format=markdown` Markdown for the notes of an incident. All are made from one value.
            - The header `Floodgate-Severity` of each answer has the severity of the verdict. `./floodgate why` exits with 0 (ok, info),
              1 (warning), 2 (problem), 3 (no answer) or 4 (unknown: there is nothing of this name).
            - `./floodgate why` takes `--url` (or `OJS_URL`), `--key` (or `OJS_AUTH_TOKEN`), `--key-file`, `--json` and `--markdown`.

            ```json
            {"subject": {"kind": "queue", "name": "email"}, "as_of": "2026-11-24T02:59:12.402Z", "exact": true, "from": "ojs.commands/3",
             "verdict": {"code": "paused", "severity": "warning", "since": "…", "title": "Queue 'email' is paused: 12 jobs wait", "text": "…"},
             "findings": [{"code": "paused", "severity": "warning", "since": "…", "title": "…", "text": "…", "evidence": {"paused_by": "ops"},
               "do": [{"text": "Resume the queue.", "action": {"id": "queue.resume", "method": "POST", "path": "/ojs/v1/queues/email/resume",
                 "scope": "admin", "class": "A"}}]}],
             "figures": {"depth": 12}, "who": {}, "not_known": []}
            ```

            - `findings` are all that are true: problems, then warnings, then information, in the order of the tables. `verdict` repeats the
              first one. There is always one.
            - `code` is for programs and stable; `title` and `text` are for people.
            - `do` has at most three entries. An `action` is a request that is ready to be sent: class `A` can be taken back by the opposite
              request, class `B` changes how things go on. `docs` names a page from the root of the project.
            - `exact` is false when the partition does not answer. Then the figures are the last published ones, and no action is advised.
            - A rate or a count over time has its window in `window_seconds`. Lists have at most 10 entries.
            - Samples are bounded: 1,000 leases, 200 available jobs and 500 unfinished ones of the partition, 200 errors. What a sample did
              not cover is named in `not_known`.
            - A key for some queues does not see which other keys and tenants wait for capacity.
            - A gateway gives at most 100 explanations per second, and answers 503 beyond that. An explanation of a queue costs one command
              to one partition, of a job two or three, of a limit or the server one or two to each partition, of a workflow one to its own
              partition, one to each partition with its jobs, and one to each of the queues that it depends on, if they are five at most.
            - To explain a queue, job, limit, tenant or worker that does not exist is answered with 404 and the explanation in
              `error.details.explanation`; as text, with the text.

            ## Overview

            `GET /ojs/v1/admin/overview`, the first page of the console and `./floodgate status` show all findings of the severities `problem` and
            `warning` of the server, queues, workers, tenants, limits, schedules, workflows, webhooks and sources:

            - Problems come before warnings. Within these, harm decides: the server itself; then jobs that are dropped or dead, and workers that are
              lost; then jobs that are rejected; then what fails; then what waits.
            - An entry is the finding of one thing, with `count` 1, or of more than three of a kind; of more than one, if there would be more than
              eight entries. Then `subject`, `finding` and `title` have the
              worst one, `examples` has five, and `list` is the request that lists all.
            - Of many suspicious queues, some of each sign are explained. The others count with those that have the same sign: `not_examined` says
              how many. Queues that fit no entry are in `ungrouped`.
            - Of schedules, those that `fails` is true of are found; of workflows, those that have failed within 24 h, and those that are stuck.
              Each partition names the first few and counts the others. Workflows are asked about five at a time.
            """;

    private static Map<String, FindingCode[]> kinds() {
        Map<String, FindingCode[]> kinds = new LinkedHashMap<>();
        kinds.put("Queue", QueueCode.values());
        kinds.put("Job", JobCode.values());
        kinds.put("Workflow", WorkflowCode.values());
        kinds.put("Rate limit", LimitCode.values());
        kinds.put("Schedule", ScheduleCode.values());
        kinds.put("Webhook", WebhookCode.values());
        kinds.put("Source", SourceCode.values());
        kinds.put("Sink", SinkCode.values());
        kinds.put("Tenant", TenantCode.values());
        kinds.put("Worker", WorkerCode.values());
        kinds.put("Server", SystemCode.values());
        return kinds;
    }

    @Test
    void lists_every_code_as_it_is() throws IOException {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        kinds().forEach((kind, codes) -> {
            page.append("\n## %s\n\n| code | severity | when | what to do |\n|---|---|---|---|\n".formatted(kind));
            for (FindingCode code : codes)
                page.append("| `%s` | %s | %s | %s |%n"
                        .formatted(
                                code.wire(),
                                code.row().severities(),
                                code.row().meaning(),
                                code.row().help()));
        });
        if (Boolean.getBoolean("pages.write")) Files.writeString(PAGE, page);

        assertThat(Files.readString(PAGE)).isEqualTo(page.toString());
    }

    @Test
    void every_code_has_a_test_of_its_name() {
        assertTested(QueueExplainerTest.class, QueueCode.values());
        assertTested(JobExplainerTest.class, JobCode.values());
        assertTested(WorkflowExplainerTest.class, WorkflowCode.values());
        assertTested(LimitExplainerTest.class, LimitCode.values());
        assertTested(TenantExplainerTest.class, TenantCode.values());
        assertTested(WebhookExplainerTest.class, WebhookCode.values());
        assertTested(SourceExplainerTest.class, SourceCode.values());
        assertTested(SinkExplainerTest.class, SinkCode.values());
        assertTested(WorkerExplainerTest.class, WorkerCode.values());
        assertTested(SystemExplainerTest.class, SystemCode.values());
    }

    private static void assertTested(Class<?> tests, FindingCode... codes) {
        Set<String> names = new TreeSet<>();
        for (var method : tests.getDeclaredMethods()) names.add(method.getName());
        assertThat(names)
                .containsAll(Arrays.stream(codes).map(FindingCode::wire).toList());
    }
}
