package io.floodgate.gateway.event;

import io.floodgate.gateway.connection.Peer;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A stream of server-sent events to one reader, who may leave without a word. */
public final class ServerSentEvents {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final @Nullable Peer peer;
    private final OutputStream out;
    private long quietSince = System.nanoTime();

    /** Begins a stream; to be called by the thread that serves the reader. */
    public ServerSentEvents(OutputStream out) throws IOException {
        this.out = out;
        peer = Peer.current();
        if (peer != null) {
            var unused = peer.watch();
        }
        send(COMMENT);
    }

    public boolean hasLeft() {
        return peer != null && peer.hasLeft();
    }

    /** Shows the reader, and proxies, that the stream is alive, should nothing have been sent for a while. */
    public void keepAlive() throws IOException {
        if (System.nanoTime() - quietSince > HEARTBEAT.toNanos()) send(COMMENT);
    }

    /** @param id for the reader to name should it come back; null if it cannot go on from anywhere */
    public void send(String type, @Nullable String id, JsonOut data) throws IOException {
        StringBuilder frame = new StringBuilder("event: ").append(onOneLine(type));
        if (id != null) frame.append("\nid: ").append(id);
        send(frame.append("\ndata: ").append(data).append("\n\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    private void send(byte[] bytes) throws IOException {
        if (peer != null) peer.isReceiving();
        out.write(bytes);
        out.flush();
        if (peer != null) peer.hasReceived();
        quietSince = System.nanoTime();
    }

    private static String onOneLine(String text) {
        return text.chars().anyMatch(Character::isISOControl) ? text.replaceAll("\\p{Cntrl}", " ") : text;
    }
}
