package io.floodgate.verification.chaos;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.history.KeyAtRest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the server says of the keys of a load when all is quiet. */
final class KeysAtRest {
    private KeysAtRest() {}

    static List<KeyAtRest> ask(ChaosConfig config, ChaosKeys keys, Caller caller) throws IOException {
        List<KeyAtRest> found = new ArrayList<>();
        String cursor = "";
        do {
            Heard page = caller.get("/ojs/v1/unique-jobs?limit=100" + cursor);
            if (!page.isOk()) throw new IOException("it is unknown which jobs have keys: " + page.shown());
            for (JsonNode item : page.body().required("items"))
                found.add(new KeyAtRest(
                        item.required("key").stringValue(),
                        item.required("job_id").stringValue(),
                        item.path("state").stringValue(""),
                        false));
            String next = page.body().at("/pagination/next_cursor").stringValue("");
            cursor = next.isEmpty() ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
        for (int key = 0; key < keys.count(); key++) {
            String name = ChaosKeys.given(config.seed(), key);
            Heard one = caller.get("/ojs/v1/unique-jobs/" + name);
            if (one.isOk() && one.body().path("claimed").asBoolean(false)) found.add(new KeyAtRest(name, "", "", true));
        }
        return found;
    }
}
