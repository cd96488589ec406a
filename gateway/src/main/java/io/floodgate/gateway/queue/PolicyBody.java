package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantFairness;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.UnreadableRetry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The decision of an operator about the jobs of a queue, field by field (OJS queue configuration §6.2 to §6.5). */
final class PolicyBody {
    private static final String RETRY = "default_retry";
    private static final int ERRORS = 100;

    static final Set<String> NAMES = Set.of(
            "default_timeout",
            "visibility_timeout",
            RETRY,
            "on_worker_lost",
            "retention",
            "dead_letter_queue",
            "dead_letter_max_size",
            "dead_letter_ttl",
            "dead_letter",
            "allowed_job_types",
            "producers",
            TenantFairness.NAME);

    /** A setting that the body has, with the path of its field; a null value resets it. */
    private record Said(String field, @Nullable Object value) {}

    private interface Reading {
        Object read() throws RejectedException;
    }

    private final Map<String, Said> said = new LinkedHashMap<>();
    private final Set<String> unset = new TreeSet<>();

    /** Takes a field, or rejects it. Returns false for what is no field of this part. */
    boolean take(String name, RequestFields fields) throws RejectedException {
        switch (name) {
            case "default_timeout", "default_timeout_ms" ->
                say("default_timeout_ms", name, fields, () -> length("default_timeout", fields));
            case "visibility_timeout", "visibility_timeout_ms" ->
                say("visibility_timeout_ms", name, fields, () -> length("visibility_timeout", fields));
            case RETRY -> takeRetry(fields);
            case "on_worker_lost" -> say(name, name, fields, () -> discards(name, fields));
            case "retention" -> takeRetention(fields);
            case "dead_letter_queue" -> say(name, name, fields, () -> queueName(name, fields));
            case "dead_letter_max_size" -> say(name, name, fields, () -> count(name, fields));
            case "dead_letter_ttl" -> say("dead_letter_ttl_ms", name, fields, () -> time(name, fields));
            case "dead_letter" -> takeDeadLetter(fields);
            case "allowed_job_types" -> say(name, name, fields, () -> names(name, fields, Access::isTypePattern));
            case "producers" -> say(name, name, fields, () -> names(name, fields, Access::isProducerPattern));
            case TenantFairness.NAME -> say(name, name, fields, () -> FairnessBody.read(name, fields));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void say(String key, String name, RequestFields fields, Reading reading) throws RejectedException {
        say(key, fields.path(name), fields.has(name) ? reading.read() : null);
    }

    private void say(String key, String field, @Nullable Object value) throws RejectedException {
        if (value == null) unset.add(key);
        Said before = said.putIfAbsent(key, new Said(field, value));
        if (before == null || Objects.equals(before.value, value)) return;
        throw new RejectedException(Rejection.of(
                        ErrorCode.INVALID_REQUEST,
                        "The fields '%s' and '%s' are two names for the same and have different values."
                                .formatted(before.field, field))
                .with("field", field)
                .with("contradicts", before.field));
    }

    private static Object length(String name, RequestFields fields) throws RejectedException {
        Duration length = fields.length(name + "_ms", name);
        if (length == null) throw fields.fault(name, "The '%s' field must be a number of seconds.");
        return length;
    }

    private static Object discards(String name, RequestFields fields) throws RejectedException {
        String text = String.valueOf(fields.text(name));
        if (!text.equals("discard") && !text.equals("retry"))
            throw fields.fault(name, "The '%s' field must be retry or discard.");
        return text.equals("discard");
    }

    private static Object queueName(String name, RequestFields fields) throws RejectedException {
        String queue = String.valueOf(fields.text(name));
        if (!EnvelopeReader.isQueueName(queue)) throw fields.fault(name, "The '%s' field must be the name of a queue.");
        return queue;
    }

    private static Object count(String name, RequestFields fields) throws RejectedException {
        long count = fields.number(name).orElse(-1L);
        if (count < 0) throw fields.fault(name, "The '%s' field must not be negative.");
        return count;
    }

    private static Object time(String name, RequestFields fields) throws RejectedException {
        Optional<Duration> time = Durations.parse(String.valueOf(fields.text(name)));
        return Duration.ofMillis(
                time.orElseThrow(() -> fields.fault(name, "The '%s' field must be an ISO 8601 duration such as P7D."))
                        .toMillis());
    }

    private static Object names(String name, RequestFields fields, Predicate<String> isName) throws RejectedException {
        List<String> names = fields.texts(name);
        if (names.size() > Access.MOST) throw fields.fault(name, "The '%s' field has more than 100 elements.");
        for (String one : names)
            if (!isName.test(one)) throw fields.fault(name, "The '%s' field has an element that can match nothing.");
        return names;
    }

    private void takeRetry(RequestFields fields) throws RejectedException {
        if (!fields.has(RETRY)) {
            say(RETRY, fields.path(RETRY), null);
            return;
        }
        RequestFields inside = fields.object(RETRY);
        for (String name : inside.names()) {
            String known = RetryOptions.nameOf(name).orElseThrow(() -> inside.unknown(name, RetryOptions.NAMES));
            if (!inside.has(name)) unset.add(RETRY + "." + known);
        }
        try {
            byte[] raw = fields.raw(RETRY);
            RetryOptions retry = RetryOptions.read(Members.of(raw == null ? new byte[] {'{', '}'} : raw));
            List<String> errors = retry.nonRetryableErrors();
            if (errors != null && (errors.size() > ERRORS || errors.stream().anyMatch(e -> e.length() > 255)))
                throw inside.fault(
                        "non_retryable_errors",
                        "The '%s' field may have at most 100 elements of at most 255 characters.");
            say(RETRY, fields.path(RETRY), retry);
        } catch (UnreadableRetry unreadable) {
            throw new RejectedException(Rejection.of(ErrorCode.INVALID_RETRY_POLICY, unreadable.reason())
                    .with("field", inside.path(unreadable.field())));
        } catch (MalformedJson malformed) {
            throw RequestFields.invalid(malformed);
        }
    }

    /** One length for all that has finished, or one for each way to end. */
    private void takeRetention(RequestFields fields) throws RejectedException {
        String name = "retention";
        byte[] raw = fields.raw(name);
        if (raw == null || raw[0] == '"') {
            Object time = raw == null ? null : time(name, fields);
            for (String end : List.of("completed", "discarded", "cancelled"))
                say("retention_ms." + end, fields.path(name), time);
            if (raw == null)
                for (String end : List.of("completed", "discarded", "cancelled"))
                    say("retention_count." + end, fields.path(name), null);
            return;
        }
        RequestFields inside = fields.object(name);
        for (String one : inside.names())
            switch (one) {
                case "completed", "discarded", "cancelled" ->
                    say("retention_ms." + one, one, inside, () -> time(one, inside));
                case "completed_count", "discarded_count", "cancelled_count" ->
                    say("retention_count." + one.substring(0, one.indexOf('_')), one, inside, () -> count(one, inside));
                default -> throw inside.fault(one, "There is no field '%s' in a queue's configuration.");
            }
    }

    /** Takes the fields of dead letters as OJS dead letter §5 spells them. */
    private void takeDeadLetter(RequestFields fields) throws RejectedException {
        if (!fields.has("dead_letter")) {
            takeNoDeadLetter(fields.path("dead_letter"));
            return;
        }
        RequestFields outer = fields.object("dead_letter");
        for (String name : outer.names())
            if (!name.equals("retention"))
                throw outer.fault(name, "There is no field '%s' in a queue's configuration.");
        if (!outer.has("retention")) {
            if (outer.names().contains("retention")) takeNoDeadLetter(outer.path("retention"));
            return;
        }
        RequestFields inside = outer.object("retention");
        for (String name : inside.names())
            switch (name) {
                case "max_age" -> say("dead_letter_ttl_ms", name, inside, () -> time(name, inside));
                case "max_count" -> say("dead_letter_max_size", name, inside, () -> count(name, inside));
                default -> throw inside.fault(name, "There is no field '%s' in a queue's configuration.");
            }
    }

    private void takeNoDeadLetter(String field) throws RejectedException {
        say("dead_letter_ttl_ms", field, null);
        say("dead_letter_max_size", field, null);
    }

    private <T> @Nullable T said(String key, Class<T> type) {
        Said one = said.get(key);
        return one == null || one.value == null ? null : type.cast(one.value);
    }

    @SuppressWarnings("unchecked")
    private @Nullable List<String> list(String key) {
        return (List<String>) said(key, List.class);
    }

    QueuePolicy set() {
        RetryOptions retry = said(RETRY, RetryOptions.class);
        return new QueuePolicy(
                new JobDefaults(
                        said("default_timeout_ms", Duration.class),
                        said("visibility_timeout_ms", Duration.class),
                        retry == null ? RetryOptions.NONE : retry,
                        said("on_worker_lost", Boolean.class)),
                new Keeping(
                        said("retention_ms.completed", Duration.class),
                        said("retention_ms.discarded", Duration.class),
                        said("retention_ms.cancelled", Duration.class),
                        said("retention_count.completed", Long.class),
                        said("retention_count.discarded", Long.class),
                        said("retention_count.cancelled", Long.class)),
                new DeadLettering(
                        said("dead_letter_queue", String.class),
                        said("dead_letter_max_size", Long.class),
                        said("dead_letter_ttl_ms", Duration.class)),
                new Access(list("allowed_job_types"), list("producers")),
                said(TenantFairness.NAME, TenantFairness.class));
    }

    Set<String> unset() {
        return unset;
    }
}
