package io.floodgate.processor.topology.ingress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Routing;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandRequest;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Ingress;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.command.SourceCommand.Mapping;
import io.floodgate.topics.command.SourceCommand.Source;
import io.floodgate.topics.command.SourceCommand.ValueForm;
import io.floodgate.topics.schema.SchemaCatalog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FlowTest {
    private static final Ingress INGRESS = new Ingress("email", "topic-1", 0);
    private static final Reply DONE = new Reply.Done(new byte[] {'{', '}'});

    private record Sent(Forward command, CompletableFuture<Reply> reply) {}

    /** A partition that answers when a test says so. */
    private static final class Client implements CommandClient {
        final Deque<Sent> sent = new ArrayDeque<>();
        final AtomicInteger defects = new AtomicInteger();
        final BlockingQueue<CompletableFuture<Reply>> opened = new LinkedBlockingQueue<>();

        CompletableFuture<Reply> opened() throws InterruptedException {
            return Objects.requireNonNull(opened.poll(20, TimeUnit.SECONDS));
        }

        synchronized boolean isQuiet() {
            return sent.isEmpty();
        }

        @Override
        public Routing routing() {
            return new Routing(8);
        }

        @Override
        public synchronized CompletableFuture<Reply> send(CommandRequest request) {
            if (defects.getAndDecrement() > 0) throw new IllegalStateException("a defect");
            CompletableFuture<Reply> reply = new CompletableFuture<>();
            if (request.command() instanceof OpenIngress) {
                opened.add(reply);
                return reply;
            }
            sent.add(new Sent((Forward) request.command(), reply));
            notifyAll();
            return reply;
        }

        synchronized Sent next() throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (sent.isEmpty()) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) throw new AssertionError("nothing was sent");
                wait(left);
            }
            return sent.remove();
        }

        @Override
        public void close() {}
    }

    private final Client client = new Client();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final HeldBytes held = new HeldBytes();
    private final AtomicInteger forwarded = new AtomicInteger();
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final Flow flow = new Flow(
            INGRESS,
            null,
            new Flow.Common(
                    client,
                    new SchemaCatalog(System::nanoTime),
                    timer,
                    held,
                    new SourceDeadLetters(() -> producer),
                    forwarded::incrementAndGet));

    @AfterEach
    void close() {
        flow.close();
        timer.shutdownNow();
    }

    private void reads(long... offsets) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (long offset : offsets) records.add(record(offset, "{\"type\":\"a\",\"args\":[]}"));
        flow.add(records);
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset, @Nullable String value, String... header) {
        return record(null, offset, value, header);
    }

    private static ConsumerRecord<byte[], byte[]> record(
            byte @Nullable [] key, long offset, @Nullable String value, String... header) {
        RecordHeaders headers = new RecordHeaders();
        if (header.length == 2) headers.add(header[0], header[1].getBytes(UTF_8));
        byte[] bytes = value == null ? null : value.getBytes(UTF_8);
        return new ConsumerRecord<>(
                "ojs.queue.email",
                0,
                offset,
                1_000,
                TimestampType.LOG_APPEND_TIME,
                0,
                bytes == null ? -1 : bytes.length,
                key,
                bytes,
                headers,
                java.util.Optional.empty());
    }

    private List<Sent> sent(int count) throws InterruptedException {
        List<Sent> some = new ArrayList<>();
        for (int i = 0; i < count; i++) some.add(client.next());
        return some;
    }

    private static void notYet(Sent sent) {
        sent.reply.complete(new Reply.Rejected(Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, "full")));
    }

    private Forward readsOne(@Nullable String value, String... header) throws InterruptedException {
        flow.add(List.of(record(0, value, header)));
        return client.next().command;
    }

    @Test
    void sends_records_in_order_and_says_where_each_follows() throws Exception {
        reads(5, 6, 9);
        List<Sent> sent = sent(3);
        assertThat(sent.stream().map(each -> each.command.offset())).containsExactly(5L, 6L, 9L);
        assertThat(sent.stream().map(each -> each.command.from())).containsExactly(5L, 6L, 7L);
        assertThat(sent.stream().map(each -> each.command.begins())).containsExactly(true, false, false);
    }

    @Test
    void stands_where_everything_before_has_come_in() throws Exception {
        reads(5, 6, 7);
        List<Sent> sent = sent(3);
        assertThat(flow.position()).isNegative();
        sent.get(1).reply.complete(DONE);
        assertThat(flow.position()).isNegative();
        sent.get(0).reply.complete(DONE);
        assertThat(flow.position()).isEqualTo(7);
        assertThat(forwarded).hasValue(2);
    }

    @Test
    void goes_back_to_the_first_that_did_not_come_in_once_all_are_answered() throws Exception {
        reads(0, 1, 2);
        List<Sent> sent = sent(3);
        sent.get(0).reply.complete(DONE);
        notYet(sent.get(1));
        reads(3);
        assertThat(client.sent).isEmpty();
        // when
        notYet(sent.get(2));
        // then
        assertThat(sent(3).stream().map(each -> each.command.offset())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void sends_again_what_no_client_answered() throws Exception {
        reads(0);
        client.next().reply.completeExceptionally(new NoReply("no answer"));
        Sent again = client.next();
        assertThat(again.command.offset()).isZero();
        assertThat(again.command.begins()).isTrue();
    }

    @Test
    void sends_again_what_could_not_be_sent_because_of_a_defect() throws Exception {
        client.defects.set(1);
        reads(0, 1);
        assertThat(sent(2).stream().map(each -> each.command.offset())).containsExactly(0L, 1L);
    }

    @Test
    void passes_over_what_the_rules_cannot_do() throws Exception {
        reads(0);
        client.next().reply.complete(new Reply.Rejected(Rejection.of(ErrorCode.INTERNAL_ERROR, "a defect")));
        Forward again = client.next().command;
        assertThat(again.job()).isNull();
        assertThat(Objects.requireNonNull(again.wrong()).message()).isEqualTo("a defect");
    }

    @Test
    void has_so_many_under_way_and_holds_no_more_than_so_many() throws Exception {
        long[] offsets = new long[Flow.MOST_RECORDS];
        for (int i = 0; i < offsets.length; i++) offsets[i] = i;
        reads(offsets);
        List<Sent> sent = sent(Flow.WINDOW);
        assertThat(client.sent).isEmpty();
        assertThat(flow.isFull()).isTrue();
        // when
        sent.getFirst().reply.complete(DONE);
        // then
        assertThat(client.next().command.offset()).isEqualTo(Flow.WINDOW);
        assertThat(flow.isFull()).isFalse();
    }

    @Test
    void holds_nothing_once_everything_has_come_in_or_it_is_closed() throws Exception {
        reads(0, 1);
        assertThat(held.bytes()).isPositive();
        client.next().reply.complete(DONE);
        Sent last = client.next();
        flow.close();
        assertThat(held.bytes()).isZero();
        last.reply.complete(DONE);
        assertThat(held.bytes()).isZero();
        assertThat(flow.position()).isEqualTo(1);
    }

    // ---- what a record asks for

    @Test
    void a_job_that_names_no_queue_belongs_where_it_stands() throws Exception {
        byte[] job =
                Objects.requireNonNull(readsOne("{\"type\":\"a\",\"args\":[]}").job());
        assertThat(new String(job, UTF_8)).contains("\"queue\":\"email\"");
    }

    @Test
    void a_job_behind_white_space_belongs_where_it_stands_too() throws Exception {
        byte[] job = Objects.requireNonNull(
                readsOne(" {\"k\" : \"[\",\"type\":\"a\",\"args\":[]}").job());
        assertThat(new String(job, UTF_8)).contains("\"queue\":\"email\"").contains("\"k\" : \"[\"");
    }

    @Test
    void a_job_that_names_its_queue_is_left_as_it_is() throws Exception {
        String value = "{\"type\":\"a\",\"args\":[],\"queue\":\"email\"}";
        assertThat(new String(Objects.requireNonNull(readsOne(value).job()), UTF_8))
                .isEqualTo(value);
    }

    @Test
    void the_key_of_a_record_is_among_the_members_of_its_job() throws Exception {
        String value = "{\"type\":\"a\",\"args\":[],\"queue\":\"email\"}";
        flow.add(List.of(record("order-17".getBytes(UTF_8), 0, value)));
        assertThat(new String(Objects.requireNonNull(client.next().command().job()), UTF_8))
                .isEqualTo("{\"type\":\"a\",\"args\":[],\"queue\":\"email\",\"x_record_key\":\"order-17\"}");
        for (byte[] key : List.of(new byte[0], new byte[] {(byte) 0xff}, new byte[256])) {
            flow.add(List.of(record(key, 1, value)));
            assertThat(new String(Objects.requireNonNull(client.next().command().job()), UTF_8))
                    .isEqualTo(value);
        }
    }

    @Test
    void a_job_of_another_queue_is_wrong_here() throws Exception {
        isWrong(readsOne("{\"type\":\"a\",\"args\":[],\"queue\":\"other\"}"), "names queue 'other'");
    }

    @Test
    void what_is_no_job_is_wrong() throws Exception {
        isWrong(readsOne("{\"type\":"), "");
    }

    @Test
    void a_record_without_a_value_is_wrong() throws Exception {
        isWrong(readsOne(null), "no value");
    }

    @Test
    void a_command_is_wrong() throws Exception {
        isWrong(readsOne("{}", Headers.OP, "reset"), "takes jobs");
    }

    @Test
    void a_header_says_how_long_a_job_waits_for_room() throws Exception {
        assertThat(readsOne("{\"type\":\"a\",\"args\":[]}", Headers.BLOCK_TIMEOUT, "2.5")
                        .maxWait())
                .isEqualTo(Duration.ofMillis(2_500));
    }

    @Test
    void a_header_that_makes_no_sense_is_wrong() throws Exception {
        isWrong(readsOne("{\"type\":\"a\",\"args\":[]}", Headers.BLOCK_TIMEOUT, "soon"), Headers.BLOCK_TIMEOUT);
        isWrong(readsOne("{\"type\":\"a\",\"args\":[]}", Headers.BLOCK_TIMEOUT, "61"), "from 0 to 60, and not '61'");
    }

    private static void isWrong(Forward command, String message) {
        assertThat(command.job()).isNull();
        assertThat(Objects.requireNonNull(command.wrong()).message()).contains(message);
    }

    // ---- sources

    private Flow source(@Nullable String deadLetters) {
        Mapping mapping =
                new Mapping(ValueForm.JSON, "{\"type\":\"a\",\"args\":[\"$.value.id\"]}".getBytes(UTF_8), deadLetters);
        Source source = new Source(
                "orders", "shop.orders", "email", mapping, new Beginning("earliest", 7), false, Instant.EPOCH, 9);
        return new Flow(
                new Ingress("email", "topic-1", 0, new Ingress.Reading("orders", 7)),
                OpenSource.of(source),
                new Flow.Common(
                        client,
                        new SchemaCatalog(System::nanoTime),
                        timer,
                        held,
                        new SourceDeadLetters(() -> producer),
                        forwarded::incrementAndGet));
    }

    private Flow opened(@Nullable String deadLetters) throws InterruptedException {
        Flow source = source(deadLetters);
        source.open(5);
        client.opened().complete(new Reply.Done("{\"next\":12}".getBytes(UTF_8)));
        assertThat(source.begin()).isEqualTo(12);
        return source;
    }

    @Test
    void a_source_is_read_from_where_its_queue_is() throws Exception {
        Flow source = source(null);
        assertThat(source.isFull()).isTrue();
        assertThat(source.begin()).isNegative();
        source.open(5);
        client.opened().completeExceptionally(new NoReply("not yet"));
        client.opened().complete(new Reply.Done("{\"next\":12}".getBytes(UTF_8)));
        assertThat(source.begin()).isEqualTo(12);
        assertThat(source.begin()).isNegative();
        assertThat(source.position()).isEqualTo(12);
        assertThat(source.isFull()).isFalse();
        source.close();
    }

    @Test
    void a_record_of_a_source_becomes_the_job_of_its_template_whatever_its_headers_say() throws Exception {
        Flow source = opened(null);
        source.add(List.of(record(12, "{\"id\":3}", Headers.OP, "reset"), record(13, "no json")));
        Forward job = client.next().command;
        assertThat(new String(Objects.requireNonNull(job.job()), UTF_8))
                .contains("\"type\":\"a\"", "\"args\":[3]", "\"queue\":\"email\"", "\"offset\":12");
        Forward unmapped = client.next().command;
        assertThat(unmapped.job()).isNull();
        assertThat(Objects.requireNonNull(unmapped.wrong()).message()).contains("not well-formed");
        source.close();
    }

    @Test
    void what_cannot_be_a_job_is_among_the_dead_letters_before_the_position_goes_on() throws Exception {
        Flow source = opened("orders.rejected");
        source.add(List.of(record(12, "no json", "trace", "t1"), record(13, "{\"id\":4}")));
        assertThat(client.isQuiet()).isTrue();
        producer.errorNext(new TimeoutException("no broker"));
        while (producer.history().size() < 2) Thread.onSpinWait();
        assertThat(client.isQuiet()).isTrue();
        producer.completeNext();
        assertThat(client.next().command.offset()).isEqualTo(12);
        assertThat(client.next().command.offset()).isEqualTo(13);
        var kept = producer.history().getLast();
        assertThat(kept.topic()).isEqualTo("orders.rejected");
        assertThat(kept.value()).isEqualTo("no json".getBytes(UTF_8));
        assertThat(header(kept, "trace")).isEqualTo("t1");
        assertThat(header(kept, "ojs-source-name")).isEqualTo("orders");
        assertThat(header(kept, "ojs-source-offset")).isEqualTo("12");
        assertThat(header(kept, "ojs-source-code")).isEqualTo("invalid_request");
        assertThat(header(kept, "ojs-source-reason")).contains("not well-formed");
        source.close();
    }

    @Test
    void what_its_queue_rejects_is_kept_too() throws Exception {
        Flow source = opened("orders.rejected");
        source.add(List.of(record(12, "{\"id\":4}")));
        client.next().reply.complete(new Reply.Rejected(Rejection.of(ErrorCode.JOB_TYPE_NOT_ALLOWED, "not here")));
        while (producer.history().isEmpty()) Thread.onSpinWait();
        producer.completeNext();
        Forward again = client.next().command;
        assertThat(again.job()).isNull();
        assertThat(header(producer.history().getFirst(), "ojs-source-reason")).isEqualTo("not here");
        source.close();
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }
}
