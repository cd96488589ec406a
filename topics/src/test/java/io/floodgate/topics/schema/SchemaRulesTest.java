package io.floodgate.topics.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.SchemaCommand.Registered;
import io.floodgate.topics.json.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaRulesTest {
    private static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(UTF_8);
    }

    private static List<String> breaking(Compatibility rule, String before, String after) {
        return SchemaChanges.breaking(rule, Json.tree(json(before)), Json.tree(json(after)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // before | after | backward | forward
                "{'properties':{'a':{}}} | {'properties':{'a':{}},'required':['a']} | breaks | ",
                "{'properties':{'a':{},'b':{}}} | {'properties':{'a':{}}} | breaks | ",
                "{'properties':{'a':{}}} | {'properties':{'a':{},'b':{}}} | | ",
                "{'properties':{'a':{}},'additionalProperties':false} | {'properties':{'a':{},'b':{}},'additionalProperties':false} | | breaks",
                "{'properties':{'a':{'type':'integer'}}} | {'properties':{'a':{'type':'string'}}} | breaks | breaks",
                "{'type':'integer'} | {'type':'number'} | | breaks",
                "{'type':['string','null']} | {'type':'string'} | breaks | ",
                "{'maxLength':100} | {'maxLength':50} | breaks | ",
                "{'maxLength':50} | {'maxLength':100} | | breaks",
                "{} | {'minimum':0} | breaks | ",
                "{'minimum':0} | {} | | breaks",
                "{'enum':['USD','EUR']} | {'enum':['USD','EUR','GBP']} | | breaks",
                "{'enum':['USD','EUR']} | {'enum':['USD']} | breaks | ",
                "{'enum':['USD']} | {'const':'USD'} | | ",
                "{} | {'additionalProperties':false} | breaks | ",
                "{'additionalProperties':false} | {} | | breaks",
                "{'title':'a'} | {'title':'b','description':'c'} | | ",
                "{'pattern':'^a'} | {'pattern':'^b'} | breaks | breaks",
                "{'pattern':'^a'} | {} | | breaks",
                "{'prefixItems':[{'type':'string'}]} | {'prefixItems':[{'type':'integer'}]} | breaks | breaks",
                "{'items':{'type':'string'}} | {'items':{'type':'string','maxLength':3}} | breaks | ",
                "{'prefixItems':[{'type':'string'}],'maxItems':1} | {'prefixItems':[{'type':'string'},{'type':'string'}],'maxItems':2} | | breaks",
                "{'$ref':'#/$defs/a','$defs':{'a':{'type':'string'}}} | {'$ref':'#/$defs/b','$defs':{'b':{'type':'string'}}} | | ",
                "{'$ref':'#/$defs/a','$defs':{'a':{'type':'string'}}} | {'$ref':'#/$defs/a','$defs':{'a':{'type':'integer'}}} | breaks | breaks",
                "{'$ref':'#'} | {'$ref':'#','maxItems':1} | breaks | breaks",
                "{'anyOf':[{}]} | {'anyOf':[{'type':'string'}]} | breaks | breaks",
                "{} | false | breaks | ",
            })
    void changes_break_what_the_other_side_accepts(String before, String after, String backward, String forward) {
        assertThat(breaking(Compatibility.BACKWARD, before, after).isEmpty()).isEqualTo(backward == null);
        assertThat(breaking(Compatibility.FORWARD, before, after).isEmpty()).isEqualTo(forward == null);
        // A field that goes away is breaking for the next version by itself, and not if both must get on with it.
        boolean isRemoval =
                breaking(Compatibility.BACKWARD, before, after).stream().allMatch(c -> c.contains("removed"));
        assertThat(breaking(Compatibility.FULL, before, after).isEmpty())
                .isEqualTo((backward == null || isRemoval) && forward == null);
        assertThat(breaking(Compatibility.NONE, before, after)).isEmpty();
    }

    @Test
    void a_breaking_change_needs_a_major_version_unless_a_rule_is_decided() {
        byte[] narrower = json("{'type':'array','required':['a']}");
        assertThat(rejects("1.2.0", "1.1.0", null, null, narrower))
                .contains("Schema version 1.2.0 introduces breaking changes compared to 1.1.0")
                .contains("Use a major version bump (2.0.0)");
        assertThat(rejects("2.0.0", "1.1.0", null, null, narrower)).isNull();
        assertThat(rejects("2", "1", null, null, narrower)).isNull();
        assertThat(rejects("2", "1", "BACKWARD", null, narrower)).contains("BACKWARD");
        assertThat(rejects("1.2", "1.1", "BACKWARD", Compatibility.NONE, narrower))
                .isNull();
        assertThat(rejects("2", "1", null, Compatibility.FULL, narrower)).contains("FULL");
    }

    private static String rejects(
            String version, String before, String inherited, Compatibility decided, byte[] schema) {
        Registered last = new Registered("a", before, "u", inherited, null, json("{'type':'array'}"), Instant.EPOCH, 1);
        return SchemaRules.reject(SchemaVersion.parse(version).orElseThrow(), schema, last, decided)
                .map(rejection -> rejection.message())
                .orElse(null);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0.0-alpha,1.0.0-alpha.1",
        "1.0.0-alpha.1,1.0.0-alpha.beta",
        "1.0.0-beta.2,1.0.0-beta.11",
        "1.0.0-rc.1,1.0.0",
        "1,1.0.1",
        "2.9,2.10",
        "9.9.9,10",
    })
    void versions_are_ordered_by_semantic_versioning(String lower, String higher) {
        SchemaVersion first = SchemaVersion.parse(lower).orElseThrow();
        assertThat(first).isLessThan(SchemaVersion.parse(higher).orElseThrow()).isEqualByComparingTo(first);
    }

    @Test
    void spellings_of_a_version_are_the_same_one() {
        assertThat(SchemaVersion.parse("2"))
                .isEqualTo(SchemaVersion.parse("2.0.0"))
                .hasValueSatisfying(version -> assertThat(version.canonical()).isEqualTo("2.0.0"));
        for (String none : List.of("", "v1", "latest", "1.", "1.2.3.4", "-1", "1.0-", "99999999999"))
            assertThat(SchemaVersion.parse(none)).as(none).isEmpty();
    }
}
