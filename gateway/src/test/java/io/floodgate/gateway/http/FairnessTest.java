package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that always have another request do not keep others from being served. */
@Timeout(180)
// It counts turns, and needs the machine for itself.
@Tag("server")
class FairnessTest extends GatewayFixture {
    private static final int FLOODS = 2 * Runtime.getRuntime().availableProcessors();
    private static final int ASKED = 7;

    /**
     * What one of them may get ahead during another caller's request. On two cores the median was 300 to 1,500, since the
     * flood's own threads have the machine, too. Without pauses the other caller gets no answer in 20 s.
     */
    private static final long AHEAD = 25_000;

    /** Answers to each of them after which all are under way. */
    private static final long WARM = 100;

    private static final byte[] CHEAP = "GET /ojs/manifest HTTP/1.1\r\nHost: localhost\r\n\r\n"
            .repeat(1_000)
            .getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    @Test
    void a_flood_of_requests_that_wait_for_nothing_lets_others_come_in_between() throws Exception {
        AtomicLong answeredBytes = new AtomicLong();
        long answer = get("/ojs/manifest").body().length();
        List<Socket> floods = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try {
            for (int i = 0; i < FLOODS; i++) {
                Socket flood = new Socket(InetAddress.getLoopbackAddress(), port());
                floods.add(flood);
                threads.add(Thread.ofPlatform().start(() -> write(flood)));
                threads.add(Thread.ofPlatform().start(() -> read(flood, answeredBytes)));
            }
            // What follows counts turns, so that it does not matter how busy the machine is.
            boolean flows = awaitAtMost(Duration.ofSeconds(60), () -> answeredBytes.get() > FLOODS * WARM * answer);
            assertThat(flows).isTrue();
            List<Long> meanwhile = new ArrayList<>();
            for (int i = 0; i < ASKED; i++) {
                long before = answeredBytes.get();
                get("/ojs/manifest").answers(200);
                meanwhile.add((answeredBytes.get() - before) / answer);
            }
            meanwhile.sort(null);
            assertThat(meanwhile.get(ASKED / 2)).isLessThan(FLOODS * AHEAD);
        } finally {
            for (Socket flood : floods) flood.close();
            for (Thread thread : threads) thread.join();
        }
    }

    private static void write(Socket flood) {
        try {
            while (true) flood.getOutputStream().write(CHEAP);
        } catch (SocketException closed) {
            // the flood is over
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void read(Socket flood, AtomicLong bytes) {
        byte[] buffer = new byte[64 * 1024];
        try (InputStream in = flood.getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) bytes.addAndGet(read);
        } catch (SocketException closed) {
            // the flood is over
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
