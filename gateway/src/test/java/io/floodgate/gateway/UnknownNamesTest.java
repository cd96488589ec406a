package io.floodgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.system.PartitionOwners;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What a route does not know is rejected by all of them, whether it stands in the body or in the query. */
class UnknownNamesTest extends GatewayFixture {
    /** These look at no body. */
    private static final Set<String> WITHOUT_BODY = Set.of(
            "admin.dead_letter.delete",
            "admin.job.cancel",
            "admin.job.delete",
            "admin.job.retry",
            "admin.operation.stop",
            "admin.schema.delete",
            "admin.schema.delete_version",
            "admin.worker.deregister",
            "admin.worker.quiet",
            "cron.delete",
            "cron.pause",
            "cron.resume",
            "cron.trigger",
            "dead_letter.delete",
            "dead_letter.purge",
            "job.activate",
            "job.cancel",
            "job.checkpoint",
            "job.skip",
            "log.acknowledge_alarm",
            "pool.delete",
            "queue.resume",
            "rate_limit.end_override",
            "schema.delete",
            "schema.delete_version",
            "set_aside.delete",
            "set_aside.retry",
            "source.delete",
            "sink.delete",
            "signal.forget",
            "system.reset",
            "tenant.delete",
            "unique.release",
            "webhook.delete",
            "webhook.delivery.retry",
            "webhook.rotate_secret",
            "webhook.test",
            "workflow.cancel");

    /** The only field of a batch must be there; a change of a schedule is read when the schedule is (CronTest). */
    private static final Set<String> OTHERWISE = Set.of("job.enqueue_batch", "cron.change");

    /** Others than these may be fields of an extension (OJS core §5), or of workers of other systems. */
    private static final Map<String, String> MISSPELLED = Map.ofEntries(
            Map.entry("worker.fetch", "exclude_type"),
            Map.entry("worker.ack", "resultt"),
            Map.entry("worker.nack", "reqeue"),
            Map.entry("worker.heartbeat", "activeJobIds"),
            Map.entry("worker.beat", "visibilty_timeout_ms"),
            Map.entry("worker.register", "concurency"),
            Map.entry("worker.progress", "mesage"),
            Map.entry("job.report_progress", "check_point"),
            Map.entry("job.store_checkpoint", "step-index"),
            Map.entry("job.delete_checkpoint", "worker_ids"),
            Map.entry("job.enqueue", "options"));

    private final List<Route> routes = Api.routes(
            TestApi.config(true, Duration.ZERO),
            logs,
            given.parts,
            QueueTopics.none(given.table),
            PartitionOwners.UNKNOWN,
            FakeSourceTopics.NONE);

    @Override
    protected boolean testMode() {
        return true;
    }

    @Test
    void in_a_body_it_is_rejected_by_every_route() {
        List<String> others = new ArrayList<>();
        for (Route route : routes) {
            if (route.method().equals(Method.GET) || WITHOUT_BODY.contains(route.name())) continue;
            String field = MISSPELLED.getOrDefault(route.name(), "no_such_field");
            String value = field.equals("options") ? "{\"queu\":\"q\"}" : "\"x\"";
            String body = RequestBodies.of(route, "q");
            Got got = ask(
                    route, "{\"%s\":%s%s%s".formatted(field, value, body.equals("{}") ? "" : ",", body.substring(1)));
            boolean isNamed = got.status() == 400 && got.body().contains(field);
            if (!isNamed && !OTHERWISE.contains(route.name())) others.add(name(route) + ": " + got);
        }
        assertThat(others).isEmpty();
    }

    @Test
    void without_it_the_same_body_is_taken() {
        List<String> rejected = new ArrayList<>();
        for (Route route : routes) {
            if (route.method().equals(Method.GET) || WITHOUT_BODY.contains(route.name())) continue;
            Got got = ask(route, RequestBodies.of(route, "q"));
            if (got.status() == 400) rejected.add(name(route) + ": " + got);
        }
        assertThat(rejected).isEmpty();
    }

