package io.floodgate.bench.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpCrowdTest {
    private EchoHttpServer server;
    private HttpCrowd crowd;
    private final Map<Integer, String> received = new TreeMap<>();

    @BeforeEach
    void start() throws IOException {
        server = new EchoHttpServer();
        crowd = new HttpCrowd(server.target());
    }

    @AfterEach
    void stop() {
        crowd.close();
        server.close();
    }

    private void receiveAll(int count) throws IOException {
        received.clear();
        while (received.size() < count) receiveFrom(crowd);
    }

    private void receiveFrom(HttpCrowd some) throws IOException {
        some.receive(
                1_000,
                (number, response, failure) -> received.put(
                        number, response == null ? String.valueOf(failure) : response.status() + response.text()));
    }

    @Test
    void each_connection_gets_its_own_responses_again_and_again() throws IOException {
        for (int i = 0; i < 50; i++) crowd.add(Map.of());
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 50; i++)
                crowd.send(i, "POST", i % 2 == 0 ? "/echo" : "/chunked", (i + " " + round).getBytes(UTF_8));
            receiveAll(50);
            for (int i = 0; i < 50; i++) assertThat(received).containsEntry(i, "200" + i + " " + round);
        }
    }

    @Test
    void large_bodies_go_both_ways() throws IOException {
        crowd.add(Map.of());
        crowd.send(0, "POST", "/echo", "x".repeat(1_000_000).getBytes(UTF_8));
        receiveAll(1);
        assertThat(received.get(0)).isEqualTo("200" + "x".repeat(1_000_000));
    }

    @Test
    void headers_go_with_each_request_and_every_status_comes_back() throws IOException {
        crowd.add(Map.of("Authorization", "key-1"));
        crowd.add(Map.of());
        crowd.send(0, "POST", "/who", new byte[0]);
        crowd.send(1, "POST", "/refuse", "no".getBytes(UTF_8));
        receiveAll(2);
        assertThat(received).containsEntry(0, "200key-1").containsEntry(1, "503no");
    }

    @Test
    void a_connection_that_the_server_closes_is_a_failure_and_the_next_request_has_a_new_one() throws IOException {
        try (ServerSocket closing = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HttpCrowd failing = new HttpCrowd(HttpTarget.parse("http://127.0.0.1:" + closing.getLocalPort()))) {
            failing.add(Map.of());
            for (int i = 0; i < 2; i++) {
                failing.send(0, "POST", "/echo", new byte[0]);
                closing.accept().close();
                received.clear();
                while (received.isEmpty()) receiveFrom(failing);
                assertThat(received.get(0)).contains("Exception");
            }
        }
    }

    @Test
    void a_connection_that_the_server_closes_between_requests_is_no_clients_failure() throws Exception {
        try (ServerSocket closing = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HttpCrowd idle = new HttpCrowd(HttpTarget.parse("http://127.0.0.1:" + closing.getLocalPort()))) {
            idle.add(Map.of());
            for (int i = 0; i < 2; i++) {
                idle.send(0, "POST", "/echo", new byte[0]);
                received.clear();
                try (Socket accepted = closing.accept()) {
                    accepted.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(UTF_8));
                    while (received.isEmpty()) receiveFrom(idle);
                    accepted.setSoLinger(true, 0);
                }
                receiveFrom(idle);
                assertThat(received).containsExactly(Map.entry(0, "200ok"));
            }
        }
    }

    @Test
    void no_client_there_is_an_error_that_names_the_server() throws IOException {
        int port;
        try (ServerSocket none = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = none.getLocalPort();
        }
        try (HttpCrowd failing = new HttpCrowd(HttpTarget.parse("http://127.0.0.1:" + port))) {
            failing.add(Map.of());
            assertThatThrownBy(() -> failing.send(0, "POST", "/echo", new byte[0]))
                    .isInstanceOf(NotConnected.class)
                    .hasMessageContaining(Integer.toString(port));
        }
    }
}
