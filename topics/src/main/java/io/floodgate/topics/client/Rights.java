package io.floodgate.topics.client;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.Topics;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/** Rights that each role needs in a cluster with ACLs. Reading, writing and deleting include Describe. */
public final class Rights {
    /** Roles that may have users of their own. */
    public enum Role {
        PROVISION,
        PROCESSOR,
        GATEWAY,
        WORKER,
        /** A Kafka client that writes jobs to the topic of one queue. */
        PRODUCER;

        public String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A right of a role on a resource, or on all whose names begin so.
     *
     * @param name without the namespace
     */
    public record Grant(
            Role role,
            ResourceType type,
            PatternType pattern,
            String name,
            List<AclOperation> operations,
            String what) {
        static Grant of(
                Role role, ResourceType type, PatternType pattern, String name, String what, AclOperation... may) {
            return new Grant(role, type, pattern, name, List.of(may), what);
        }
    }

    /** Example of a queue in the rights of producers. */
    public static final String EXAMPLE_QUEUE = "mail";

    private static final String TOPICS = "ojs.";
    private static final String CHANGELOGS = "floodgate-";

    private static final List<Grant> ALL = List.of(
            Grant.of(
                    Role.PROVISION,
                    TOPIC,
                    PREFIXED,
                    TOPICS,
                    "makes and checks the topics",
                    CREATE,
                    DESCRIBE,
                    DESCRIBE_CONFIGS),
            Grant.of(Role.PROCESSOR, TOPIC, PREFIXED, TOPICS, "checks the topics", DESCRIBE_CONFIGS),
            Grant.of(
                    Role.PROCESSOR,
                    TOPIC,
                    LITERAL,
                    Topics.COMMANDS,
                    "executes commands, sends messages, deletes what is done",
                    READ,
                    WRITE,
                    DELETE),
            Grant.of(
                    Role.PROCESSOR,
                    TOPIC,
                    LITERAL,
                    Topics.REPLIES,
                    "replies; reads the answers to what it forwards",
                    READ,
                    WRITE),
            Grant.of(Role.PROCESSOR, TOPIC, LITERAL, Topics.EVENTS, "", WRITE),
            Grant.of(Role.PROCESSOR, TOPIC, LITERAL, Topics.QUEUE_STATUS, "", WRITE),
            Grant.of(
                    Role.PROCESSOR,
                    TOPIC,
                    PREFIXED,
                    Topics.ingress(""),
                    "forwards jobs, deletes what has come in",
                    READ,
                    DELETE),
            Grant.of(
                    Role.PROCESSOR,
                    TOPIC,
                    PREFIXED,
                    CHANGELOGS,
                    "changelogs; Create for the first start only",
                    CREATE,
                    DESCRIBE_CONFIGS,
                    READ,
                    WRITE),
            Grant.of(Role.PROCESSOR, GROUP, LITERAL, Namespace.NONE.application(), "", READ),
            Grant.of(Role.PROCESSOR, GROUP, LITERAL, Namespace.NONE.ingressesGroup(), "", READ),
            Grant.of(Role.PROCESSOR, TRANSACTIONAL_ID, PREFIXED, CHANGELOGS, "", WRITE),
            Grant.of(Role.GATEWAY, TOPIC, LITERAL, Topics.COMMANDS, "", WRITE),
            Grant.of(Role.GATEWAY, TOPIC, LITERAL, Topics.REPLIES, "", READ),
            Grant.of(Role.GATEWAY, TOPIC, LITERAL, Topics.EVENTS, "", READ),
            Grant.of(Role.GATEWAY, TOPIC, LITERAL, Topics.QUEUE_STATUS, "", READ),
            Grant.of(
                    Role.GATEWAY,
                    GROUP,
                    LITERAL,
                    Namespace.NONE.webhooksGroup(),
                    "delivers to webhooks; not with `--no-webhooks`",
                    READ),
            Grant.of(Role.GATEWAY, GROUP, PREFIXED, Namespace.NONE.sink(""), "reads for sinks", READ),
            Grant.of(Role.GATEWAY, TRANSACTIONAL_ID, PREFIXED, Namespace.NONE.sink(""), "writes for sinks", WRITE),
            Grant.of(
                    Role.GATEWAY,
                    TOPIC,
                    PREFIXED,
                    Topics.ingress(""),
                    "topics of queues; not with `--queue-topics none`",
                    CREATE,
                    WRITE),
            Grant.of(Role.WORKER, TOPIC, LITERAL, Topics.COMMANDS, "", WRITE),
            Grant.of(Role.WORKER, TOPIC, LITERAL, Topics.REPLIES, "", READ),
            Grant.of(
                    Role.PRODUCER,
                    TOPIC,
                    LITERAL,
                    Topics.ingress(EXAMPLE_QUEUE),
                    "jobs for one queue, here `mail`",
                    WRITE));

    private Rights() {}

    /** Returns the rights of all roles. */
    public static List<Grant> all() {
        return ALL;
    }

    public static List<Grant> of(Role role) {
        return ALL.stream().filter(grant -> grant.role == role).toList();
    }

    /** Returns the rights as a table of the documentation. */
    public static String table() {
        return ALL.stream()
                .map(grant -> "| %s | %s | %s | %s |\n"
                        .formatted(
                                grant.role.title(),
                                resource(grant.type, grant.pattern, "`" + grant.name + "`"),
                                grant.operations.stream().map(Rights::name).collect(Collectors.joining(", ")),
                                grant.what))
                .collect(Collectors.joining("", "| role | resource | operations | |\n|---|---|---|---|\n", ""));
    }

    /** Returns the name of an operation for Kafka's tools. */
    public static String name(AclOperation operation) {
        return Arrays.stream(operation.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    static String resource(ResourceType type, PatternType pattern, String name) {
        String kind = type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return pattern == PREFIXED ? "%ss with prefix %s".formatted(kind, name) : "%s %s".formatted(kind, name);
    }

    /** One that is missing, as an error names it. */
    public static String missing(AclOperation operation, ResourceType type, String name) {
        return "%s on %s".formatted(name(operation), resource(type, LITERAL, name));
    }

    /** Returns what a failure says of missing rights; it does not say of which operation. */
    public static Optional<String> forbidden(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
            if (cause instanceof AuthorizationException) {
                String on = cause instanceof TopicAuthorizationException topics
                                && !topics.unauthorizedTopics().isEmpty()
                        ? " " + topics.unauthorizedTopics()
                        : "";
                return Optional.of(cause.getMessage() + on);
            }
        return Optional.empty();
    }

    /**
     * Returns which right was missing, if that is the cause; the cluster does not name the operation, the caller does.
     */
    public static Optional<String> missing(
            @Nullable Throwable failure, AclOperation operation, ResourceType type, String name) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TopicAuthorizationException topics
                    && !topics.unauthorizedTopics().isEmpty())
                return Optional.of(topics.unauthorizedTopics().stream()
                        .sorted()
                        .map(topic -> missing(operation, TOPIC, topic))
                        .collect(Collectors.joining(", ")));
            if (cause instanceof AuthorizationException) return Optional.of(missing(operation, type, name));
        }
        return Optional.empty();
    }
}