    @Test
    void in_a_query_it_is_rejected_by_every_list() {
        List<String> others = new ArrayList<>();
        get("/ojs/v1/openapi.json").at("/paths").properties().forEach(path -> {
            JsonNode list = path.getValue().path("get");
            String name = list.path("operationId").asString();
            boolean takesAny = false;
            for (JsonNode each : list.path("parameters"))
                takesAny |= each.path("in").asString().equals("query");
            if (!takesAny && !name.contains(".list")) return;
            // The partitions are a list that nothing narrows down.
            if (!takesAny && name.equals("log.list")) return;
            Got got = get(path.getKey().replaceAll("\\{[a-z]+}", RequestBodies.ID) + "?per_pages=3&no_such=");
            boolean isNamed = got.status() == 400
                    && got.at("/error/details/reason").asString().equals("unknown_parameter")
                    && got.at("/error/details/field").asString().equals("per_pages");
            if (!isNamed) others.add(path.getKey() + ": " + got);
        });
        assertThat(others).isEmpty();
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void the_nearest_parameter_is_named() {
        Got got = get("/ojs/v1/jobs?queu=a");
        assertThat(got.at("/error/details/nearest").asString()).isEqualTo("queue");
        assertThat(got.at("/error/message").asString())
                .startsWith("There is no parameter 'queu'. Did you mean 'queue'?");
    }

    @Test
    void a_parameter_without_a_value_is_none() {
        get("/ojs/v1/queues?type=&limit=1").answers(200);
    }

    /** As the specification shows them, and as workers of other systems send them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/ojs/v1/workers/fetch | {'queues':['email','default'],'count':5,'worker_id':'worker_019414d4-aaaa-7000-c000-111111111111','visibility_timeout_ms':30000,'wait_ms':0}",
                "/ojs/v1/jobs/fetch | {'queues':['default'],'count':1,'wait_ms':0,'runtime':{'tags':['wasi']}}",
                "/ojs/v1/workers/ack | {'job_id':'ID','result':{'message_id':'msg_019414d5-1234-7000-b000-aabbccddeeff','delivered':true}}",
                "/ojs/v1/workers/ack | {'job_id':'ID','duration_ms':12,'state':'completed'}",
                "/ojs/v1/workers/nack | {'job_id':'ID','error':{'code':'handler_error','message':'SMTP connection refused','retryable':true,'details':{'smtp_host':'mail.example.com','error_class':'SMTPConnectionError'}}}",
                "/ojs/v1/workers/nack | {'job_id':'ID','error':{'type':'a','message':'b','detail':'c','stack':['d'],'retry_after':5}}",
                "/ojs/v1/workers/heartbeat | {'worker_id':'w','active_jobs':['ID'],'visibility_timeout_ms':30000}",
                "/ojs/v1/workers/heartbeat | {'worker_id':'w','state':'running','active_jobs':5,'active_job_ids':['job_1','job_2'],'started_at':'2025-06-01T08:00:00Z','hostname':'web-server-1','pid':12345,'queues':['email','default'],'concurrency':10,'labels':['canary','v2.1']}",
                "/ojs/v1/workers/heartbeat | {'worker_id':'w','active_jobs':0,'active_job_ids':null,'cpu_percent':45.2,'memory_mb':512,'status':'running','stats':{},'uptime_ms':5,'active_job_count':0,'sdk_version':'1'}",
                "/ojs/v1/workers/register | {'worker_id':'w','hostname':'web-server-1','pid':12345,'queues':['email','default'],'concurrency':10,'labels':['canary','v2.1'],'started_at':'2025-06-01T08:00:00Z'}",
                "/ojs/v1/workers/register | {'worker_id':'w','handlers':[{'type':'invoice.generate','versions':'>=1.0 <3.0'},{'type':'email.send','versions':'*'}]}",
                "/ojs/v1/workers/beat | {'worker_id':'w','state':'drain','active_jobs':2,'shutdown':true}",
                "/ojs/v1/workers/progress | {'job_id':'ID','percentage':50,'message':'half','data':{'rows':5}}",
                "/ojs/v1/jobs/ID/checkpoint | {'state':{'processed_count':5000,'last_cursor':'cursor_abc123','partial_results':[]}}",
                "/ojs/v1/checkpoints/ID | {'state':{'v':1},'step_index':1,'metadata':{'_replay_log':'[]'}}",
                "/ojs/v1/jobs/results | {'ids':['job_1','job_2','job_3']}",
                "/ojs/v1/workflows | {'name':'onboarding-pipeline','steps':[{'id':'send-welcome','type':'email.send','args':['a','welcome',{'locale':'en'}],'depends_on':[]},{'id':'send-confirmation','type':'email.send','args':['a'],'depends_on':['send-welcome']}],'options':{'queue':'email'}}",
                "/ojs/v1/workflows | {'type':'chain','id':'wf_019539a4-b68c-7def-8000-1a2b3c4d5e6f','name':'order','steps':[{'type':'order.validate','args':[{'order_id':'1'}],'options':{'retry':{'max_attempts':3}}},{'name':'charge','type':'payment.charge','args':[]}]}",
                "/ojs/v1/workflows | {'type':'chain','steps':[{'type':'a','args':[]},{'type':'group','name':'both','jobs':[{'type':'b','args':[],'run_id':'7'},{'type':'c','args':[],'x_other':1}]}],'description':'d','metadata':{'a':1},'x_team':'t'}",
                "/ojs/v1/workflows | {'type':'batch','name':'emails','jobs':[{'type':'email.send','args':['a']}],'callbacks':{'on_complete':{'type':'report','args':[]},'on_success':{'type':'ok','args':[]},'on_failure':{'type':'alert','args':[],'options':{'queue':'urgent'}}}}",
            })
    void bodies_of_the_specification_are_taken(String path, String body) {
        logs.reject(Rejection.notFound("job", RequestBodies.ID));
        Got got = post(
                path.replace("ID", RequestBodies.ID), body.replace('\'', '"').replace("ID", RequestBodies.ID));
        assertThat(got.status()).as(got.body()).isIn(200, 404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        'dependsOn':['a'] | $.steps[0].dependsOn | depends_on
        'alow_failure':true | $.steps[0].alow_failure | allow_failure
        'runif':'all_done' | $.steps[0].runif | run_if
        'steps':[{'type':'b','args':[]}],'retention':'P1D' | $.steps[0].retention |
        """)
    void a_field_that_no_step_has_is_named_with_its_place(String field, String path, String nearest) {
        String what = field.contains("steps") ? "'type':'chain'" : "'type':'a','args':[]";
        Got got = post(
                "/ojs/v1/workflows",
                "{'steps':[{%s,%s}]}".formatted(what, field).replace('\'', '"'));
        got.answers(400, "{'error':{'details':{'validation_errors':[{'path':'%s'}]}}}", path);
        if (nearest != null) assertThat(got.body()).contains("Did you mean '%s'?".formatted(nearest));
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void a_failure_that_must_not_be_retried_is_not_misread() {
        Got got = post(
                "/ojs/v1/workers/nack",
                "{\"job_id\":\"%s\",\"error\":{\"message\":\"m\",\"retriable\":false}}".formatted(RequestBodies.ID));
        got.answers(400, "{'error':{'details':{'field':'error.retriable','nearest':'retryable'}}}");
    }

    private static String name(Route route) {
        return route.method().text() + " " + route.path();
    }

    private Got ask(Route route, String body) {
        logs.reset().reject(Rejection.notFound("job", RequestBodies.ID));
        String path = route.path()
                .replaceAll("\\{(name|type)}", "q")
                .replace("{version}", "1")
                .replaceAll("\\{[a-z]+}", RequestBodies.ID);
        return send(route.method().text(), path, body);
    }
}
