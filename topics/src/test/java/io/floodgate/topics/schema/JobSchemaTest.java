package io.floodgate.topics.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.schema.JobSchema.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobSchemaTest {
    private static final String INVOICE = """
            {'type':'array','minItems':1,'maxItems':1,'prefixItems':[{'type':'object','required':['customer','amount'],
            'properties':{'customer':{'type':'string'},'amount':{'type':'integer','minimum':0},
            'currency':{'type':'string','pattern':'^[A-Z]{3}$'},'mail':{'type':'string','format':'email'}},
            'additionalProperties':false}]}""";

    private static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(UTF_8);
    }

    private static JobSchema schema(String text) throws UnreadableSchema {
        return JobSchema.of(json(text));
    }

    private static List<String> paths(String schema, String args) throws UnreadableSchema {
        return schema(schema).faults(json(args)).stream().map(Fault::path).toList();
    }

    @Test
    void arguments_that_match_have_no_faults() throws UnreadableSchema {
        assertThat(paths(INVOICE, "[{'customer':'c','amount':5,'currency':'USD','mail':'ada@example.com'}]"))
                .isEmpty();
    }

    @Test
    void each_fault_has_its_path_in_the_job_and_in_the_schema() throws UnreadableSchema {
        List<Fault> faults = schema(INVOICE).faults(json("[{'amount':'5','currency':'usd','mail':'no','x':1}]"));
        assertThat(faults.stream().map(Fault::path))
                .containsExactlyInAnyOrder(
                        "$.args[0].amount", "$.args[0].currency", "$.args[0].mail", "$.args[0]", "$.args[0]");
        assertThat(faults)
                .anySatisfy(fault -> assertThat(fault.schemaPath()).isEqualTo("#/prefixItems/0/properties/amount/type"))
                .anySatisfy(fault -> assertThat(fault.message()).contains("customer"));
    }

    @Test
    void a_schema_of_an_object_is_that_of_the_only_element() throws UnreadableSchema {
        String schema = "{'type':'object','required':['to']}";
        assertThat(paths(schema, "[{'to':'a'}]")).isEmpty();
        assertThat(paths(schema, "[{}]")).containsExactly("$.args[0]");
        assertThat(paths(schema, "['a','b']")).containsExactly("$.args");
    }

    @Test
    void references_within_the_schema_are_followed() throws UnreadableSchema {
        String tree =
                "{'$defs':{'node':{'type':'object','properties':{'next':{'$ref':'#/$defs/node'}},'required':['id']}},'items':{'$ref':'#/$defs/node'}}";
        assertThat(paths(tree, "[{'id':1,'next':{'id':2}}]")).isEmpty();
        assertThat(paths(tree, "[{'id':1,'next':{}}]")).containsExactly("$.args[0].next");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | must be a JSON object",
                "{'type':'strin'} | not valid draft 2020-12",
                "{'properties':3} | not valid draft 2020-12",
                "{'$schema':'http://json-schema.org/draft-07/schema#'} | $schema must reference draft 2020-12",
                "{'$ref':'http://127.0.0.1:9/x'} | must begin with '#'",
                "{'$ref':'file:///etc/passwd'} | must begin with '#'",
                "{'properties':{'a':{'$ref':'classpath:x'}}} | #/properties/a/$ref must begin with '#'",
                "{'$dynamicRef':'https://x/y#z'} | must begin with '#'",
                "{'properties':{'a':{'$id':'http://x/'}}} | at the top of a schema only",
                "{'pattern':'(?=a)b'} | linear time",
                "{'pattern':'(a)\\\\1'} | linear time",
                "{'pattern':'(a{1000}){1000}'} | repeats too much",
                "{'pattern':'((((a{99}){99}){99}){99}){99}'} | repeats too much",
                "{'patternProperties':{'(?!x)':{}}} | linear time",
                "{'$ref':'#/$defs/none'} | cannot be used",
                "{'type':'object' | not well-formed",
            })
    void what_cannot_be_used_is_rejected_with_the_reason(String schema, String reason) {
        String text = schema.replace('\'', '"');
        assertThatThrownBy(() -> JobSchema.of(text.getBytes(UTF_8)))
                .isInstanceOf(UnreadableSchema.class)
                .hasMessageContaining(reason);
    }

    @Test
    void deep_large_and_long_schemas_are_rejected() {
        String deep = "{'items':".repeat(60) + "{}" + "}".repeat(60);
        assertThatThrownBy(() -> schema(deep)).hasMessageContaining("nested deeper than 50");
        String deeper = "{'items':".repeat(5_000) + "{}" + "}".repeat(5_000);
        assertThatThrownBy(() -> schema(deeper)).isInstanceOf(UnreadableSchema.class);
        String wide = "{'enum':[]}".replace("[]", "[" + "1,".repeat(40_000) + "2]");
        assertThatThrownBy(() -> schema(wide)).hasMessageContaining("at most 65536");
        String many = "{'allOf':[" + "{},".repeat(6_000) + "{}]}";
        assertThatThrownBy(() -> schema(many)).hasMessageContaining("more than 5000 values");
        String expression = "{'pattern':'" + "a".repeat(600) + "'}";
        assertThatThrownBy(() -> schema(expression)).hasMessageContaining("600 characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'#'}",
                "{'$ref':'#/$defs/a','$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}}}",
                "{'$ref':'#/$defs/a','$defs':{'a':{'allOf':[{'items':{'$ref':'#/$defs/a'}},{'items':{'$ref':'#/$defs/a'}}]}}}",
                "{'$dynamicRef':'#x','$defs':{'x':{'$dynamicAnchor':'x','anyOf':[{'$dynamicRef':'#x'}]}}}",
            })
    void a_check_without_an_end_ends(String schema) throws UnreadableSchema {
        String deep = "[".repeat(90) + "]".repeat(90);
        assertThat(schema(schema).faults(json(deep)))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).startsWith("cannot be checked"));
    }

    @Test
    void references_that_double_with_each_level_end_after_a_bounded_number_of_steps() throws UnreadableSchema {
        StringBuilder schema = new StringBuilder("{'$ref':'#/$defs/d0','$defs':{");
        for (int i = 0; i < 40; i++)
            schema.append(
                    "'d%d':{'allOf':[{'$ref':'#/$defs/d%d'},{'$ref':'#/$defs/d%d'}]},".formatted(i, i + 1, i + 1));
        schema.append("'d40':{'type':'array'}}}");
        assertThat(schema(schema.toString()).faults(json("[]")))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains("EVALUATION_STEPS"));
    }

    @Test
    void an_expression_is_linear_and_its_work_on_long_texts_bounded() throws UnreadableSchema {
        JobSchema schema = schema("{'items':{'pattern':'^(([a-z])+.)+[A-Z]([a-z])+$'}}");
        assertThat(schema.faults(json("['" + "a".repeat(10_000) + "']")))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains("does not match"));
        assertThat(schema.faults(json("['" + "a".repeat(900_000) + "']")))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains("too long for the regular expressions"));
    }

    @Test
    void many_faults_are_reported_up_to_a_bound() throws UnreadableSchema {
        JobSchema schema = schema("{'items':{'type':'string'}}");
        assertThat(schema.faults(json("[" + "1,".repeat(1_000) + "1]"))).hasSize(20);
        assertThat(schema.faults(json("[" + "1,".repeat(100_000) + "1]"))).hasSize(1);
        assertThat(schema.faults(json("[" + "'a',".repeat(250_000) + "'a']"))).isEmpty();
        JobSchema numbers = schema("{'items':{'type':'integer','minimum':0}}");
        assertThat(numbers.faults(json("[" + "1,".repeat(500_000) + "1]"))).isEmpty();
    }
}
