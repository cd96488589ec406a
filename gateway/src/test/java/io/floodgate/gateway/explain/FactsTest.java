package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FactsTest {
    private static final Facts ODD = new Facts(
            Given.json(
                    "{'text':{'a':1},'number':'ten','long':1e300,'decimal':'x','flag':'yes','time':17,'list':'abc','texts':[['a'],'b',{}]}"));

    @Test
    void what_is_of_another_type_is_as_if_it_were_missing() {
        assertThat(ODD.text("text")).isNull();
        assertThat(ODD.number("number")).isZero();
        assertThat(ODD.optionalNumber("number")).isNull();
        assertThat(ODD.number("long")).isZero();
        assertThat(ODD.optionalNumber("long")).isNull();
        assertThat(ODD.decimal("decimal")).isZero();
        assertThat(ODD.flag("flag")).isFalse();
        assertThat(ODD.time("time")).isNull();
        assertThat(ODD.list("list")).isEmpty();
        assertThat(ODD.texts("texts")).containsExactly("b");
        assertThat(ODD.texts("text")).isEmpty();
    }
}
