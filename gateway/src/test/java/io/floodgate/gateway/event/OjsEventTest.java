package io.floodgate.gateway.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.TestApi;
import io.floodgate.topics.event.OjsEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OjsEventTest extends GatewayFixture {
    /** They go on from test to test, as on the topic. */
    private static final AtomicLong OFFSETS = new AtomicLong();

    static OjsEvent event(int number, String type, String queue) {
        return OjsEvent.read(
                0,
                OFFSETS.incrementAndGet(),
                ("{\"specversion\":\"1.0\",\"id\":\"evt_%d\",\"type\":\"%s\",\"source\":\"s\",\"time\":\"2026-02-12T10:30:%02d.000Z\",\"subject\":\"job%d\","
                                + "\"data\":{\"job_type\":\"t.%s\",\"queue\":\"%s\"}}")
                        .formatted(number, type, number, number, queue, queue)
                        .getBytes(UTF_8));
    }

    private void happened(OjsEvent... events) {
        given.events.add(List.of(events));
    }

    private static List<String> ids(Got got) {
        return got.at("/events")
                .valueStream()
                .map(e -> e.get("id").stringValue())
                .toList();
    }

    @Test
    void those_of_one_workflow_are_of_its_jobs_too() {
        String id = "01939a40-0000-7000-8000-000000000001";
        String json =
                "{\"id\":\"evt_3\",\"type\":\"job.enqueued\",\"time\":\"2026-02-12T10:30:03.000Z\",\"subject\":\"j\",\"data\":{\"queue\":\"a\",\"workflow_id\":\"%s\"}}"
                        .formatted(id);
        OjsEvent ofWorkflow = OjsEvent.read(0, OFFSETS.incrementAndGet(), json.getBytes(UTF_8));
        happened(event(1, "job.enqueued", "a"), ofWorkflow);
        assertThat(ids(get("/ojs/v1/events?workflow_id=" + id))).containsExactly("evt_3");
        assertThat(ids(get("/ojs/v1/events?workflow_id=wf_" + id))).containsExactly("evt_3");
        get("/ojs/v1/events?workflow_id=night%20ly").answers(400);
    }

    @Test
    void are_polled_oldest_first_and_in_both_shapes() {
        happened(event(1, "job.enqueued", "a"), event(2, "job.started", "a"));

        Got got = get("/ojs/v1/events");

        assertThat(ids(got)).containsExactly("evt_1", "evt_2");
        assertThat(got.at("/items/0/timestamp").stringValue()).isEqualTo("2026-02-12T10:30:01.000Z");
        assertThat(ids(get("/ojs/v1/events?after=" + got.at("/cursor").stringValue())))
                .isEmpty();
        got.answers("{'has_more':false,'pagination':{'total':2}}");
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
        assertThat(third.at("/cursor").stringValue())
                .isEqualTo(second.at("/cursor").stringValue());
    }

    @Test
    void after_one_that_is_gone_are_all_there_are() {
        happened(event(1, "a", "q"));

        assertThat(ids(get("/ojs/v1/events?after=evt_0"))).containsExactly("evt_1");
    }

    @Test
    void are_rejected_for_a_bad_filter() {
        get("/ojs/v1/events?since=yesterday").answers(400);
        get("/ojs/v1/events?channel=worker:7").answers(400);
        get("/ojs/v1/events?limit=x").answers(400);
    }

    @Test
    void are_streamed_as_they_come() throws Exception {
        try (Socket reader = new Socket(InetAddress.getLoopbackAddress(), port())) {
            reader.setSoTimeout(60_000);
            reader.getOutputStream()
                    .write("GET /ojs/v1/events/stream?channel=queue:a HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(UTF_8));
            await(() -> given.streams.open() == 1);

            happened(event(1, "job.enqueued", "b"), event(2, "job.enqueued", "a"));

            BufferedReader lines = new BufferedReader(new InputStreamReader(reader.getInputStream(), UTF_8));
            List<String> read = new ArrayList<>();
            String line = lines.readLine();
            while (!line.startsWith("data:")) {
                read.add(line.toLowerCase(java.util.Locale.ROOT));
                line = lines.readLine();
            }
            assertThat(read).contains("content-type: text/event-stream", "ojs-version: 1.0", "event: job.enqueued");
            assertThat(line).contains("\"job_id\":\"job2\"").endsWith("\"queue\":\"a\"}");
        }
        await(() -> given.streams.open() == 0);
    }

    @Test
    void that_were_missed_are_streamed_first() throws Exception {
        happened(event(1, "a", "q"), event(2, "a", "q"));
        try (Socket reader = new Socket(InetAddress.getLoopbackAddress(), port())) {
            reader.setSoTimeout(60_000);
            reader.getOutputStream()
                    .write("GET /ojs/v1/events/stream HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: evt_1\r\n\r\n"
                            .getBytes(UTF_8));
            BufferedReader lines = new BufferedReader(new InputStreamReader(reader.getInputStream(), UTF_8));
            String line = lines.readLine();
            while (!line.startsWith("data:")) line = lines.readLine();
            assertThat(line).contains("\"id\":\"evt_2\"");
        }
        await(() -> given.streams.open() == 0);
    }

    @Test
    void are_paged_backwards_and_counted() {
        happened(event(1, "a", "q"), event(2, "b", "q"), event(3, "a", "q"), event(4, "a", "q"));

        Got second = get("/ojs/v1/events?types=a&limit=2&page=2");

        assertThat(ids(second)).containsExactly("evt_1");
        second.answers("{'pagination':{'page':2,'total':3}}");
        Got first = get("/ojs/v1/events?types=a&limit=2");
        assertThat(ids(first)).containsExactly("evt_3", "evt_4");
        assertThat(first.at("/pagination/has_more").booleanValue()).isTrue();
    }

    @Test
    void after_a_cursor_are_not_counted() {
        happened(event(1, "a", "q"), event(2, "a", "q"));

        Got got = get("/ojs/v1/events?after=evt_1");

        assertThat(got.at("/pagination/total").isMissingNode()).isTrue();
    }

    @Test
    void are_rejected_for_a_cursor_that_is_none() {
        get("/ojs/v1/events?after=c1***").answers(400);
        get("/ojs/v1/events?cursor=nonsense").answers(400);
    }

    @Test
    void have_their_heads_without_an_end_to_wait_for() {
        Got got = send("HEAD", "/ojs/v1/events/stream", null);

        got.answers(200);
        assertThat(got.header("Content-Type")).startsWith("text/event-stream");
        assertThat(given.streams.open()).isZero();
    }

    @Test
    void are_streamed_to_an_address_as_long_as_it_leaves_as_many_and_to_no_more_readers_than_there_may_be()
            throws Exception {
        List<Socket> readers = new ArrayList<>();
        for (int i = 2; i <= TestApi.EVENT_STREAMS; i++) readers.add(stream(""));
        await(() -> given.streams.open() == TestApi.EVENT_STREAMS - 1);

        Got hasItsShare = get("/ojs/v1/events/stream");
        readers.add(stream("", "127.0.0.2"));
        await(() -> given.streams.open() == TestApi.EVENT_STREAMS);
        Socket another = stream("", "127.0.0.3");

        hasItsShare.answers(429);
        assertThat(hasItsShare.header("Retry-After")).isNotNull();
        assertThat(new String(another.getInputStream().readNBytes(12), UTF_8)).isEqualTo("HTTP/1.1 503");
        readers.add(another);
        for (Socket reader : readers) reader.close();
        await(() -> given.streams.open() == 0);
    }

    @Test
    void cannot_break_out_of_their_frame() throws Exception {
        byte[] json = "{\"id\":\"e\",\n\"type\":\"a\\nevent: b\",\"data\":{}}".getBytes(UTF_8);
        happened(event(1, "a", "q"), OjsEvent.read(0, OFFSETS.incrementAndGet(), json));
        try (Socket reader = stream("Last-Event-ID: evt_1\r\n")) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(reader.getInputStream(), UTF_8));
            String line = lines.readLine();
            while (!line.startsWith("event:")) line = lines.readLine();
            assertThat(line).isEqualTo("event: a event: b");
            assertThat(lines.readLine()).startsWith("id: c1");
            assertThat(lines.readLine()).startsWith("data: {").endsWith("}");
            assertThat(lines.readLine()).isEmpty();
        }
    }

    @Test
    void that_are_gone_are_reported_to_a_client_that_resumes() throws Exception {
        List<OjsEvent> many = new ArrayList<>();
        for (int i = 1; i <= 1_500; i++) many.add(event(i, "a", "q"));
        given.events.add(many);
        String cursor = EventCursor.beginning().toString();
        EventCursor early = EventCursor.beginning();
        early.moveBehind(many.get(99));

        Got page = get("/ojs/v1/events?limit=1000&after=" + early);
        assertThat(page.at("/missed_at_most").intValue()).isEqualTo(400);
        assertThat(ids(page)).startsWith("evt_501").hasSize(1_000);
        assertThat(get("/ojs/v1/events?limit=1&after=" + cursor)
                        .at("/missed_at_most")
                        .isMissingNode())
                .isTrue();

        try (Socket reader = stream("Last-Event-ID: " + early + "\r\n")) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(reader.getInputStream(), UTF_8));
            List<String> events = new ArrayList<>();
            while (events.size() < 1_001) {
                String line = lines.readLine();
                if (line.startsWith("event:") || line.contains("lost_at_most")) events.add(line);
            }
            assertThat(events.get(0)).isEqualTo("event: floodgate.events_lost");
            assertThat(events.get(1)).contains("\"lost_at_most\":400");
        }
    }

    private Socket stream(String header) throws IOException {
        return stream(header, "127.0.0.1");
    }

    private Socket stream(String header, String from) throws IOException {
        Socket reader = new Socket(InetAddress.getLoopbackAddress(), port(), InetAddress.getByName(from), 0);
        reader.setSoTimeout(60_000);
        reader.getOutputStream()
                .write(("GET /ojs/v1/events/stream HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n").getBytes(UTF_8));
        return reader;
    }
}
