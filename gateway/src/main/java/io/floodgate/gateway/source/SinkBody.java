package io.floodgate.gateway.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.SinkCommand;
import io.floodgate.topics.command.SinkCommand.Outcome;
import io.floodgate.topics.command.SinkCommand.PutSink;
import io.floodgate.topics.command.SinkCommand.Selection;
import io.floodgate.topics.command.SinkCommand.Target;
import io.floodgate.topics.command.SinkCommand.ValueForm;
import io.floodgate.topics.command.SourceCommand;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.sink.SinkTemplate;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is said about a sink. */
final class SinkBody {
    private static final Set<String> KNOWN =
            Set.of("name", "topic", "topics", "queues", "job_types", "outcomes", "value", "record", "paused");
    /** Members of an answer, for those who send it back. */
    private static final Set<String> SHOWN = Set.of(
            "start", "created_at", "state", "lag", "skipped", "last_skip", "failing_since", "error", "partitions");

    /** Each job ends with one of them. */
    private static final List<String> ENDS =
            List.of(Outcome.COMPLETED.wire(), Outcome.DISCARDED.wire(), Outcome.CANCELLED.wire());

    private static final byte[] DEFAULT_RECORD = "{}".getBytes(UTF_8);
    private static final Pattern TOPIC_PATTERN = Pattern.compile("[a-zA-Z0-9._*-]{1,249}");

    private SinkBody() {}

    static PutSink read(RequestFields body, String name, SourceTopics topics) throws RejectedException {
        for (String each : body.names())
            if (!KNOWN.contains(each) && !SHOWN.contains(each)) throw body.unknown(each, KNOWN);
        SourceBody.checkName(body, name, "sink");
        String topic = body.requiredText("topic");
        List<String> allowed = body.names(
                "topics",
                SinkCommand.MOST_NAMES,
                TOPIC_PATTERN.asMatchPredicate(),
                "the name of a topic, with * for any characters");
        if (!SinkTemplate.isPath(topic)) SourceBody.topic(body, "topic", topic, topics);
        if (SinkTemplate.isPath(topic) == allowed.isEmpty())
            throw body.fault(
                    "topics",
                    "The '%s' field names the topics that a path may lead to, such as \"shop.*\": it goes with a 'topic' that is a path.");
        Target target = new Target(topic, allowed, value(body), record(body));
        try {
            SinkTemplate.of(target, topics::owns);
        } catch (IllegalArgumentException unusable) {
            throw RequestFields.wrong(
                    "record", "The record of the sink cannot be used: " + unusable.getMessage() + ".");
        }
        return new PutSink(name, target, selection(body), body.flag("paused"));
    }

    private static Selection selection(RequestFields body) throws RejectedException {
        List<String> outcomes = body.names(
                "outcomes",
                SinkCommand.MOST_NAMES,
                each -> WireName.parse(Outcome.class, each).isPresent(),
                "one of " + SinkCommand.OUTCOME.replace("|", ", "));
        if (body.has("outcomes") && outcomes.isEmpty())
            throw body.fault(
                    "outcomes", "The '%s' field must have at least one outcome; leave it out for all ends of jobs.");
        return new Selection(
                body.names("queues", SinkCommand.MOST_NAMES, EnvelopeReader::isQueueName, "the name of a queue"),
                body.names("job_types", SinkCommand.MOST_NAMES, EnvelopeReader::isType, "a job type"),
                outcomes.isEmpty() ? ENDS : outcomes);
    }

    private static ValueForm value(RequestFields body) throws RejectedException {
        String form = body.text("value");
        if (form == null) return ValueForm.JSON;
        return WireName.parse(ValueForm.class, form)
                .orElseThrow(() -> body.fault("value", "The '%s' field must be 'json', 'text' or 'base64'."));
    }

    private static byte[] record(RequestFields body) throws RejectedException {
        byte[] record = body.raw("record");
        if (record == null || body.isNull("record")) return DEFAULT_RECORD;
        if (record.length > SourceCommand.TEMPLATE_BYTES)
            throw body.fault(
                    "record", "The '%%s' field may have at most %d bytes.".formatted(SourceCommand.TEMPLATE_BYTES));
        return record;
    }
}
