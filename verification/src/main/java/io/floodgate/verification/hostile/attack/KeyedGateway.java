package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Target;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** One more gateway of the attacked installation, which asks for API keys. */
final class KeyedGateway implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * An API key for one queue, to produce and to consume.
     *
     * @param id 8 letters, which are also its name
     */
    record Key(String id, String queue) {
        private String secret() {
            return "fg_" + id + "_" + "s".repeat(43);
        }

        private void write(JsonOut json) throws GeneralSecurityException {
            json.beginObject()
                    .field("id", id)
                    .field("name", id)
                    .field(
                            "sha256",
                            HexFormat.of()
                                    .formatHex(
                                            MessageDigest.getInstance("SHA-256").digest(bytes(secret()))))
                    .field("scopes", List.of("produce", "consume"))
                    .field("queues", List.of(queue))
                    .endObject();
        }
    }

    private final Child process;
    private final Caller caller;

    private KeyedGateway(Child process, Caller caller) {
        this.process = process;
        this.caller = caller;
    }

    static KeyedGateway start(Target target, Key... keys) throws Exception {
        JsonOut json = new JsonOut().beginObject().name("keys").beginArray();
        for (Key key : keys) key.write(json);
        Path file = target.directory().resolve("keys.json");
        Files.write(file, json.endArray().endObject().toBytes());
        int port = Ports.free();
        Child process = new Child(
                "keyed-gateway",
                List.of(
                        "gateway",
                        "--bootstrap",
                        target.installation().bootstrap(),
                        "--port",
                        Integer.toString(port),
                        "--keys",
                        file.toString()),
                target.directory(),
                Child.SMALL_HEAP);
        KeyedGateway started = new KeyedGateway(process, new Caller("http://127.0.0.1:" + port, PATIENCE));
        try {
            process.start();
            Await.until(
                    "the gateway with keys is ready",
                    PATIENCE,
                    () -> started.caller.get("/ready").isOk());
        } catch (Exception failed) {
            started.close();
            throw failed;
        }
        return started;
    }

    Heard call(Key key, String method, String path, byte[] body) {
        return caller.call(method, path, body, Map.of("Authorization", "Bearer " + key.secret()));
    }

    Heard post(Key key, String path, String body) throws IOException {
        return call(key, "POST", path, bytes(body));
    }

    @Override
    public void close() {
        caller.close();
        process.close();
    }
}
