package io.floodgate.topics.command;

import io.floodgate.topics.queue.TenantId;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a signal says has happened: of an event and a key, there is one signal for as long as it is kept.
 *
 * @param event such as {@code payment}
 * @param key of what it has happened to, such as the number of an order
 */
public record SignalName(String tenant, String event, String key) {
    /** Letters, digits, and inside also {@code . _ : -}: those of a tenant, too, so that slashes keep the parts apart. */
    public static final String EVENT = "[A-Za-z0-9][A-Za-z0-9._:-]{0,127}";

    public static final int KEY_CHARS = 255;

    private static final Pattern EVENT_PATTERN = Pattern.compile(EVENT);

    /** @param tenant null for that of jobs without one */
    public static SignalName of(@Nullable String tenant, String event, String key) {
        return new SignalName(tenant == null ? TenantId.DEFAULT : tenant, event, key);
    }

    /** @param tenant as a caller names it; one that is none is rejected before */
    public static boolean isTenant(String tenant) {
        return tenant.equals(TenantId.DEFAULT) || TenantId.isTenant(tenant);
    }

    public static boolean isEvent(String text) {
        return EVENT_PATTERN.matcher(text).matches();
    }

    public static boolean isKey(String text) {
        return !text.isEmpty()
                && text.length() <= KEY_CHARS
                && text.chars().noneMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c));
    }

    /** Names the signal among all. */
    public String text() {
        return "%s/%s/%s".formatted(tenant, event, key);
    }
}
