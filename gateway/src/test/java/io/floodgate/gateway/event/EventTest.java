package io.floodgate.gateway.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventTest extends GatewayFixture {
    static Event event(int number, String type, String queue) {
        return Event.read(
                ("{\"specversion\":\"1.0\",\"id\":\"evt_%d\",\"type\":\"%s\",\"source\":\"s\",\"time\":\"2026-02-12T10:30:%02d.000Z\",\"subject\":\"job%d\","
                                + "\"data\":{\"job_type\":\"t.%s\",\"queue\":\"%s\"}}")
                        .formatted(number, type, number, number, queue, queue)
                        .getBytes(UTF_8));
    }

    private void happened(Event... events) {
        given.events.add(List.of(events));
    }

    private static List<String> ids(Got got) {
        return got.at("/events")
                .valueStream()
                .map(e -> e.get("id").stringValue())
                .toList();
    }

    @Test
    void are_polled_oldest_first_and_in_both_shapes() {
        happened(event(1, "job.enqueued", "a"), event(2, "job.started", "a"));

        Got got = get("/ojs/v1/events");

        assertThat(ids(got)).containsExactly("evt_1", "evt_2");
        assertThat(got.at("/items/0/timestamp").stringValue()).isEqualTo("2026-02-12T10:30:01.000Z");
        assertThat(got.at("/cursor").stringValue()).isEqualTo("evt_2");
        assertThat(got.at("/has_more").booleanValue()).isFalse();
        assertThat(got.at("/pagination/total").intValue()).isEqualTo(2);
    }

    @Test
    void are_filtered_before_they_are_limited() {
        happened(
                event(1, "job.enqueued", "a"),
                event(2, "job.enqueued", "b"),
                event(3, "job.completed", "a"),
                event(4, "job.enqueued", "a"),
                event(5, "job.enqueued", "c"));

        assertThat(ids(get("/ojs/v1/events?types=job.enqueued&queues=a&limit=10")))
                .containsExactly("evt_1", "evt_4");
        assertThat(ids(get("/ojs/v1/events?type=job.completed,job.enqueued&queue=a")))
                .hasSize(3);
        assertThat(ids(get("/ojs/v1/events?job_types=t.b,t.c"))).containsExactly("evt_2", "evt_5");
        assertThat(ids(get("/ojs/v1/events?queues=a&limit=1"))).containsExactly("evt_4");
        assertThat(ids(get("/ojs/v1/events?since=2026-02-12T11:30:04%2B01:00"))).containsExactly("evt_4", "evt_5");
        assertThat(ids(get("/ojs/v1/events?channel=job:job3"))).containsExactly("evt_3");
    }

    @Test
    void are_followed_by_a_cursor_without_gaps() {
        happened(event(1, "a", "q"), event(2, "a", "q"), event(3, "a", "q"), event(4, "a", "q"));

        Got first = get("/ojs/v1/events?after=evt_1&limit=2");
        assertThat(ids(first)).containsExactly("evt_2", "evt_3");
        assertThat(first.at("/has_more").booleanValue()).isTrue();
        Got second = get("/ojs/v1/events?after=" + first.at("/cursor").stringValue());
        assertThat(ids(second)).containsExactly("evt_4");
        Got third = get("/ojs/v1/events?after=evt_4");
        assertThat(ids(third)).isEmpty();
        assertThat(third.at("/cursor").stringValue()).isEqualTo("evt_4");
    }

    @Test
    void after_one_that_is_gone_are_all_there_are() {
        happened(event(1, "a", "q"));

        assertThat(ids(get("/ojs/v1/events?after=evt_0"))).containsExactly("evt_1");
    }

    @Test
    void are_refused_for_a_bad_filter() {
        assertThat(get("/ojs/v1/events?since=yesterday").status()).isEqualTo(400);
        assertThat(get("/ojs/v1/events?channel=worker:7").status()).isEqualTo(400);
        assertThat(get("/ojs/v1/events?limit=x").status()).isEqualTo(400);
    }

    @Test
    void are_streamed_as_they_come() throws Exception {
        try (Socket reader = new Socket(InetAddress.getLoopbackAddress(), port())) {
            reader.setSoTimeout(10_000);
            reader.getOutputStream()
                    .write("GET /ojs/v1/events/stream?channel=queue:a HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
            await(() -> given.events.subscribers() == 1);

            happened(event(1, "job.enqueued", "b"), event(2, "job.enqueued", "a"));

            BufferedReader lines = new BufferedReader(new InputStreamReader(reader.getInputStream(), UTF_8));
            List<String> read = new ArrayList<>();
            String line = lines.readLine();
            while (!line.startsWith("data:")) {
                read.add(line.toLowerCase(java.util.Locale.ROOT));
                line = lines.readLine();
            }
            assertThat(read)
                    .contains("content-type: text/event-stream", "ojs-version: 1.0", "event: job.enqueued", "id: evt_2")
                    .doesNotContain("id: evt_1");
            assertThat(line).contains("\"job_id\":\"job2\"").endsWith("\"queue\":\"a\"}");
        }
        await(() -> given.events.subscribers() == 0);
    }

    @Test
    void that_were_missed_are_streamed_first() throws Exception {
        happened(event(1, "a", "q"), event(2, "a", "q"));
        try (Socket reader = new Socket(InetAddress.getLoopbackAddress(), port())) {
            reader.setSoTimeout(10_000);
            reader.getOutputStream()
                    .write("GET /ojs/v1/events/stream HTTP/1.1\r\nHost: x\r\nLast-Event-ID: evt_1\r\n\r\n"
                            .getBytes(UTF_8));
            BufferedReader lines = new BufferedReader(new InputStreamReader(reader.getInputStream(), UTF_8));
            String line = lines.readLine();
            while (!line.startsWith("id:")) line = lines.readLine();
            assertThat(line).isEqualTo("id: evt_2");
        }
        await(() -> given.events.subscribers() == 0);
    }
}
