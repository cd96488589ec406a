package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.limit.LimitSpace;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.queue.NamePatterns;
import io.floodgate.topics.queue.TenantId;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a command, as an API key names it, and what it may access. It travels beside the command, so that the
 * partition decides about the job as it is at execution.
 *
 * @param name of the key: that of a producer, a worker, or an operator
 * @param queues patterns of the queues that there are for it; null for all
 * @param tenant whose jobs alone it may access; null for all jobs
 */
public record Identity(
        String name,
        @Nullable List<String> queues,
        @Nullable String tenant) {
    public static final int NAME_CHARS = 100;
    public static final int MOST_QUEUES = 50;
    public static final int PATTERN_CHARS = 255;

    /** Written, none is longer. */
    private static final int MOST_CHARS = 16 * 1024;

    public Identity {
        queues = queues == null ? null : List.copyOf(queues);
    }

    /** Whether there is less for it than everything. */
    public boolean isConfined() {
        return queues != null || tenant != null;
    }

    /** The space of the keys of rate limits that it names in jobs of this queue; null for none. */
    public @Nullable String limitSpace(String key, String queue) {
        // A caller that may use the queue as a whole shares the queue's key with all others.
        boolean isShared = tenant == null && key.equals(RateLimit.keyOfQueue(queue));
        return isShared ? null : space();
    }

    /** The space of the keys of unique jobs that a caller names. */
    public static @Nullable String spaceOf(@Nullable Identity by) {
        return by == null ? null : by.space();
    }

    private @Nullable String space() {
        boolean all = queues == null || queues.contains("*");
        return LimitSpace.of(all ? null : queues, tenant);
    }

    public boolean mayUse(String queue) {
        return queues == null || NamePatterns.match(queues, queue);
    }

    /** @param owner whose job it is: looked up only if that matters */
    public boolean maySee(String queue, Supplier<String> owner) {
        return mayUse(queue) && (tenant == null || tenant.equals(owner.get()));
    }

    /** Whether a key can have this name: a header, a line of a partition and a list of producers can hold it. */
    public static boolean isName(String text) {
        if (text.isEmpty() || text.length() > NAME_CHARS) return false;
        for (int i = 0; i < text.length(); i++)
            if (!isWord(text.charAt(i)) && "@:/".indexOf(text.charAt(i)) < 0) return false;
        return true;
    }

    /** Whether this can be a queue, or stand for some. */
    public static boolean isQueuePattern(String text) {
        if (text.isEmpty() || text.length() > PATTERN_CHARS) return false;
        for (int i = 0; i < text.length(); i++) if (!isWord(text.charAt(i)) && text.charAt(i) != '*') return false;
        return true;
    }

    private static boolean isWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._-".indexOf(c) >= 0;
    }

    /** As a header has it, in ASCII. */
    public String write() {
        JsonOut json = JsonOut.object().field("name", name);
        if (queues != null) json.field("queues", queues);
        return json.optional("tenant", tenant).endObject().toString();
    }

    /** The reverse. Rejects what makes no sense: its author may have meant to confine a key. */
    public static Identity read(String text) throws UnreadableCommand {
        if (text.length() > MOST_CHARS) throw unreadable();
        try {
            Members json = Members.of(text.getBytes(UTF_8));
            String name = json.text("name");
            List<String> queues = json.texts("queues");
            String tenant = json.text("tenant");
            boolean sensible = name != null
                    && isName(name)
                    && (queues != null || !json.names().contains("queues"))
                    && (tenant != null || !json.names().contains("tenant"))
                    && (queues == null
                            || (queues.size() <= MOST_QUEUES && queues.stream().allMatch(Identity::isQueuePattern)))
                    && (tenant == null || TenantId.isTenant(tenant) || tenant.equals(TenantId.DEFAULT));
            if (sensible && name != null) return new Identity(name, queues, tenant);
        } catch (MalformedJson malformed) {
            // Rejected like all else that makes no sense.
        }
        throw unreadable();
    }

    /** What {@link #write} has made, back from a store; null if there is none. */
    public static @Nullable Identity stored(@Nullable String text) {
        try {
            return text == null ? null : read(text);
        } catch (UnreadableCommand unreadable) {
            throw new IllegalStateException("an identity that could be read before", unreadable);
        }
    }

    /** What {@link #read} takes; null for none. */
    public static @Nullable String written(@Nullable Identity identity) {
        return identity == null ? null : identity.write();
    }

    private static UnreadableCommand unreadable() {
        return new UnreadableCommand("The header 'ojs-by' does not say who sent the command.");
    }
}
