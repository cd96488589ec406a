package io.floodgate.gateway.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.gateway.connection.Peer.Limits;
import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeerTest {
    private static final byte[] END = {};
    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), System::nanoTime);

    private final BlockingQueue<byte[]> wire = new LinkedBlockingQueue<>();
    private final HeadMemory memory = new HeadMemory(16_000);
    private final Peer peer = new Peer(DataReader.create(this::fromWire), "10.0.0.1", LIMITS, memory);

    private byte[] fromWire() {
        try {
            byte[] bytes = wire.take();
            return bytes.length == 0 ? null : bytes;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void comes(String text) {
        wire.add(text.getBytes(US_ASCII));
    }

    private String read() {
        byte[] bytes = peer.read();
        return bytes == null ? "the end" : new String(bytes, US_ASCII);
    }

    @Test
    void is_read_as_it_sends() {
        comes("GET / HTTP/1.1\r\n");
        comes("\r\n");
        wire.add(END);

        assertThat(read()).isEqualTo("GET / HTTP/1.1\r\n");
        assertThat(read()).isEqualTo("\r\n");
        peer.hasBegun();
        assertThat(read()).isEqualTo("the end");
    }

    @Test
    void that_leaves_while_it_is_watched_is_noticed_at_once() throws Exception {
        comes("POST / HTTP/1.1\r\n\r\n");
        read();
        CompletableFuture<Void> left = peer.watch();
        assertThat(peer.hasLeft()).isFalse();
        assertThat(left).isNotDone();

        wire.add(END);

        left.get(60, TimeUnit.SECONDS);
        assertThat(peer.hasLeft()).isTrue();
    }

    @Test
    void that_sends_its_next_request_early_has_not_left_and_loses_nothing() {
        comes("POST /1 HTTP/1.1\r\n\r\n");
        read();
        CompletableFuture<Void> left = peer.watch();
        comes("POST /2 HTTP/1.1\r\n\r\n");
        peer.isIdle();

        assertThat(read()).isEqualTo("POST /2 HTTP/1.1\r\n\r\n");
        assertThat(left).isNotDone();
        assertThat(peer.hasLeft()).isFalse();
    }

    @Test
    void may_be_watched_more_than_once() throws Exception {
        comes("POST / HTTP/1.1\r\n\r\n");
        read();
        CompletableFuture<Void> first = peer.watch();
        CompletableFuture<Void> second = peer.watch();

        wire.add(END);

        CompletableFuture.allOf(first, second).get(60, TimeUnit.SECONDS);
    }

    @Test
    void has_so_long_to_send_and_no_hurry_in_between() {
        long now = System.nanoTime();
        assertThat(peer.isBetweenRequests()).isTrue();
        assertThat(peer.isLate(now + Duration.ofHours(1).toNanos())).isFalse();
        comes("POST / HTTP/1.1\r\n");
        read();

        assertThat(peer.isSending()).isTrue();
        assertThat(peer.isLate(System.nanoTime() + Duration.ofSeconds(9).toNanos()))
                .isFalse();
        assertThat(peer.isLate(System.nanoTime() + Duration.ofSeconds(11).toNanos()))
                .isTrue();

        peer.hasBegun();
        assertThat(peer.isLate(System.nanoTime() + Duration.ofSeconds(29).toNanos()))
                .isFalse();
        assertThat(peer.isLate(System.nanoTime() + Duration.ofSeconds(31).toNanos()))
                .isTrue();

        peer.hasSent();
        assertThat(peer.isLate(System.nanoTime() + Duration.ofHours(1).toNanos()))
                .isFalse();
        peer.isReceiving();
        assertThat(peer.isLate(System.nanoTime() + Duration.ofSeconds(61).toNanos()))
                .isTrue();
        peer.isIdle();
        assertThat(peer.isBetweenRequests()).isTrue();
        assertThat(peer.isLate(System.nanoTime() + Duration.ofHours(1).toNanos()))
                .isFalse();
    }

    @Test
    void that_sends_headers_without_end_takes_memory_and_finds_an_end_of_it() {
        comes("GET / HTTP/1.1\r\n" + "X: " + "y".repeat(5_000) + "\r\n");
        comes("X: " + "y".repeat(5_000) + "\r\n");

        assertThat(read()).startsWith("GET / ");
        assertThat(memory.saturation()).isGreaterThan(0.3);
        assertThatThrownBy(peer::read)
                .isInstanceOf(CloseConnectionException.class)
                .hasMessageContaining("no memory");
    }

    @Test
    void leaves_half_of_the_memory_to_other_addresses() {
        comes("GET / HTTP/1.1\r\n" + "X: " + "y".repeat(6_000) + "\r\n");
        read();
        Peer other = new Peer(DataReader.create(this::fromWire), "10.0.0.1", LIMITS, memory);
        comes("GET / HTTP/1.1\r\n" + "X: " + "y".repeat(5_000) + "\r\n");
        assertThatThrownBy(other::read).hasMessageContaining("no memory");

        Peer elsewhere = new Peer(DataReader.create(this::fromWire), "10.0.0.2", LIMITS, memory);
        comes("GET / HTTP/1.1\r\n" + "X: " + "y".repeat(4_500) + "\r\n");
        assertThat(elsewhere.read()).isNotEmpty();
    }

    @Test
    void that_sends_a_head_in_tiny_pieces_pays_for_what_is_kept_around_them() {
        HeadMemory much = new HeadMemory(10_000_000);
        Peer tiny = new Peer(DataReader.create(this::fromWire), "10.0.0.1", LIMITS, much);
        comes("GET / HTTP/1.1\r\n");
        tiny.read();
        for (int i = 0; i < 1_100; i++) comes("x");

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_100; i++) tiny.read();
                })
                .isInstanceOf(CloseConnectionException.class)
                .hasMessageContaining("too costly");
    }

    @Test
    void that_sends_very_many_headers_pays_for_each() {
        HeadMemory much = new HeadMemory(10_000_000);
        Peer many = new Peer(DataReader.create(this::fromWire), "10.0.0.1", LIMITS, much);
        comes("GET / HTTP/1.1\r\n" + "a:b\r\n".repeat(1_000));

        assertThatThrownBy(many::read).hasMessageContaining("too costly");
    }

    @Test
    void pays_for_no_lines_of_its_body() {
        comes("POST / HTTP/1.1\r\nHost: a\r\n\r\n" + "\n".repeat(1_000));

        assertThat(read()).hasSizeGreaterThan(1_000);
        assertThat(memory.saturation()).isZero();
    }

    @Test
    void that_leaves_in_a_head_is_no_error_of_the_server() {
        comes("GET /ready HTTP/1.1\r\nHost: localhost\r\nX: y");
        wire.add(END);
        read();

        assertThatThrownBy(peer::read).isInstanceOf(CloseConnectionException.class);
    }

    @Test
    void that_leaves_in_its_first_line_is_no_error_of_the_server() {
        comes("GET /ready HT");
        wire.add(END);

        assertThatThrownBy(peer::read).isInstanceOf(CloseConnectionException.class);
    }

    @Test
    void whose_first_line_does_not_end_is_not_read_without_end() {
        HeadMemory much = new HeadMemory(10_000_000);
        Peer endless = new Peer(DataReader.create(this::fromWire), "10.0.0.1", LIMITS, much);
        for (int i = 0; i < 4; i++) comes("A".repeat(4_000));

        assertThat(endless.read()).hasSize(12_000);
        assertThat(wire).hasSize(1);
        assertThat(much.saturation()).isGreaterThan(0.0012);
    }

    @Test
    void gives_back_the_memory_of_a_head_that_was_read() {
        comes("GET / HTTP/1.1\r\n" + "X: " + "y".repeat(5_000) + "\r\n\r\n");
        read();
        assertThat(memory.saturation()).isPositive();

        peer.hasBegun();

        assertThat(memory.saturation()).isZero();
    }

    @Test
    void in_an_older_http_is_shown_in_the_newer_one() {
        comes("GET / HT");
        comes("TP/1.0\r\nAccept: *");
        comes("/*\r\n\r\nbody");

        assertThat(read())
                .isEqualTo("GET / HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\nAccept: */*\r\n\r\nbody");
        assertThat(peer.speaksOldHttp()).isTrue();
    }

    @Test
    void in_an_older_http_keeps_the_host_it_names() {
        comes("GET / HTTP/1.0\r\nHOST: a.example\r\n\r\n");

        assertThat(read()).isEqualTo("GET / HTTP/1.1\r\nConnection: close\r\nHOST: a.example\r\n\r\n");
    }
}
