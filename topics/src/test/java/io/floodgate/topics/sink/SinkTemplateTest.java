package io.floodgate.topics.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.command.SinkCommand.Outcome;
import io.floodgate.topics.command.SinkCommand.Target;
import io.floodgate.topics.command.SinkCommand.ValueForm;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.template.Unmappable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class SinkTemplateTest {
    private static final String JOB =
            "{'id':'j1','type':'order.placed','queue':'orders','args':[{'sku':'a'},'YWI='],'meta':{'t':'shop.x','p':2},"
                    + "'result':{'total':12.50},'error':{'message':'no stock'}}";
    private static final byte[] EVENT = json("{'id':'evt_1','type':'job.completed','data':{'duration_ms':7}}");

    private static byte[] json(String quoted) {
        return quoted.replace('\'', '"').getBytes(UTF_8);
    }

    private static ObjectNode job(String json) {
        byte[] mark = OutcomeMark.write(Outcome.COMPLETED, List.of(7L, 9L), new JsonOut().raw(json(json)));
        ObjectNode job = OutcomeMark.read(mark, EVENT, 9);
        assertThat(job).isNotNull();
        return job;
    }

    private static SinkTemplate template(String topic, ValueForm form, String record) {
        return SinkTemplate.of(
                new Target(topic, List.of("shop.*", "ojs.*"), form, json(record)), name -> name.startsWith("ojs."));
    }

    private static SinkRecord made(String record) throws Unmappable {
        return template("results", ValueForm.JSON, record).record(job(JOB));
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, UTF_8);
    }

    private static Map<String, String> headers(SinkRecord record) {
        Map<String, String> headers = new TreeMap<>();
        record.headers().forEach((name, value) -> headers.put(name, text(value)));
        return headers;
    }

    @Test
    void a_mark_is_for_the_sinks_that_it_names() {
        byte[] mark = OutcomeMark.write(Outcome.FAILED, List.of(7L), new JsonOut().raw(json("{}")));
        assertThat(OutcomeMark.read(mark, EVENT, 7)).isNotNull();
        assertThat(OutcomeMark.read(mark, EVENT, 8)).isNull();
    }

    @Test
    void without_a_template_it_is_the_result_under_the_id() throws Unmappable {
        SinkRecord record = made("{}");
        assertThat(record.topic()).isEqualTo("results");
        assertThat(record.partition()).isNull();
        assertThat(text(record.key())).isEqualTo("j1");
        assertThat(text(record.value())).isEqualTo("{\"total\":12.50}");
        assertThat(headers(record))
                .isEqualTo(Map.of(
                        "ojs-event-id", "evt_1",
                        "ojs-job-id", "j1",
                        "ojs-job-type", "order.placed",
                        "ojs-outcome", "completed",
                        "ojs-queue", "orders"));
    }

    @Test
    void without_a_result_it_is_the_event_and_jobs_in_order_have_their_order_key() throws Unmappable {
        SinkRecord record = template("results", ValueForm.JSON, "{}")
                .record(job("{'id':'j1','type':'t','queue':'q','order_key':'c1','result':null}"));
        assertThat(text(record.key())).isEqualTo("c1");
        assertThat(text(record.value())).isEqualTo(text(EVENT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "$.args[0].sku | a",
                "$.args[0] | {\"sku\":\"a\"}",
                "$.meta.p | 2",
                "$.error.message | no stock",
                "$.event.data.duration_ms | 7",
                "$.outcome | completed",
                "$$.id | $.id",
                "fixed | fixed",
            })
    void keys_and_headers_are_texts(String path, String text) throws Unmappable {
        SinkRecord record = made("{'key':'%s','headers':{'h':'%s'}}".formatted(path, path));
        assertThat(text(record.key())).isEqualTo(text);
        assertThat(headers(record)).isEqualTo(Map.of("h", text));
    }

    @Test
    void values_are_json_texts_or_bytes() throws Unmappable {
        String record = "{'value':'$.args[1]'}";
        assertThat(text(template("t", ValueForm.JSON, record).record(job(JOB)).value()))
                .isEqualTo("\"YWI=\"");
        assertThat(text(template("t", ValueForm.TEXT, record).record(job(JOB)).value()))
                .isEqualTo("YWI=");
        assertThat(text(template("t", ValueForm.BASE64, record).record(job(JOB)).value()))
                .isEqualTo("ab");
        assertThat(text(made("{'value':{'id':'$.id','of':['$.meta.x?',1]}}").value()))
                .isEqualTo("{\"id\":\"j1\",\"of\":[null,1]}");
        assertThatThrownBy(() ->
                        template("t", ValueForm.BASE64, "{'value':'$.type'}").record(job(JOB)))
                .isInstanceOf(Unmappable.class)
                .hasMessageContaining("Base64");
    }

    @Test
    void what_may_be_missing_is_left_out() throws Unmappable {
        SinkRecord record =
                made("{'key':'$.meta.k?','value':'$.meta.v?','headers':{'a':'$.meta.a?'},'partition':'$.meta.n?'}");
        assertThat(record.key()).isNull();
        assertThat(record.value()).isNull();
        assertThat(record.partition()).isNull();
        assertThat(record.headers()).isEmpty();
        assertThatThrownBy(() -> made("{'key':'$.meta.k'}"))
                .isInstanceOf(Unmappable.class)
                .hasMessage("'$.meta.k' is not in the job.");
    }

    @Test
    void a_partition_may_come_from_the_job() throws Unmappable {
        assertThat(made("{'partition':'$.meta.p'}").partition()).isEqualTo(2);
        assertThatThrownBy(() -> made("{'partition':'$.id'}")).isInstanceOf(Unmappable.class);
        assertThatThrownBy(() -> made("{'partition':-1}")).isInstanceOf(Unmappable.class);
    }

    @ParameterizedTest
    @CsvSource({"shop.x, true", "other, false", "ojs.commands, false", "__shop, false", "'a b', false", "., false"})
    void a_topic_of_the_job_is_one_of_those_that_are_allowed(String topic, boolean isAllowed) throws Unmappable {
        SinkTemplate template = template("$.meta.t", ValueForm.JSON, "{}");
        ObjectNode job = job(JOB.replace("shop.x", topic));
        if (isAllowed) assertThat(template.record(job).topic()).isEqualTo(topic);
        else assertThatThrownBy(() -> template.record(job)).isInstanceOf(Unmappable.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | object",
                "{ | well-formed",
                "{'kye':1} | 'kye' is none",
                "{'headers':[]} | headers",
                "{'key':'$id'} | no path"
            })
    void what_makes_no_record_is_said(String record, String why) {
        assertThatThrownBy(() -> template("t", ValueForm.JSON, record))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
