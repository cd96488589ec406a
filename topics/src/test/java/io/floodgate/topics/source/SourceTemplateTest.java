package io.floodgate.topics.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.command.SourceCommand.Mapping;
import io.floodgate.topics.command.SourceCommand.ValueForm;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.template.Unmappable;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class SourceTemplateTest {
    private static final String ORDER =
            "{'id':'o-17','amount':12.50,'vip':true,'note':null,'lines':[{'sku':'a'},{'sku':'b'}],'at':{'d.t':1}}";

    private static byte @Nullable [] bytes(@Nullable String quoted) {
        return quoted == null ? null : quoted.replace('\'', '"').getBytes(UTF_8);
    }

    private static SourceRecord record(byte @Nullable [] key, byte @Nullable [] value) {
        Map<String, byte[]> headers = Map.of("trace.id", "t2".getBytes(UTF_8), "raw", new byte[] {(byte) 0xff});
        return new SourceRecord("shop.orders", 3, 17, Instant.EPOCH, key, value, headers::get);
    }

    private static JsonNode job(ValueForm form, String template, byte @Nullable [] key, byte @Nullable [] value)
            throws Unmappable {
        Mapping mapping =
                new Mapping(form, String.valueOf(template).replace('\'', '"').getBytes(UTF_8), null);
        return Json.tree(SourceTemplate.of("orders", mapping).job(record(key, value)));
    }

    private static JsonNode made(String expression) throws Unmappable {
        return job(ValueForm.JSON, "{'type':'a','args':[%s]}".formatted(expression), bytes("k'1"), bytes(ORDER))
                .at("/args/0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'$.value.id' | 'o-17'",
                "'$.value.amount' | 12.50",
                "'$.value.vip' | true",
                "'$.value.note' | null",
                "'$.value.lines[1].sku' | 'b'",
                "'$.value.lines.0' | {'sku':'a'}",
                "'$.value.lines' | [{'sku':'a'},{'sku':'b'}]",
                "'$.value.none?' | null",
                "'$.value.lines[9]?' | null",
                "'$.key' | 'k\"1'",
                "'$.headers.trace.id' | 't2'",
                "'$.headers.raw' | '/w=='",
                "'$.headers.none?' | null",
                "'$.topic' | 'shop.orders'",
                "'$.partition' | 3",
                "'$.offset' | 17",
                "'$.timestamp' | '1970-01-01T00:00:00Z'",
                "'$$.value' | '$.value'",
                "'plain' | 'plain'",
                "{'a':['$.value.id',5,{'b':'$.value.none?'}]} | {'a':['o-17',5,{}]}",
            })
    void paths_lead_into_the_record(String expression, String expected) throws Exception {
        String text = expected.startsWith("'k") ? "\"k\\\"1\"" : expected.replace('\'', '"');
        assertThat(made(expression)).isEqualTo(Json.tree(text.getBytes(UTF_8)));
    }

    @Test
    void without_arguments_the_value_is_the_only_one_and_the_job_says_where_it_is_from() throws Exception {
        JsonNode job = job(ValueForm.JSON, "{'type':'$.value.id','priority':5}", null, bytes(ORDER));
        assertThat(job.path("type").stringValue()).isEqualTo("o-17");
        assertThat(job.path("priority").intValue()).isEqualTo(5);
        assertThat(job.at("/args/0/id").stringValue()).isEqualTo("o-17");
        assertThat(job.at("/meta/source"))
                .isEqualTo(Json.tree(bytes("{'name':'orders','topic':'shop.orders','partition':3,'offset':17}")));
        JsonNode own = job(ValueForm.JSON, "{'type':'a','meta':{'source':'mine','k':'$.key?'}}", null, bytes("1"));
        assertThat(own.path("meta")).isEqualTo(Json.tree(bytes("{'source':'mine'}")));
    }

    @Test
    void values_come_in_four_forms() throws Exception {
        String template = "{'type':'a'}";
        assertThat(job(ValueForm.TEXT, template, null, "grün".getBytes(UTF_8))
                        .at("/args/0")
                        .stringValue())
                .isEqualTo("grün");
        assertThat(job(ValueForm.BASE64, template, null, new byte[] {1, 2})
                        .at("/args/0")
                        .stringValue())
                .isEqualTo("AQI=");
        byte[] framed = {0, 0, 0, 0, 7, '[', '1', ']'};
        assertThat(job(ValueForm.CONFLUENT_JSON, template, null, framed)
                        .at("/args/0/0")
                        .intValue())
                .isEqualTo(1);
    }

    @Test
    void a_key_is_a_text_unless_a_part_of_it_is_asked_for() throws Exception {
        byte[] key = bytes("{'id':7}");
        assertThat(job(ValueForm.JSON, "{'type':'a','args':['$.key']}", key, null)
                        .at("/args/0")
                        .stringValue())
                .isEqualTo("{\"id\":7}");
        assertThat(job(ValueForm.JSON, "{'type':'a','args':['$.key.id']}", key, null)
                        .at("/args/0")
                        .intValue())
                .isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'$.value.none' | not in the record",
                "'$.value.lines[2].sku' | not in the record",
                "'$.headers.none' | not in the record",
                "'$.key.id' | not well-formed JSON",
            })
    void a_record_that_lacks_something_says_what(String expression, String why) {
        assertThatThrownBy(() -> made(expression))
                .isInstanceOf(Unmappable.class)
                .hasMessageContaining(why);
    }

    @Test
    void a_value_of_another_form_says_so() {
        String template = "{'type':'a'}";
        assertUnmappable(ValueForm.JSON, template, "{'a':".getBytes(UTF_8), "not well-formed");
        assertUnmappable(ValueForm.JSON, template, "1e99999999999".getBytes(UTF_8), "not well-formed");
        assertUnmappable(ValueForm.JSON, template, null, "'$.value' is not in the record");
        assertUnmappable(ValueForm.TEXT, template, new byte[] {(byte) 0xff}, "no text in UTF-8");
        assertUnmappable(ValueForm.CONFLUENT_JSON, template, bytes("{}"), "Confluent");
        assertUnmappable(ValueForm.CONFLUENT_JSON, template, new byte[0], "Confluent");
    }

    private static void assertUnmappable(ValueForm form, String template, byte @Nullable [] value, String why) {
        assertThatThrownBy(() -> job(form, template, null, value))
                .isInstanceOf(Unmappable.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | must be an object",
                "{'type' | not well-formed",
                "{} | needs a 'type'",
                "{'type':7} | needs a 'type'",
                "{'type':'a','queue':'q'} | queue is that of the source",
                "{'type':'$value'} | is no path",
                "{'type':'a','args':['$.values']} | is no path",
                "{'type':'a','args':['$.value.']} | is no path",
                "{'type':'a','args':['$.value[x]']} | is no path",
                "{'type':'a','args':['$.topic.x']} | is no path",
                "{'type':'a','args':['$.headers']} | is no path",
            })
    void a_job_that_cannot_be_made_says_why(String template, String why) {
        assertThatThrownBy(() -> job(ValueForm.JSON, template, null, bytes("1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void mistakes_in_what_is_not_of_the_record_can_be_found_before() {
        Mapping mapping = new Mapping(
                ValueForm.JSON, bytes("{'type':'$.key','priority':'x','args':['$.value'],'meta':{'a':1}}"), null);
        assertThat(Json.tree(SourceTemplate.of("s", mapping).literals()))
                .isEqualTo(Json.tree(bytes("{'type':'source','priority':'x','args':[],'meta':{'a':1}}")));
    }
}
