package io.floodgate.topics.queue;

import io.floodgate.topics.json.MemberWalk;

/** Whose a job is (OJS multi-tenancy §5): its {@code meta.tenant_id}. */
public final class TenantId {
    /** Whose jobs are that name no tenant, or none that can be one (OJS multi-tenancy §15.3). */
    public static final String DEFAULT = "_default";

    private static final int MOST_CHARS = 255;

    private TenantId() {}

    /** @param job as a JSON object that Floodgate wrote */
    public static String of(byte[] job) {
        MemberWalk members = new MemberWalk(job);
        while (members.next()) if (members.nameIs("meta") && members.isObject()) return inside(members.inside());
        return DEFAULT;
    }

    private static String inside(MemberWalk meta) {
        while (meta.next()) {
            if (!meta.nameIs("tenant_id")) continue;
            String named = meta.isText() ? meta.text() : "";
            return isTenant(named) ? named : DEFAULT;
        }
        return DEFAULT;
    }

    /** Letters, digits, and inside also {@code . _ : -}. */
    public static boolean isTenant(String text) {
        if (text.isEmpty() || text.length() > MOST_CHARS || !isLetterOrDigit(text.charAt(0))) return false;
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetterOrDigit(c) && "._:-".indexOf(c) < 0) return false;
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
