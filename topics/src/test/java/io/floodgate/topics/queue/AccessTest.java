package io.floodgate.topics.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
    private static boolean matches(String pattern, String type) {
        return new Access(List.of(pattern), null).allowsType(type);
    }

    @ParameterizedTest
    @CsvSource({
        "*, email.send",
        "email.send, email.send",
        "payment.*, payment.card.charge",
        "*.send, email.send",
        "a*b*c, a.b.b.c",
        "a**c, ac",
        "*.*, a.b"
    })
    void a_star_stands_for_any_characters(String pattern, String type) {
        assertThat(matches(pattern, type)).isTrue();
    }

    @ParameterizedTest
    @Table("""
        email.send | email.sent | email.send.now
        payment.*  | payments.card | payment
        *.send     | email.sender
        ab*ba      | aba
        a*b*c      | a.c.b
        """)
    void and_nothing_else_stands_for_more_than_itself(String pattern, String type) {
        assertThat(matches(pattern, type)).isFalse();
    }

    @Test
    void one_of_the_patterns_is_enough_and_none_of_none() {
        assertThat(new Access(List.of("a", "b.*"), null).allowsType("b.c")).isTrue();
        assertThat(new Access(List.of(), null).allowsType("a")).isFalse();
        assertThat(Access.NONE.allowsType("a")).isTrue();
    }

    @Test
    void a_client_that_has_no_name_may_do_what_any_client_may() {
        assertThat(Access.NONE.allowsProducer(null)).isTrue();
        assertThat(new Access(null, List.of("*")).allowsProducer(null)).isTrue();
        assertThat(new Access(null, List.of("billing", "*")).allowsProducer(null))
                .isTrue();
        assertThat(new Access(null, List.of("billing")).allowsProducer(null)).isFalse();
        assertThat(new Access(null, List.of("billing*")).allowsProducer(null)).isFalse();
    }

    @Test
    void producers_are_allowed_by_name() {
        Access billing = new Access(null, List.of("billing", "web-*"));
        assertThat(billing.allowsProducer("billing")).isTrue();
        assertThat(billing.allowsProducer("web-7")).isTrue();
        assertThat(billing.allowsProducer("mail")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a b", "a\n", "é"})
    void what_no_type_can_match_is_no_pattern(String text) {
        assertThat(Access.isTypePattern(text)).isFalse();
    }
}
