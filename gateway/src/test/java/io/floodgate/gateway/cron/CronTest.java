package io.floodgate.gateway.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CronCommand.BackfillSchedule;
import io.floodgate.topics.command.CronCommand.DeleteSchedule;
import io.floodgate.topics.command.CronCommand.EnableSchedule;
import io.floodgate.topics.command.CronCommand.KeepSchedules;
import io.floodgate.topics.command.CronCommand.ListSchedules;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.CronCommand.TriggerSchedule;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.cron.OverlapPolicy;
import io.floodgate.topics.cron.ScheduleSpec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest extends GatewayFixture {
    private static final String LINE = """
        {"name":"daily-report","expression":"0 9 * * *","timezone":"America/New_York","queue":"reports",\
        "job_template":{"type":"report.generate","args":[1.10],"options":{"queue":"reports"}},"overlap_policy":"skip",\
        "catch_up":"latest","catch_up_window_ms":86400000,"jitter_ms":0,"enabled":true,"version":3,"generation":1,\
        "created_at":"2026-02-12T20:15:00.000Z","anchor":"2026-02-12T20:15:00.000Z","next_run_at":"2026-02-13T14:00:00.000Z",\
        "run_count":4,"skipped_count":1,"running":[{"job_id":"019501a2-3b4c-7d5e-8f6a-1b2c3d4e5f6a","waits_for_room":false},\
        {"job_id":"019501a3-3b4c-7d5e-8f6a-1b2c3d4e5f6a","waits_for_run":true}],\
        "history":[{"outcome":"triggered"}]}\
        """;

    private static Reply answer(Command command) {
        return switch (command) {
            case PutSchedule c -> FakePartitions.done(LINE, "{\"change\":\"created\"}");
            case EnableSchedule c -> FakePartitions.done(LINE, "{\"change\":\"changed\"}");
            case ListSchedules c -> FakePartitions.done(LINE, "{\"more\":false}");
            case KeepSchedules c -> FakePartitions.done("{\"removed\":[\"old\"]}");
            case TriggerSchedule c ->
                FakePartitions.done("{\"job_id\":\"019501a2-3b4c-7d5e-8f6a-1b2c3d4e5f6a\",\"waits_for_room\":false}");
            default -> FakePartitions.done(LINE);
        };
    }

    private PutSchedule registers(String body) {
        logs.reset().answer(CronTest::answer);
        assertThat(post("/ojs/v1/cron", body).status()).as(body).isEqualTo(201);
        return logs.theCommand(PutSchedule.class);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    /** What the SDKs for JavaScript and Go, that for Java, the command line, and the specification send. */
    @ParameterizedTest
    @ValueSource(strings = {"""
        {"name":"daily-report","cron":"0 9 * * *","timezone":"America/New_York","type":"report.generate","args":[1.10],
         "options":{"queue":"reports","timeout":300,"meta":{"team":"a"}},"overlap_policy":"skip","enabled":true}\
        """, """
            {"name":"daily-report","expression":"0 9 * * *","timezone":"America/New_York","type":"report.generate","args":[1.10],
             "meta":{"team":"a"},"options":{"queue":"reports","timeout":300},"enabled":true,"run_count":7,"next_run_at":"x"}\
            """, """
                         {"name":"daily-report","schedule":"TZ=America/New_York 0 9 * * *","enabled":true,
                          "job_template":{"type":"report.generate","args":[1.10],"options":{"queue":"reports","timeout":300},"meta":{"team":"a"}}}\
                         """, """
                         {"name":"daily-report","expression":"0 9 * * *","timezone":"America/New_York","enabled":true,
                          "job_template":{"type":"report.generate","args":[1.10],"queue":"reports","timeout":300,"meta":{"team":"a","cron_name":"x"}}}\
                         """})
    void takes_what_clients_send(String body) {
        PutSchedule command = registers(body);
        assertThat(command.name()).isEqualTo("daily-report");
        assertThat(command.enabled()).isTrue();
        assertThat(command.spec().expression()).isEqualTo("0 9 * * *");
        assertThat(command.spec().timezone()).isEqualTo("America/New_York");
        assertThat(command.spec().rules().overlap()).isEqualTo(OverlapPolicy.SKIP);
        assertThat(text(command.spec().job().meta())).isEqualTo("{\"team\":\"a\"}");
        assertThat(text(command.spec().job().envelope()))
                .contains("\"queue\":\"reports\"", "\"args\":[1.10]")
                .doesNotContain("meta");
        assertThat(command.plan().times()).hasSize(600);
        assertThat(command.plan().gaps()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {'expression':'* * * * *','type':'a'} | name
        {'name':'Daily','expression':'* * * * *','type':'a'} | name
        {'name':'a','type':'a'} | expression
        {'name':'a','expression':'not a valid cron','type':'a'} | expression
        {'name':'a','expression':'99 25 32 13 8','type':'a'} | expression
        {'name':'a','expression':'* * * * *','timezone':'EST','type':'a'} | timezone
        {'name':'a','expression':'* * * * *','overlap_policy':'maybe','type':'a'} | overlap_policy
        {'name':'a','expression':'* * * * *','catch_up':'maybe','type':'a'} | catch_up
        {'name':'a','expression':'* * * * *','catch_up_window':'PT1S','type':'a'} | catch_up_window
        {'name':'a','expression':'@every 2s','type':'a','jitter':'PT6S'} | jitter
        {'name':'a','expression':'* * * * *','type':'a','jitter':'PT1M'} | jitter
        {'name':'a','expression':'* * * * *'} | type
        {'name':'a','expression':'* * * * *','type':'a','options':7} | options
        """)
    void rejects_what_makes_no_sense(String body, String field) {
        Got got = post("/ojs/v1/cron", body.replace('\'', '"'));
        got.answers(400, "{'error':{'code':'invalid_request','details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void shows_it_in_all_vocabularies() {
        logs.answer(CronTest::answer);
        Got got = post(
                "/ojs/v1/crons",
                "{\"name\":\"daily-report\",\"expression\":\"30 2 * *"
                        + " *\",\"timezone\":\"Europe/Berlin\",\"type\":\"a\"}");
        for (String at : List.of("/cron", "/cron_job", "")) {
            assertThat(got.at(at + "/name").asString()).isEqualTo("daily-report");
            assertThat(got.at(at + "/schedule").asString()).isEqualTo("0 9 * * *");
            assertThat(got.at(at + "/args/0").doubleValue()).isEqualTo(1.1);
            assertThat(got.at(at + "/status").asString()).isEqualTo("active");
            assertThat(got.at(at + "/next").size()).isEqualTo(5);
        }
        assertThat(got.at("/warnings").size()).isEqualTo(1);
        assertThat(got.at("/running/0").asString()).startsWith("019501a2");
        assertThat(got.at("/waits_for_run/0").asString()).startsWith("019501a3");
        assertThat(got.at("/waits_for_run")).hasSize(1);
    }

    @Test
    void enqueue_runs_one_at_a_time() {
        PutSchedule command = registers(
                "{\"name\":\"a\",\"expression\":\"* * * * *\",\"type\":\"a\",\"overlap_policy\":\"enqueue\"}");
        assertThat(text(command.spec().job().envelope())).contains("cron:a");
        Got own = post(
                "/ojs/v1/cron",
                "{\"name\":\"a\",\"expression\":\"* * * *"
                        + " *\",\"type\":\"a\",\"overlap_policy\":\"enqueue\",\"options\":{\"rate_limit\":{\"key\":\"x\",\"concurrency\":1}}}");
        own.answers(422);
    }

    @Test
    void jobs_of_schedules_are_not_unique() {
        Got got = post(
                "/ojs/v1/cron",
                "{\"name\":\"a\",\"expression\":\"* * * *"
                        + " *\",\"type\":\"a\",\"options\":{\"unique\":{\"keys\":[\"type\"]}}}");
        got.answers(422);
    }

    @Test
    void jobs_of_schedules_do_not_expire_at_one_time() {
        String schedule = "{\"name\":\"a\",\"expression\":\"@daily\",\"type\":\"a\",\"options\":{%s}}";
        Got got = post("/ojs/v1/cron", schedule.formatted("\"expires_at\":\"2020-01-01T00:00:00Z\""));
        got.answers(422, "{'error':{'details':{'field':'expires_at'}}}");
        registers(schedule.formatted("\"ttl\":60"));
    }

    @Test
    void a_manager_names_each_schedule_once_and_is_warned() {
        logs.answer(CronTest::answer);
        String one = "{\"name\":\"a\",\"expression\":\"@every 2s\",\"type\":\"a\"}";
        String all = "{\"managed_by\":\"app\",\"crons\":[%s]}";
        send("PUT", "/ojs/v1/cron", all.formatted(one + "," + one)).answers(400);
        assertThat(logs.sent()).isEmpty();
        assertThat(send("PUT", "/ojs/v1/cron", all.formatted(one))
                        .at("/warnings/0")
                        .asString())
                .startsWith("a: ");
    }

    @Test
    void lists_what_all_partitions_have() {
        logs.answer(CronTest::answer);
        Got got = get("/ojs/v1/cron?enabled=true");
        assertThat(got.at("/crons/0/name").asString()).isEqualTo("daily-report");
        assertThat(got.at("/cron_jobs").size()).isEqualTo(1);
        assertThat(get("/ojs/v1/cron?enabled=false").at("/count").asInt()).isZero();
        assertThat(get("/ojs/v1/crons?queue=other").at("/items").size()).isZero();
        get("/ojs/v1/cron?enabled=maybe").answers(400);
        get("/ojs/v1/cron?manged_by=app").answers("{'error':{'details':{'nearest':'managed_by'}}}");
    }

    @Test
    void a_patch_changes_what_it_names() {
        logs.answer(CronTest::answer);
        send("PATCH", "/ojs/v1/cron/daily-report", "{\"expression\":\"0 10 * * *\"}")
                .answers(200);
        PutSchedule command = (PutSchedule) logs.sent().getLast().command();
        assertThat(command.expected()).isEqualTo(3);
        assertThat(command.spec().expression()).isEqualTo("0 10 * * *");
        assertThat(command.spec().timezone()).isEqualTo("America/New_York");
        assertThat(text(command.spec().job().shown()))
                .isEqualTo("{\"type\":\"report.generate\",\"args\":[1.10],\"options\":{\"queue\":\"reports\"}}");
        assertThat(command.enabled()).isNull();
        send("PATCH", "/ojs/v1/cron/daily-report", "{\"enabled\":false}");
        assertThat(((EnableSchedule) logs.sent().getLast().command()).enabled()).isFalse();
    }

    /** Registered as a client registers it, and shown as its partition shows it. */
    private static final String RICH = """
        {"name":"daily-report","expression":"0 9 * * *","timezone":"America/New_York","queue":"reports",\
        "job_template":{"type":"report.generate","args":[1.10],"options":{"queue":"reports","priority":5,"timeout":300,\
        "retry":{"max_attempts":3,"initial_interval":"PT30S"}},"meta":{"team":"a","m":1}},\
        "overlap_policy":"allow","catch_up":"none","catch_up_window_ms":60000,"jitter_ms":1000,"max_wait_ms":2000,\
        "managed_by":"app","description":"Daily","enabled":true,"version":3,"generation":1,\
        "created_at":"2026-02-12T20:15:00.000Z","anchor":"2026-02-12T20:15:00.000Z","run_count":4,"skipped_count":1,"running":[]}\
        """;

    private String patched(String body) {
        logs.reset()
                .answer(command -> command instanceof PutSchedule
                        ? FakePartitions.done(RICH, "{\"change\":\"changed\"}")
                        : FakePartitions.done(RICH));
        assertThat(send("PATCH", "/ojs/v1/cron/daily-report", body.replace('\'', '"'))
                        .status())
                .as(body)
                .isEqualTo(200);
        ScheduleSpec spec = ((PutSchedule) logs.sent().getLast().command()).spec();
        return String.join(
                " | ",
                spec.expression(),
                spec.timezone(),
                text(spec.job().shown()),
                spec.rules().overlap().wire(),
                spec.rules().catchUp().wire(),
                "" + spec.rules().catchUpWindow(),
                "" + spec.rules().jitter(),
                "" + spec.rules().maxWait(),
                "" + spec.managedBy(),
                "" + spec.description());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {'expression':'@daily'} | 0 9 * * * | @daily
        {'cron':'TZ=Europe/Berlin @daily'} | 0 9 * * * + America/New_York | @daily + Europe/Berlin
        {'timezone':'Europe/Berlin'} | America/New_York | Europe/Berlin
        {'timezone':null} | America/New_York | UTC
        {'type':'b'} | "report.generate" | "b"
        {'job_template':{'type':'b'}} | "report.generate" | "b"
        {'args':[2.50]} | [1.10] | [2.50]
        {'args':null} | [1.10] | []
        {'options':{'priority':7}} | "priority":5 | "priority":7
        {'job_template':{'options':{'priority':null}}} | "priority":5, |
        {'options':{'retry':{'max_attempts':9}}} | "max_attempts":3 | "max_attempts":9
        {'meta':{'m':2}} | "m":1 | "m":2
        {'options':{'meta':{'m':null}}} | ,"m":1 |
        {'meta':null} | ,"meta":{"team":"a","m":1} |
        {'options':{'queue':'qb'}} | "queue":"reports" | "queue":"qb"
        {'overlap_policy':'cancel_previous'} | allow | cancel_previous
        {'overlap_policy':null} | allow | skip
        {'catch_up':'all'} | none | all
        {'catch_up':null} | none | latest
        {'catch_up_window':'PT2M'} | PT1M | PT2M
        {'catch_up_window':null} | PT1M | PT24H
        {'jitter':'PT3S'} | PT1S | PT3S
        {'jitter_ms':null} | PT1S | PT0S
        {'max_wait':'PT3S'} | PT2S | PT3S
        {'max_wait':null} | PT2S | null
        {'managed_by':'other'} | app | other
        {'managed_by':null} | app | null
        {'description':'Nightly'} | Daily | Nightly
        {'description':null} | Daily | null
        """)
    void a_patch_changes_the_member_that_it_names_and_no_other(String body, String before, @Nullable String after) {
        String expected = patched("{'name':'daily-report'}");
        String[] old = before.split(" \\+ ", -1);
        String[] changed = after == null ? new String[] {""} : after.split(" \\+ ", -1);
        for (int i = 0; i < old.length; i++) {
            assertThat(expected).contains(old[i]);
            expected = expected.replaceFirst(Pattern.quote(old[i]), Matcher.quoteReplacement(changed[i]));
        }
        assertThat(patched(body)).isEqualTo(expected);
    }

    @Test
    void a_patch_moves_a_schedule_to_another_queue_wherever_the_queue_stands() {
        assertThat(patched("{'queue':'qb'}"))
                .contains("\"queue\":\"qb\"", "\"priority\":5", "\"team\":\"a\"")
                .doesNotContain("reports");
        assertThat(patched("{'job_template':{'timeout_ms':5000}}"))
                .contains("\"timeout_ms\":5000", "\"queue\":\"reports\"")
                .doesNotContain("\"timeout\":");
    }

    @Test
    void a_patch_cannot_rename_a_schedule_or_take_away_what_it_needs() {
        logs.answer(CronTest::answer);
        for (String body : List.of("{\"name\":\"b\"}", "{\"type\":null}", "{\"expression\":null}"))
            assertThat(send("PATCH", "/ojs/v1/cron/daily-report", body).status())
                    .as(body)
                    .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | /ojs/v1/cron | {'name':'a','expression':'@daily','type':'a','time_zone':'UTC'} | time_zone | timezone",
                "POST | /ojs/v1/cron | {'name':'a','expression':'@daily','type':'a','overlap':'skip'} | overlap | overlap_policy",
                "POST | /ojs/v1/cron | {'name':'a','expression':'@daily','type':'a','limit':3} | limit |",
                "POST | /ojs/v1/cron | {'name':'a','expression':'@daily','job_template':{'type':'a','arg':[]}} | job_template.arg | args",
                "POST | /ojs/v1/cron | {'name':'a','expression':'@daily','type':'a','options':{'queu':'q'}} | options.queu | queue",
                "POST | /ojs/v1/cron | {'name':'a','expression':'@daily','type':'a','options':{'retry':{'max_atempts':1}}} | options.retry.max_atempts | max_attempts",
                "PATCH | /ojs/v1/cron/daily-report | {'end_at':'2020-01-01T00:00:00Z'} | end_at |",
                "PATCH | /ojs/v1/cron/daily-report | {'jiter':'PT1S'} | jiter | jitter",
                "PUT | /ojs/v1/cron | {'managed_by':'app','crons':[{'name':'a','expression':'@daily','type':'a','time_zone':'UTC'}]} | crons[0].time_zone | timezone",
                "PUT | /ojs/v1/cron | {'manage_by':'app','crons':[]} | manage_by | managed_by",
                "POST | /ojs/v1/cron/preview | {'expression':'@daily','time_zone':'UTC'} | time_zone | timezone",
                "POST | /ojs/v1/cron/daily-report/backfill | {'from':'2026-01-01T00:00:00Z','till':'2026-01-01T00:00:00Z'} | till |",
            })
    void a_field_that_does_not_exist_is_named_with_the_nearest_one(
            String method, String path, String body, String field, @Nullable String nearest) {
        logs.answer(CronTest::answer);
        Got got = send(method, path, body.replace('\'', '"'));
        got.answers(400, """
            {"error":{"code":"invalid_request","details":{"reason":"unknown_field","field":"%s"}}}""", field);
        assertThat(got.at("/error/details/nearest").asString("")).isEqualTo(nearest == null ? "" : nearest);
        assertThat(got.at("/error/details/known").isArray()).isTrue();
        if (nearest != null)
            assertThat(got.at("/error/message").asString()).contains("Did you mean '%s'?".formatted(nearest));
    }

    @Test
    void a_schedule_that_is_read_changed_and_sent_back_is_taken() {
        logs.answer(CronTest::answer);
        String shown = get("/ojs/v1/cron/daily-report").at("/cron").toString();
        post("/ojs/v1/cron", shown).answers(201);
        send("PATCH", "/ojs/v1/cron/daily-report", shown).answers(200);
    }

    @Test
    void a_queue_at_the_top_level_is_the_queue_of_the_runs() {
        PutSchedule command = registers(
                "{\"name\":\"a\",\"expression\":\"@daily\",\"type\":\"a\",\"queue\":\"reports\",\"options\":{\"priority\":5}}");
        assertThat(command.spec().job().queue()).isEqualTo("reports");
        assertThat(text(command.spec().job().shown())).contains("\"queue\":\"reports\"");
        PutSchedule inside = registers("{\"name\":\"a\",\"expression\":\"@daily\",\"type\":\"a\",\"queue\":\"stale\","
                + "\"options\":{\"queue\":\"reports\"}}");
        assertThat(inside.spec().job().queue()).isEqualTo("reports");
    }

    @Test
    void pauses_resumes_triggers_and_deletes() {
        logs.answer(CronTest::answer);
        post("/ojs/v1/cron/daily-report/pause", "").answers(200);
        post("/ojs/v1/cron/daily-report/resume?catch_up=latest", "").answers(200);
        EnableSchedule resumed = (EnableSchedule) logs.sent().getLast().command();
        assertThat(resumed.catchUp()).isTrue();
        assertThat(resumed.plan().times()).isNotEmpty();
        Got run = post("/ojs/v1/cron/daily-report/trigger?force=true", "");
        run.answers(201);
        assertThat(run.at("/job_id").asString()).startsWith("019501a2");
        delete("/ojs/v1/cron/daily-report").answers("{'deleted':true,'cron':{'name':'daily-report'}}");
        assertThat(logs.sent().getLast().command()).isInstanceOf(DeleteSchedule.class);
    }

    @Test
    void backfills_each_time_of_a_past_period_and_no_more_than_a_thousand() {
        logs.answer(command -> command instanceof BackfillSchedule
                ? FakePartitions.done(
                        "{\"runs\":[{\"scheduled_at\":\"2026-02-10T14:00:00.000Z\",\"reason\":\"overlap_skip\"}]}")
                : answer(command));
        String path = "/ojs/v1/cron/daily-report/backfill";
        Got got = post(path, "{\"from\":\"2026-02-10T14:00:00Z\",\"to\":\"2026-02-11T14:00:00Z\"}");
        got.answers(200, "{'count':2,'runs':[{'reason':'overlap_skip'}]}");
        assertThat(((BackfillSchedule) logs.sent().getLast().command()).times())
                .containsExactly(Instant.parse("2026-02-10T14:00:00Z"), Instant.parse("2026-02-11T14:00:00Z"));
        for (String wrong : List.of(
                "{\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2026-01-01T00:00:00Z\"}",
                "{\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2999-01-01T00:00:00Z\"}")) {
            post(path, wrong).answers(400, "{'error':{'details':{'field':'to'}}}");
        }
        post(path, "{\"from\":\"yesterday\",\"to\":\"2020-01-01T00:00:00Z\"}").answers("""
            {"error":{"details":{"field":"from"}}}""");
    }

    @Test
    void an_interval_has_no_times_before_its_first_one() {
        logs.answer(command ->
                FakePartitions.done(RICH.replace("0 9 * * *", "@every 1h").replace("2026-02-12T20", "2026-02-10T20")));
        Got got = post(
                "/ojs/v1/cron/daily-report/backfill",
                "{\"from\":\"2026-02-10T00:00:00Z\",\"to\":\"2026-02-10T20:30:00Z\"}");
        got.answers(400);
        assertThat(got.at("/error/message").asString()).contains("2026-02-10T21:15:00.000Z");
        assertThat(logs.sent()).noneMatch(sent -> sent.command() instanceof BackfillSchedule);
    }

    @Test
    void a_manager_registers_all_it_has() {
        logs.answer(CronTest::answer);
        Got got = send(
                "PUT",
                "/ojs/v1/cron",
                "{\"managed_by\":\"app\",\"crons\":[{\"name\":\"a\",\"expression\":\"@daily\",\"type\":\"a\"}]}");
        got.answers("{'created':['a'],'removed':['old']}");
        assertThat(((KeepSchedules) logs.sent().getLast().command()).kept()).containsExactly("a");
    }

    @Test
    void previews_with_remarks_on_changes_of_clocks() {
        Got got = post(
                "/ojs/v1/cron/preview?count=2",
                "{\"expression\":\"30 2 * * *\",\"timezone\":\"America/New_York\",\"from\":\"2026-03-07T12:00:00Z\"}");
        got.answers("{'next':[{'local':'2026-03-09T02:30:00','offset':'-04:00'}]}");
        assertThat(got.at("/next").size()).isEqualTo(2);
        got.answers("{'skipped':[{'count':1,'local':'2026-03-08T03:00:00'}]}");
        assertThat(got.at("/skipped/0/remark").asString()).startsWith("Clocks are set ahead");
        assertThat(post("/ojs/v1/cron/preview", "{\"expression\":\"@daily\",\"count\":3}")
                        .at("/next")
                        .size())
                .isEqualTo(3);
    }

    @Test
    void explains_it() {
        logs.answer(CronTest::answer);
        get("/ojs/v1/cron/daily-report/explain").answers("{'verdict':{'code':'runs'}}");
        assertThat(get("/ojs/v1/cron/daily-report/history").at("/executions").size())
                .isEqualTo(1);
    }
}
