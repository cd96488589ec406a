package io.floodgate.gateway.explain;

import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What an operator can do about a finding.
 *
 * @param docs a page of the documentation, from the root of the project; null for none
 */
record Advice(
        String text, @Nullable Action action, @Nullable String docs) {
    /**
     * A request that is ready to be sent.
     *
     * @param id as {@code queue.resume}
     * @param body JSON; null for none
     * @param effect how much care it takes: A can be taken back, B changes how things go on
     */
    record Action(
            String id, String method, String path, @Nullable String body, String effect) {
        /** Can be taken back by the opposite request. */
        static final String REVERSIBLE = "A";

        /** Changes how things go on from here. */
        static final String CHANGE = "B";

        /** All requests that are advised need it. */
        static final String SCOPE = "admin";

        void write(JsonOut out) {
            out.beginObject().field("id", id).field("method", method).field("path", path);
            if (body != null) out.fieldRaw("body", body.getBytes(StandardCharsets.UTF_8));
            out.field("scope", SCOPE).field("class", effect).endObject();
        }
    }

    void write(JsonOut out) {
        out.beginObject().field("text", text);
        if (action != null) action.write(out.name("action"));
        out.optional("docs", docs).endObject();
    }
}
