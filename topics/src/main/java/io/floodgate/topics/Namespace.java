package io.floodgate.topics;

import java.util.regex.Pattern;

/**
 * The prefix of the names of all topics, groups and transactional ids of an installation, so that several share a Kafka
 * cluster. State, messages and events have the names without it.
 *
 * @param name empty for none
 */
public record Namespace(String name) {
    private static final String APPLICATION = "floodgate";
    private static final String INGRESS_PARTITIONS = Topics.ingress("");

    /**
     * Allowed names, without dots and underscores: no name begins with, or is for Kafka the same as, one of another
     * installation.
     */
    private static final Pattern NAMES = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    /** Rights on prefixes of an installation without a namespace would include it. */
    private static final Pattern TAKEN = Pattern.compile("ojs|floodgate.*");

    /** No namespace. It is made last, since it is checked, too. */
    public static final Namespace NONE = new Namespace("");

    public Namespace {
        if (!name.isEmpty() && !NAMES.matcher(name).matches())
            throw new IllegalArgumentException(
                    "a namespace has up to 40 lower-case letters, digits and hyphens, and begins with no hyphen: '%s' does not fit"
                            .formatted(name));
        if (TAKEN.matcher(name).matches())
            throw new IllegalArgumentException(
                    "the namespace must not be 'ojs' or begin with 'floodgate', like the names of an installation without one: '%s'"
                            .formatted(name));
    }

    private String prefix() {
        return name.isEmpty() ? "" : name + ".";
    }

    /** Returns the name in the cluster of this topic, group, or anything else. */
    public String of(String plain) {
        return name.isEmpty() ? plain : prefix() + plain;
    }

    /** The topic of a queue's own. */
    public String ingress(String queue) {
        return of(Topics.ingress(queue));
    }

    /** Returns whether the topic is that of a queue of this installation. */
    public boolean isIngress(String topic) {
        String before = of(INGRESS_PARTITIONS);
        return topic.startsWith(before) && topic.length() > before.length();
    }

    /** Returns whether the topic is one of this installation's own. */
    public boolean owns(String topic) {
        return topic.startsWith(of("ojs.")) || topic.startsWith(application());
    }

    /** The queue whose topic it is. */
    public String queueOf(String ingress) {
        return ingress.substring(of(INGRESS_PARTITIONS).length());
    }

    /** Topics of queues' own, of this installation. */
    public Pattern ingresses() {
        return Pattern.compile(Pattern.quote(of(INGRESS_PARTITIONS)) + ".+");
    }

    /** The application id of Kafka Streams, which is its group, too, and what changelogs and transactional ids begin with. */
    public String application() {
        return of(APPLICATION);
    }

    /** The group that reads queues' own topics. */
    public String ingressesGroup() {
        return of(APPLICATION + "-ingress");
    }

    /** The group that writes outcomes for a sink, and what its transactional ids begin with. */
    public String sink(String name) {
        return of(APPLICATION + "-sink-" + name);
    }

    /** The group that makes deliveries of events. */
    public String webhooksGroup() {
        return of(APPLICATION + "-webhooks");
    }
}
