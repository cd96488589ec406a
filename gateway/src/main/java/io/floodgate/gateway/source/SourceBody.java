package io.floodgate.gateway.source;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.SourceCommand;
import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.command.SourceCommand.Mapping;
import io.floodgate.topics.command.SourceCommand.PutSource;
import io.floodgate.topics.command.SourceCommand.ValueForm;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.source.SourceTemplate;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What is said about a source. */
final class SourceBody {
    private static final Set<String> KNOWN =
            Set.of("name", "topic", "queue", "value", "job", "dead_letter_topic", "start", "paused");
    /** Members of an answer, for those who send it back. */
    private static final Set<String> SHOWN =
            Set.of("created_at", "state", "lag", "records_per_second", "still_since", "partitions");

    private static final Pattern NAME = Pattern.compile(SourceCommand.NAME);
    private static final Pattern PARTITION = Pattern.compile("0|[1-9][0-9]{0,5}");
    private static final String OFFSETS = "offsets by partition such as {\"0\": 1500, \"1\": 1423}.";
    private static final Pattern TOPIC = Pattern.compile(SourceCommand.TOPIC);

    private SourceBody() {}

    /** @param topics of which some are Floodgate's own */
    static PutSource read(RequestFields body, String name, SourceTopics topics)
            throws RejectedException, UnreadableJob {
        for (String each : body.names())
            if (!KNOWN.contains(each) && !SHOWN.contains(each)) throw body.unknown(each, KNOWN);
        checkName(body, name, "source");
        String topic = topic(body, "topic", body.requiredText("topic"), topics);
        String queue = body.requiredText("queue");
        if (!EnvelopeReader.isQueueName(queue))
            throw body.fault("queue", "The '%s' field must be the name of a queue.");
        String deadLetters = body.text("dead_letter_topic");
        if (deadLetters != null
                && topic(body, "dead_letter_topic", deadLetters, topics).equals(topic))
            throw body.fault(
                    "dead_letter_topic", "The '%s' field must be another topic: its records would come again.");
        Mapping mapping = new Mapping(value(body), job(body), deadLetters);
        SourceTemplate template = template(name, mapping);
        // What every record would be rejected for is found now.
        EnvelopeReader.read(template.literals());
        return new PutSource(name, topic, queue, mapping, start(body, "start"), body.flag("paused"));
    }

    /** @param what it is the name of */
    static void checkName(RequestFields body, String name, String what) throws RejectedException {
        if (!isName(name))
            throw RequestFields.wrong(
                    "name",
                    "The name of a %s has up to 64 lower-case letters, digits, '.', '_' and '-'.".formatted(what));
        String named = body.text("name");
        if (named != null && !named.equals(name))
            throw body.fault("name", "The '%s' field must be the name in the path.");
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    static String topic(RequestFields body, String field, String topic, SourceTopics topics) throws RejectedException {
        if (!TOPIC.matcher(topic).matches()) throw body.fault(field, "The '%s' field must be the name of a topic.");
        if (topic.startsWith("__") || topics.owns(topic))
            throw body.fault(
                    field, "The '%s' field names a topic of Kafka's or Floodgate's own: '" + Limits.echo(topic) + "'.");
        return topic;
    }

    private static ValueForm value(RequestFields body) throws RejectedException {
        String form = body.text("value");
        if (form == null) return ValueForm.JSON;
        return WireName.parse(ValueForm.class, form)
                .orElseThrow(() ->
                        body.fault("value", "The '%s' field must be 'json', 'confluent_json', 'text' or 'base64'."));
    }

    private static byte[] job(RequestFields body) throws RejectedException {
        byte[] job = body.raw("job");
        if (job == null || body.isNull("job"))
            throw body.fault(
                    "job",
                    "The '%s' field is missing: the job that becomes of each record, such as {\"type\": \"order.placed\"}.");
        if (job.length > SourceCommand.TEMPLATE_BYTES)
            throw body.fault(
                    "job", "The '%%s' field may have at most %d bytes.".formatted(SourceCommand.TEMPLATE_BYTES));
        return job;
    }

    private static SourceTemplate template(String name, Mapping mapping) throws RejectedException {
        try {
            return SourceTemplate.of(name, mapping);
        } catch (IllegalArgumentException unusable) {
            throw RequestFields.wrong("job", "The job of the source cannot be used: " + unusable.getMessage() + ".");
        }
    }

    /** Returns the place to go back to. */
    static String place(RequestFields body) throws RejectedException {
        if (!body.has("to"))
            throw body.fault(
                    "to",
                    "The '%s' field is required: 'earliest', 'latest', an RFC 3339 time, or offsets by partition.");
        return start(body, "to");
    }

    /** Returns where reading begins: by default with the oldest record. */
    static String start(RequestFields body, String field) throws RejectedException {
        if (!body.has(field)) return Beginning.EARLIEST;
        if (!body.isText(field)) return offsets(body, field);
        String start = body.requiredText(field);
        if (start.equals(Beginning.EARLIEST) || start.equals(Beginning.LATEST)) return start;
        Optional<String> time = Timestamps.parse(start).map(Object::toString);
        return time.orElseThrow(() ->
                body.fault(field, "The '%s' field must be 'earliest', 'latest', an RFC 3339 time, or " + OFFSETS));
    }

    private static String offsets(RequestFields body, String field) throws RejectedException {
        RequestFields offsets = body.object(field);
        JsonOut out = JsonOut.object();
        for (String partition : offsets.names()) {
            Optional<Long> offset = offsets.number(partition);
            if (!PARTITION.matcher(partition).matches() || offset.isEmpty() || offset.get() < 0)
                throw body.fault(field, "The '%s' field must have " + OFFSETS);
            out.field(partition, offset.get());
        }
        String text = out.endObject().toString();
        if (text.length() > SourceCommand.START_CHARS)
            throw body.fault(
                    field, "The '%%s' field may have at most %d characters.".formatted(SourceCommand.START_CHARS));
        return text;
    }
}
