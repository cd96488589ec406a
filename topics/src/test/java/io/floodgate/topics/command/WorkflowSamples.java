package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.JOB;
import static io.floodgate.topics.command.Samples.OTHER;
import static io.floodgate.topics.command.Samples.json;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.PoolCommand.DeletePool;
import io.floodgate.topics.command.PoolCommand.GetPool;
import io.floodgate.topics.command.PoolCommand.ListPools;
import io.floodgate.topics.command.PoolCommand.PutPool;
import io.floodgate.topics.command.SchemaCommand.ChangedSchemas;
import io.floodgate.topics.command.SchemaCommand.DeleteSchema;
import io.floodgate.topics.command.SchemaCommand.PutSchema;
import io.floodgate.topics.command.SchemaCommand.Revision;
import io.floodgate.topics.command.SignalCommand.AwaitSignal;
import io.floodgate.topics.command.SignalCommand.ForgetSignal;
import io.floodgate.topics.command.SignalCommand.GetSignal;
import io.floodgate.topics.command.SignalCommand.SendSignal;
import io.floodgate.topics.command.SignalCommand.Signalled;
import io.floodgate.topics.command.SourceCommand.ChangeSource;
import io.floodgate.topics.command.SourceCommand.DeleteSource;
import io.floodgate.topics.command.SourceCommand.ListSources;
import io.floodgate.topics.command.SourceCommand.Mapping;
import io.floodgate.topics.command.SourceCommand.PutSource;
import io.floodgate.topics.command.SourceCommand.ValueForm;
import io.floodgate.topics.command.WebhookCommand.ChangeSubscription;
import io.floodgate.topics.command.WebhookCommand.CreateSubscription;
import io.floodgate.topics.command.WebhookCommand.DeleteSubscription;
import io.floodgate.topics.command.WebhookCommand.ListSubscriptions;
import io.floodgate.topics.command.WebhookCommand.ReportDelivery;
import io.floodgate.topics.command.WebhookCommand.Subscriber;
import io.floodgate.topics.command.WebhookCommand.Target;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.command.WorkflowCommand.CancelWorkflow;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.FirstJobsStored;
import io.floodgate.topics.command.WorkflowCommand.GetStepJobs;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.ListWorkflows;
import io.floodgate.topics.command.WorkflowCommand.RetryWorkflow;
import io.floodgate.topics.command.WorkflowCommand.UploadJobs;
import io.floodgate.topics.queue.QueueSharing;
import io.floodgate.topics.queue.WorkerPool;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Commands to workflows, signals, pools, and the registries of schemas and of webhooks. */
final class WorkflowSamples {
    private static final String SUBSCRIPTION = "sub_019539a4-b68c-7def-8000-aabbccddeeff";

    private WorkflowSamples() {}

