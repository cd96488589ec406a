package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Table;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CommandCodecTest {
    static Stream<Map.Entry<String, Command>> samples() {
        return Samples.commands().entrySet().stream();
    }

    @Test
    void every_command_there_is_has_a_sample() {
        Set<Class<?>> sampled =
                Samples.commands().values().stream().map(Object::getClass).collect(Collectors.toSet());
        assertThat(sampled).allSatisfy(type -> assertThat(type).isRecord());
        assertThat(sampled)
                .containsExactlyInAnyOrderElementsOf(CommandTypes.all().stream()
                        .<Class<?>>map(CommandType::type)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void every_command_is_read_as_it_was_written(Map.Entry<String, Command> sample) throws Exception {
        CommandCodec.Encoded encoded = CommandCodec.encode(sample.getValue());
        Command decoded = CommandCodec.decode(encoded.op(), encoded.value());
        assertThat(decoded).usingRecursiveComparison().isEqualTo(sample.getValue());
        assertThat(decoded).hasSameClassAs(sample.getValue());
    }

    /** Rules go through them: a partition that replays the command has to name the same tenant first. */
    @Test
    void the_tenants_of_a_demand_keep_the_order_of_their_names() {
        Map<String, Long> tenants = new TreeMap<>();
        for (char name = 'a'; name <= 'z'; name++) tenants.put(String.valueOf(name), 1L);
        assertThat(new QueueDemand("q", 26, 0, "t", tenants).tenants().keySet())
                .containsExactlyElementsOf(tenants.keySet());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void every_value_is_json_on_one_line(Map.Entry<String, Command> sample) {
        byte[] value = CommandCodec.encode(sample.getValue()).value();
        assertThat(value).doesNotContain('\n').doesNotContain('\r');
        assertThat(Json.tree(value).isContainer()).isTrue();
    }

    @Test
    void every_operation_has_a_name_of_its_own() {
        Map<String, Set<Class<?>>> types = Samples.commands().values().stream()
                .collect(Collectors.groupingBy(
                        command -> CommandCodec.encode(command).op(),
                        Collectors.mapping(Object::getClass, Collectors.toSet())));
        assertThat(types.values()).allSatisfy(ofOneName -> assertThat(ofOneName).hasSize(1));
    }

    @Test
    void a_record_without_an_operation_is_an_enqueue() throws Exception {
        byte[] job = json("{\"type\":\"a\",\"args\":[]}");
        assertThat(CommandCodec.decode(null, job)).usingRecursiveComparison().isEqualTo(new Enqueue(job, false));
    }

    @Test
    void a_job_on_several_lines_is_one_line_in_a_batch_and_loses_no_digit() throws Exception {
        byte[] job = json("{\n\"type\":\"a\",\n\"args\":[1e5,-0,1e99999999999,\"\\ud83d\"]}");
        CommandCodec.Encoded encoded = CommandCodec.encode(new EnqueueBatch(List.of(job, job), false));
        var decoded = (EnqueueBatch) CommandCodec.decode(encoded.op(), encoded.value());
        assertThat(decoded.jobs())
                .hasSize(2)
                .allSatisfy(element ->
                        assertThat(new String(element, UTF_8)).isEqualTo(new String(job, UTF_8).replace('\n', ' ')));
    }

    @Test
    void what_logs_pass_on_loses_no_digit_either() throws Exception {
        for (String value : List.of(
                "1e5", "-0", "1.10", "1e99999999999", "7".repeat(1_000), "\"\\ud83d\\ude00\"", "{\"a\":1,\"a\":2}")) {
            byte[] job = json("{\"type\":\"a\",\"args\":[%s]}".formatted(value));
            var prepare =
                    (Prepare) again(new Prepare(1, new io.floodgate.topics.PartitionId(0), List.of(job), List.of()));
            assertThat(prepare.jobs()).containsExactly(job);
            var ack = (Ack) again(new Ack(Samples.JOB, JobCommand.Claimant.UNNAMED, json(value)));
            assertThat(ack.result()).isEqualTo(json(value));
            byte[] about = json("{\"x\":%s}".formatted(value));
            assertThat(((Beat) again(new Beat("w", about))).about()).isEqualTo(about);
        }
    }

    @Test
    void what_is_kept_for_clients_is_text_throughout() {
        String run = "{\"job_id\":\"%s\",".formatted(Samples.JOB);
        for (var each : Map.of(
                        "result", Map.entry("ack", run + "\"result\":[\"\\ud83d\"]}"),
                        "data", Map.entry("progress", run + "\"data\":{\"a\":\"\\ud83d\"}}"),
                        "checkpoint", Map.entry("progress", run + "\"checkpoint\":{\"state\":\"\\ude00\"}}"),
                        "args", Map.entry("retry-dead", run + "\"override\":{\"args\":[\"\\ud83d\"]}}"),
                        "job",
                                Map.entry(
                                        "put-schedule",
                                        "{\"name\":\"a\",\"spec\":{\"expression\":\"\",\"timezone\":\"\",\"job\":{\"args\":[\"\\ud83d\"]}}}"),
                        "meta", Map.entry("retry-dead", run + "\"override\":{\"meta\":{\"a\":\"\\ud83d\"}}}"))
                .entrySet())
            assertThatThrownBy(() -> CommandCodec.decode(
                            each.getValue().getKey(), json(each.getValue().getValue())))
                    .isInstanceOf(UnreadableCommand.class)
                    .hasMessageMatching("The field '" + each.getKey() + "[a-z.]*' contains .*");
    }

    @Test
    void a_job_nested_as_deep_as_allowed_can_be_passed_on() throws Exception {
        byte[] job = json("{\"args\":" + "[".repeat(Json.MAX_DEPTH - 1) + "]".repeat(Json.MAX_DEPTH - 1) + "}");
        var prepare = (Prepare) again(new Prepare(1, new io.floodgate.topics.PartitionId(0), List.of(job), List.of()));
        assertThat(prepare.jobs()).containsExactly(job);
        assertThat(((EnqueueBatch) again(new EnqueueBatch(List.of(job), true))).jobs())
                .containsExactly(job);
    }

    private static Command again(Command command) throws UnreadableCommand {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        return CommandCodec.decode(encoded.op(), encoded.value());
    }

    @Test
    void null_counts_as_absent() throws Exception {
        var fetch = (Fetch)
                CommandCodec.decode(
                        "fetch",
                        json(
                                "{\"queues\":[\"a\"],\"count\":1,\"worker_id\":null,\"visibility_timeout_ms\":null,\"wait_ms\":0}"));
        assertThat(fetch.worker()).isNull();
        assertThat(fetch.visibility()).isNull();
        var ack = (Ack) CommandCodec.decode("ack", json("{\"job_id\":\"%s\",\"result\":null}".formatted(Samples.JOB)));
        assertThat(ack.result()).isNull();
    }

    @Test
    void more_than_is_given_at_once_is_as_much_as_is_given_at_once() throws Exception {
        for (String count : List.of("101", "4294967297", "9223372036854775807")) {
            var fetch = (Fetch) CommandCodec.decode(
                    "fetch", json("{\"queues\":[\"a\"],\"count\":%s,\"wait_ms\":0}".formatted(count)));
            assertThat(fetch.count()).isEqualTo(Fetch.MAX_COUNT);
            var list = (ListDead)
                    CommandCodec.decode("list-dead", json("{\"limit\":%s00}".formatted(count.substring(0, 3))));
            assertThat(list.limit()).isEqualTo(ListDead.MAX_LIMIT);
        }
    }

    @ParameterizedTest
    @Table("""
        fetch {"queues":[],"count":1,"wait_ms":0} | fetch {"queues":"a","count":1,"wait_ms":0}
        fetch {"queues":{"x":"a"},"count":1,"wait_ms":0} | fetch {"queues":[1],"count":1,"wait_ms":0}
        fetch {"queues":[null],"count":1,"wait_ms":0} | fetch {"count":1,"wait_ms":0}
        fetch {"queues":["a"],"wait_ms":0} | fetch {"queues":["a"],"count":0,"wait_ms":0}
        fetch {"queues":["a"],"count":-1,"wait_ms":0} | fetch {"queues":["a"],"count":1.0,"wait_ms":0}
        fetch {"queues":["a"],"count":18446744073709551617,"wait_ms":0}
        fetch {"queues":["a"],"count":1,"wait_ms":-1} | fetch {"queues":["a"],"count":1,"wait_ms":3155760000001}
        fetch {"queues":["a"],"count":1,"wait_ms":0,"worker_id":1}
        fetch {"queues":["a"],"count":1,"wait_ms":0,"visibility_timeout_ms":"1"}
        fetch {"queues":["a"],"queues":["b"],"count":1,"wait_ms":0} | watch {"queues":[],"wait_ms":0}
        watch {"queues":["a"]} | get-queue {} | pause {"queue":1} | resume [] | ack {} | ack {"job_id":"x"}
        ack {"job_id":"019539a4-b68c-7def-8000-1a2b3c4d5e6f","lease":"1"}
        ack {"job_id":"019539a4-b68c-7def-8000-1a2b3c4d5e6f","lease":1e99999999999} | cancel {"job_id":null}
        beat {"worker_id":"w"} | beat {"worker_id":"w","about":[]} | beat {"worker_id":"w","about":"{}"}
        extend {"job_ids":"x"} | extend {"job_ids":["x"]} | extend {} | list-dead {} | list-dead {"limit":0}
        release {"job_id":"019539a4-b68c-7def-8000-1a2b3c4d5e6f","rejection":"no"}
        release {"job_id":"019539a4-b68c-7def-8000-1a2b3c4d5e6f","rejection":{}}
        prepare {"batch":1,"coordinator":"x","jobs":[],"claims":[]}
        prepare {"batch":1,"coordinator":"x/1","jobs":{},"claims":[]}
        prepare {"batch":1,"coordinator":"x/1","jobs":[],"claims":[1]}
        prepare {"batch":1,"coordinator":"x/1","jobs":[],"claims":[{}]} | settle {"batch":"1","coordinator":"x/1"}
        leased {"worker_id":"w","log":"x/y"} | batch {} | batch [1 | batch [] [] | explode {}
        FETCH {"queues":["a"],"count":1,"wait_ms":0}
        """)
    void what_says_nothing_sensible_is_unreadable_and_says_why(String record) {
        String op = record.substring(0, record.indexOf(' '));
        byte[] value = json(record.substring(op.length() + 1));
        assertThatThrownBy(() -> CommandCodec.check(CommandCodec.decode(op, value)))
                .isInstanceOfSatisfying(UnreadableCommand.class, unreadable -> {
                    assertThat(unreadable.rejection().code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
                    assertThat(unreadable.rejection().message()).isNotBlank().doesNotContain("null");
                });
    }

    @Test
    void a_record_without_a_value_is_unreadable() {
        List<String> ops = new ArrayList<>(Samples.commands().values().stream()
                .map(c -> CommandCodec.encode(c).op())
                .distinct()
                .toList());
        ops.add(null);
        for (String op : ops)
            assertThatThrownBy(() -> CommandCodec.decode(op, null)).isInstanceOf(UnreadableCommand.class);
    }

    @Test
    void other_members_of_a_command_are_for_newer_versions() throws Exception {
        assertThat(CommandCodec.decode("leave", json("{\"worker_id\":\"w\",\"x_new\":{\"a\":[1]}}")))
                .isEqualTo(new WorkerCommand.Leave("w"));
        byte[] pretty = JsonOut.object().field("worker_id", "w").endObject().toBytes();
        assertThat(CommandCodec.decode("leave", pretty)).isEqualTo(new WorkerCommand.Leave("w"));
    }
}
