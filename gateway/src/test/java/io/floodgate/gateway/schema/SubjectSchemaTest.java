package io.floodgate.gateway.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.schema.JobSchema;
import io.floodgate.topics.schema.UnreadableSchema;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas of older drafts accept what they accepted before, also those that refer to others. */
class SubjectSchemaTest {
    private static String json(String quoted) {
        return quoted.replace('\'', '"');
    }

    private static boolean accepts(String schema, Map<String, String> others, String args) throws UnreadableSchema {
        byte[] whole = SubjectSchema.whole(json(schema), others);
        return JobSchema.of(whole).faults(json(args).getBytes(UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // a list of schemas, and what comes after them
                "draft-07 | 'items':[{'type':'integer'}],'additionalItems':{'type':'string'} | [1,'a'] | [1,2]",
                "2019-09 | 'items':[{'type':'integer'}],'additionalItems':false | [1] | [1,2]",
                "draft-07 | 'items':{'type':'integer'},'additionalItems':false | [1,2] | ['a']",
                "2020-12 | 'prefixItems':[{'type':'integer'}],'items':false | [1] | [1,2]",
                // dependencies of both kinds
                "draft-07 | 'items':{'dependencies':{'a':['b']}} | [{'a':1,'b':1}] | [{'a':1}]",
                "draft-06 | 'items':{'dependencies':{'a':{'required':['b']}}} | [{'a':1,'b':1}] | [{'a':1}]",
                // bounds that were flags
                "draft-04 | 'items':{'minimum':5,'exclusiveMinimum':true} | [6] | [5]",
                "draft-04 | 'items':{'maximum':5,'exclusiveMaximum':false} | [5] | [6]",
                "draft-06 | 'items':{'exclusiveMinimum':5} | [6] | [5]",
                // what stands beside a reference counted from 2019 on
                "draft-07 | 'definitions':{'x':{'type':'integer'}},'items':{'$ref':'#/definitions/x','minimum':5} | [1] | ['a']",
                "2019-09 | '$defs':{'x':{'type':'integer'}},'items':{'$ref':'#/$defs/x','minimum':5} | [5] | [1]",
                // names of members that are keywords elsewhere
                "draft-07 | 'items':{'properties':{'items':{'type':'array'},'dependencies':{'type':'object'}}} | [{'items':[1]}] | [{'items':1}]",
                "draft-07 | 'items':{'enum':[{'items':[1]}]} | [{'items':[1]}] | [{'prefixItems':[1]}]",
            })
    void schemas_of_older_drafts_mean_what_they_meant(String draft, String schema, String good, String bad)
            throws Exception {
        String host = draft.startsWith("draft") ? "http://json-schema.org/" : "https://json-schema.org/draft/";
        String whole = "{'$schema':'%s%s/schema','type':'array',%s}".formatted(host, draft, schema);
        assertThat(accepts(whole, Map.of(), good)).isTrue();
        assertThat(accepts(whole, Map.of(), bad)).isFalse();
    }

    @Test
    void references_lead_to_the_schemas_that_came_along() throws Exception {
        String order = json("{'type':'object','properties':{"
                + "'customer':{'$ref':'customer.json'},"
                + "'city':{'$ref':'https://example.com/address.json#/definitions/city'},"
                + "'next':{'$ref':'#'}}}");
        Map<String, String> others = Map.of(
                "customer.json",
                        json("{'type':'object','required':['id'],'properties':{'home':{'$ref':'address.json'}}}"),
                "address.json",
                        json("{'$id':'https://example.com/address.json','type':'object','properties':"
                                + "{'city':{'$ref':'#/definitions/city'}},'definitions':{'city':{'type':'string'}}}"));
        assertThat(accepts(order, others, "[{'customer':{'id':1,'home':{'city':'Bern'}},'city':'Bern'}]"))
                .isTrue();
        for (String wrong : new String[] {
            "[{'customer':{}}]", "[{'customer':{'id':1,'home':{'city':3}}}]", "[{'city':3}]", "[{'next':{'city':3}}]"
        }) assertThat(accepts(order, others, wrong)).as(wrong).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ | not well-formed",
                "[] | must be a JSON object",
                "{'$schema':'http://json-schema.org/draft-03/schema#'} | no draft that is known",
                "{'$ref':'other.json'} | 'other.json'",
                "{'$ref':'http://127.0.0.1:9/x'} | not among its references",
                "{'items':{'$recursiveRef':'#'}} | $recursiveRef",
                "{'pattern':'(?=a)'} | regular expression",
                "{'properties':{'a':{'$id':'http://x/y'}}} | $id may stand at the top",
            })
    void what_cannot_be_used_says_why(String schema, String why) {
        assertThatThrownBy(() -> SubjectSchema.whole(json(schema), Map.of()))
                .isInstanceOf(UnreadableSchema.class)
                .hasMessageContaining(why);
    }

    @Test
    void deep_schemas_are_rejected() {
        String deep = "{\"not\":".repeat(90) + "{}" + "}".repeat(90);
        assertThatThrownBy(() -> SubjectSchema.whole(deep, Map.of()))
                .isInstanceOf(UnreadableSchema.class)
                .hasMessageContaining("nested deeper");
    }
}