    static void add(Map<String, Command> samples) {
        byte[] chain = json("{\"type\":\"chain\",\"steps\":[{\"type\":\"a.b\",\"args\":[]}]}");
        samples.put("create-workflow", new CreateWorkflow(chain, Duration.ofSeconds(5)));
        samples.put("create-workflow-uploaded", new CreateWorkflow(chain, Duration.ZERO, 17L));
        byte[] job = json("{\"type\":\"a.b\",\"args\":[]}");
        samples.put("upload-workflow-jobs", new UploadJobs(JOB, null, 1, List.of(json("{}"), job)));
        samples.put("upload-workflow-jobs-more", new UploadJobs(JOB, 17L, 3, List.of(job)));
        samples.put("get-workflow", new GetWorkflow(JOB, 1, 100, true));
        samples.put("list-workflows", new ListWorkflows("running", "nightly", 50, OTHER));
        samples.put("list-workflows-least", new ListWorkflows(null, null, 1, null));
        samples.put("cancel-workflow", new CancelWorkflow(JOB, true));
        samples.put("retry-workflow", new RetryWorkflow(JOB, List.of("1", "2.0")));
        byte[] group = json("{\"type\":\"group\",\"jobs\":[{\"type\":\"a.b\",\"args\":[]}]}");
        samples.put("add-workflow-jobs", new AddJobs(JOB, group, 3L));
        samples.put("add-workflow-jobs-any", new AddJobs(JOB, group, null));
        samples.put(
                "send-signal",
                new SendSignal("acme", "payment", "order-17", json("{\"amount\":12}"), Duration.ofHours(1)));
        samples.put("send-signal-least", new SendSignal(null, "payment", "order-17", null, null));
        samples.put("get-signal", new GetSignal(null, "payment", "order-17"));
        samples.put("forget-signal", new ForgetSignal("acme", "payment", "order-17"));
        samples.put(
                "await-signal",
                new AwaitSignal("acme", "payment", "order-17", new PartitionId(3), JOB.toString(), 2, true));
        samples.put("signalled", new Signalled(JOB.toString(), 2, json("{\"amount\":12}")));
        LinkedHashMap<String, Integer> weights = new LinkedHashMap<>();
        weights.put("critical", 5);
        weights.put("default", 1);
        samples.put("put-pool", new PutPool(new WorkerPool("general", QueueSharing.WEIGHTED, weights)));
        byte[] schema = "{\"type\":\"array\"}".getBytes(StandardCharsets.UTF_8);
        Revision seen = new Revision(1_000, 7);
        samples.put(
                "put-schema",
                new PutSchema(
                        "email.send",
                        "2.0",
                        "urn:ojs:schema:email.send:v2.0",
                        "FULL",
                        "invoice-value@3",
                        schema,
                        seen));
        samples.put("put-schema-first", new PutSchema("a", "1", "urn:a", null, null, schema, Revision.NONE));
        samples.put("delete-schema", new DeleteSchema("email.send", "2.0"));
        samples.put("delete-schema-all", new DeleteSchema("email.send", null));
        samples.put("changed-schemas", new ChangedSchemas(seen));
        Target target = new Target(
                "https://example.com/hook",
                List.of("job.*"),
                List.of("mail"),
                List.of("email.send"),
                true,
                Duration.ofSeconds(5),
                "{\"owner\":\"x\"}");
        Target least = new Target(
                "https://a.example", List.of("*"), List.of(), List.of(), false, Duration.ofSeconds(30), null);
        samples.put(
                "create-subscription",
                new CreateSubscription(
                        SUBSCRIPTION, target, "whsec_1", "paused", new Subscriber("key", List.of("mail*"))));
        samples.put(
                "create-subscription-least",
                new CreateSubscription(SUBSCRIPTION, least, "whsec_1", null, new Subscriber(null, null)));
        samples.put(
                "change-subscription",
                new ChangeSubscription(SUBSCRIPTION, least, "", "whsec_2", Instant.parse("2026-02-12T10:30:00Z")));
        Mapping mapping =
                new Mapping(ValueForm.JSON, json("{\"type\":\"a\",\"args\":[\"$.value\"]}"), "orders.rejected");
        samples.put("put-source", new PutSource("orders", "shop.orders", "orders", mapping, "latest", true));
        samples.put(
                "put-source-least",
                new PutSource(
                        "o", "o", "o", new Mapping(ValueForm.CONFLUENT_JSON, json("{}"), null), "earliest", false));
        samples.put("change-source", new ChangeSource("orders", true, "2026-02-12T10:30:00Z"));
        samples.put("change-source-least", new ChangeSource("orders", null, null));
        samples.put("delete-source", new DeleteSource("orders"));
        samples.put("list-sources", new ListSources(7));
        SinkCommand.Selection selection = new SinkCommand.Selection(
                List.of("orders"), List.of("order.placed"), List.of("completed", "discarded"));
        SinkCommand.Selection all = new SinkCommand.Selection(List.of(), List.of(), List.of("failed"));
        samples.put(
                "put-sink",
                new SinkCommand.PutSink(
                        "back",
                        new SinkCommand.Target(
                                "$.meta.topic",
                                List.of("shop.*"),
                                SinkCommand.ValueForm.BASE64,
                                json("{\"key\":\"$.id\"}")),
                        selection,
                        true));
        samples.put(
                "put-sink-least",
                new SinkCommand.PutSink(
                        "r",
                        new SinkCommand.Target("r", List.of(), SinkCommand.ValueForm.JSON, json("{}")),
                        all,
                        false));
        samples.put("change-sink", new SinkCommand.ChangeSink("back", true, "2026-02-12T10:30:00Z"));
        samples.put("change-sink-least", new SinkCommand.ChangeSink("back", null, null));
        samples.put("delete-sink", new SinkCommand.DeleteSink("back"));
        samples.put("list-sinks", new SinkCommand.ListSinks(7));
        samples.put("report-sink", new SinkCommand.ReportSink("back", 7, "gateway-1", 2, "too large", "no topic"));
        samples.put("report-sink-least", new SinkCommand.ReportSink("back", 7, "gateway-1", 0, null, null));
        samples.put(
                "want-outcomes",
                new SinkCommand.WantOutcomes(
                        List.of(new SinkCommand.Wanted(7, selection), new SinkCommand.Wanted(9, all))));
        samples.put("change-subscription-least", new ChangeSubscription(SUBSCRIPTION, null, null, null, null));
        samples.put("delete-subscription", new DeleteSubscription(SUBSCRIPTION));
        samples.put("list-subscriptions", new ListSubscriptions(17));
        samples.put(
                "report-delivery", new ReportDelivery(SUBSCRIPTION, "del_1", "job.completed", 8, true, "status 500"));
        samples.put(
                "report-delivery-delivered",
                new ReportDelivery(SUBSCRIPTION, "del_1", "job.completed", 1, false, null));
        samples.put("get-pool", new GetPool("general"));
        samples.put("delete-pool", new DeletePool("general"));
        samples.put("list-pools", new ListPools(100, "general"));
        samples.put("list-pools-all", new ListPools(1_000, null));
        samples.put("get-step-jobs", new GetStepJobs(List.of(JOB, OTHER)));
        samples.put("first-jobs-stored", new FirstJobsStored(JOB, null, null));
        samples.put("first-jobs-stored-room", new FirstJobsStored(JOB, null, 17L));
        samples.put(
                "first-jobs-stored-rejected",
                new FirstJobsStored(JOB, Rejection.of(ErrorCode.QUEUE_FULL, "no room"), null));
    }
}
