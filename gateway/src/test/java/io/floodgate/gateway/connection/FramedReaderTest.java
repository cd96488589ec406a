package io.floodgate.gateway.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.common.buffers.BufferData;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reads as the server does: the head of a chunk, its data, the line end behind it, and after the last one a line. */
class FramedReaderTest {
    private static FramedReader reader(String text, int piece) {
        Deque<byte[]> pieces = new ArrayDeque<>();
        for (int i = 0; i < text.length(); i += piece)
            pieces.add(text.substring(i, Math.min(text.length(), i + piece)).getBytes(US_ASCII));
        return new FramedReader(pieces::poll);
    }

    private static String body(FramedReader reader) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(reader.readLine(), 16);
            if (size == 0) {
                assertThat(reader.readLine()).isEmpty();
                return body.toString(US_ASCII);
            }
            BufferData data = reader.readBuffer(size);
            byte[] bytes = new byte[data.available()];
            data.read(bytes);
            body.writeBytes(bytes);
            reader.skip(2);
        }
    }

    @Test
    void finds_the_data_however_it_is_cut_and_leaves_what_follows() {
        long seed = Long.getLong("framed.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            StringBuilder wire = new StringBuilder();
            StringBuilder wanted = new StringBuilder();
            for (int chunk = random.nextInt(5); chunk >= 0; chunk--) {
                // Sizes around the pieces in which large chunks are shown, and two, as many as a line end has.
                int size = new int[] {1, 2, 3, 100, 16_383, 16_384, 16_385, 40_000}[random.nextInt(8)];
                String data = "x\r\n0".repeat(size / 4 + 1).substring(0, size);
                wanted.append(data);
                wire.append(Integer.toHexString(size)).append(random.nextBoolean() ? ";ext=\"1\"" : "");
                wire.append("\r\n").append(data).append("\r\n");
            }
            wire.append("0\r\n")
                    .append(random.nextBoolean() ? "X-Trailer: 1\r\nY: 2\r\n" : "")
                    .append("\r\n");
            FramedReader reader = reader(wire + "GET / HTTP/1.1\r\n", 1 + random.nextInt(20_000));

            assertThat(body(reader))
                    .as("-Dframed.seed=%d, round %d", seed, round)
                    .isEqualTo(wanted.toString());
            assertThat(reader.readAsciiString(3)).isEqualTo("GET");
        }
    }

    @Test
    void shows_a_large_chunk_in_pieces() {
        FramedReader reader = reader("186a0\r\n" + "x".repeat(100_000) + "\r\n0\r\n\r\n", 1_000);

        assertThat(Integer.parseInt(reader.readLine(), 16)).isLessThanOrEqualTo(16 * 1024);
    }

    @Test
    void rejects_data_that_is_longer_than_its_head_says() {
        assertThatThrownBy(() -> body(reader("2\r\nabc\r\n0\r\n\r\n", 100))).isInstanceOf(MalformedBody.class);
    }

    @Test
    void says_nothing_of_what_was_sent() {
        assertThatThrownBy(() -> body(reader("secret\r\n", 100)))
                .isInstanceOf(MalformedBody.class)
                .hasMessageNotContaining("secret");
    }
}
