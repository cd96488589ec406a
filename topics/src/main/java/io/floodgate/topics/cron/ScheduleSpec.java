package io.floodgate.topics.cron;

import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Wire;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was registered as a schedule.
 *
 * @param timezone the name of a place; the state machine does not know what it means
 * @param every between two runs, if an interval says when they are due and not a calendar
 * @param managedBy who registers it together with others, and removes what is not listed any more
 */
public record ScheduleSpec(
        String expression,
        String timezone,
        @Wire.Least(1_000) @Nullable Duration every,
        @Wire.Inline JobTemplate job,
        @Wire.Inline RunRules rules,
        @Nullable String managedBy,

        @Wire.Most(ScheduleSpec.MOST_DESCRIPTION_CHARS) @Nullable
        String description) {
    /**
     * What its jobs are made of, as JSON objects.
     *
     * @param type the one that the envelope names, as the queue is
     * @param envelope without id and meta
     * @param shown as it was registered
     */
    public record JobTemplate(String type, String queue, byte[] envelope, byte[] meta, byte[] shown) {
        public static JobTemplate of(byte[] envelope, byte[] meta, byte[] shown) {
            return new JobTemplate(text(envelope, "type"), text(envelope, "queue"), envelope, meta, shown);
        }

        private static String text(byte[] envelope, String name) {
            MemberWalk members = new MemberWalk(envelope);
            while (members.next()) if (members.nameIs(name) && members.isText()) return members.text();
            return "null";
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof JobTemplate template
                    && Arrays.equals(envelope, template.envelope)
                    && Arrays.equals(meta, template.meta)
                    && Arrays.equals(shown, template.shown);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(shown);
        }
    }

    public static final int MOST_TEMPLATE_BYTES = 64 * 1024;
    public static final int MOST_NAME_CHARS = 255;

    /** The form of a name, as a regular expression. */
    public static final String NAME = "[a-z0-9][a-z0-9.-]{0," + (MOST_NAME_CHARS - 1) + "}";

    public static final int MOST_DESCRIPTION_CHARS = 1_000;

    /** Whether the same times are meant. */
    public boolean isDueLike(ScheduleSpec other) {
        return expression.equals(other.expression)
                && timezone.equals(other.timezone)
                && Objects.equals(every, other.every);
    }

    public static boolean isName(String text) {
        return text.matches(NAME);
    }
}
