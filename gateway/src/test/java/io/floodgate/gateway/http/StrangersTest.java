package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that arrive before their caller has authenticated. */
class StrangersTest extends GatewayFixture {
    @Test
    void take_nothing_of_the_memory_for_requests() throws IOException {
        List<RawHttp> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                RawHttp stranger = new RawHttp(port());
                strangers.add(stranger);
                stranger.send("GET /ready HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(12_000));
            }
            await(() -> saturation("request_heads") > 0);

            assertThat(saturation("memory")).isZero();
            get("/ojs/manifest").answers(200);
        } finally {
            for (RawHttp stranger : strangers) stranger.close();
        }
        await(() -> saturation("request_heads") == 0);
    }

    @Test
    void of_an_address_that_has_most_of_them_make_room_for_all_other_clients() throws IOException {
        List<RawHttp> strangers = new ArrayList<>();
        try (RawHttp known = new RawHttp(port())) {
            assertThat(known.request("GET", "/ojs/v1/queues", "").read().status())
                    .isEqualTo(200);
            for (int i = 0; i < 150; i++) {
                RawHttp stranger = new RawHttp(port(), "127.0.0.2");
                strangers.add(stranger);
                stranger.send("GET /ready HTTP/1.1\r\nHost: localhost\r\nX: y");
            }
            await(() -> saturation("connections") <= 1);

            assertThat(known.request("GET", "/ojs/v1/queues", "").read().status())
                    .isEqualTo(200);
            try (RawHttp newcomer = new RawHttp(port())) {
                assertThat(newcomer.request("GET", "/ojs/v1/queues", "").read().status())
                        .isEqualTo(200);
            }
        } finally {
            for (RawHttp stranger : strangers) stranger.close();
        }
    }

    private double saturation(String channel) {
        return given.traffic.buffers().saturations().get(channel);
    }
}
