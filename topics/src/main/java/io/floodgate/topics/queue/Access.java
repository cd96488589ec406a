package io.floodgate.topics.queue;

import io.floodgate.topics.json.Wire;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs may come into a queue, and from whom (OJS queue configuration §6.5); whatever is null was not decided, and is
 * open to all.
 *
 * @param jobTypes types of jobs, with {@code *} for any characters
 * @param producers names of producers, with {@code *} for any characters
 */
public record Access(
        @Wire.Name("allowed_job_types") @Wire.Most(Access.MOST) @Nullable
        List<String> jobTypes,

        @Wire.Most(Access.MOST) @Nullable List<String> producers) {
    public static final Access NONE = new Access(null, null);

    /** Of each list: it is looked through with every job. */
    public static final int MOST = 100;

    public static final int MOST_CHARS = 255;

    public static final List<String> ALL = List.of("*");

    public Access {
        jobTypes = jobTypes == null ? null : List.copyOf(jobTypes);
        producers = producers == null ? null : List.copyOf(producers);
    }

    Access over(Access other) {
        return new Access(
                jobTypes == null ? other.jobTypes : jobTypes, producers == null ? other.producers : producers);
    }

    Access without(Set<String> names) {
        return new Access(
                names.contains("allowed_job_types") ? null : jobTypes, names.contains("producers") ? null : producers);
    }

    /** Whether there may be a caller, or a job, that cannot come in. */
    public boolean isRestricted() {
        return jobTypes != null || producers != null;
    }

    public boolean allowsType(String type) {
        return jobTypes == null || NamePatterns.match(jobTypes, type);
    }

    /** @param producer null for an unknown one: it may do what all producers may */
    public boolean allowsProducer(@Nullable String producer) {
        if (producers == null || producers.contains("*")) return true;
        return producer != null && NamePatterns.match(producers, producer);
    }

    /** Whether this can be a type of jobs, or stand for some: words as types are made of, dots and stars. */
    public static boolean isTypePattern(String text) {
        if (text.isEmpty() || text.length() > MOST_CHARS) return false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!word && "._-*".indexOf(c) < 0) return false;
        }
        return true;
    }

    /** Whether this can be a producer's name, or stand for some: anything that can be seen. */
    public static boolean isProducerPattern(String text) {
        if (text.isEmpty() || text.length() > MOST_CHARS) return false;
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) <= ' ' || text.charAt(i) > '~') return false;
        return true;
    }
}
