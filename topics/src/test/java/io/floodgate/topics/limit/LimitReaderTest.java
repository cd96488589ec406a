package io.floodgate.topics.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Table;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import tools.jackson.databind.JsonNode;

class LimitReaderTest {
    private static JsonNode json(String text) {
        return Json.tree(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static RateLimit read(String text) throws UnreadableLimit {
        return LimitReader.rateLimit(json(text), "rate_limit", "email");
    }

    private static Pace pace(long starts, String period) {
        return new Pace(starts, Duration.parse(period));
    }

    @Test
    void the_specifications_own_spelling() throws UnreadableLimit {
        RateLimit limit = read(
                "{'key':'api.partner.com','concurrency':10,'rate':{'limit':500,'period':'PT1M'},'throttle':{'limit':10,'period':'PT1S'},'on_limit':'drop'}");
        assertThat(limit)
                .isEqualTo(new RateLimit(
                        "api.partner.com", new Allowance(10L, pace(500, "PT1M"), pace(10, "PT1S")), OnLimit.DROP));
    }

    @ParameterizedTest
    @Table("""
        {'rate':3,'period':'second'} | PT1S
        {'limit':3,'period':'1m'} | PT1M
        {'limit':3,'period':'PT1H'} | PT1H
        {'limit':3,'period':'5m','type':'rate'} | PT5M
        {'max_per_second':3}     | PT1S
        {'rate':{'limit':3,'period':'PT1S'},'concurrency':null} | PT1S
        """)
    void every_spelling_of_a_rate(String text, String period) throws UnreadableLimit {
        assertThat(read(text).allowance()).isEqualTo(new Allowance(null, pace(3, period), null));
    }

    @ParameterizedTest
    @Table("""
        {'rate':{'limit':0,'period':'PT1M'}} | {'rate':{'limit':0}} | {'throttle':{'limit':0,'period':'PT1S'}}
        {'limit':0,'period':'PT1M'} | {'max_per_second':0} | {'concurrency':0}
        """)
    void an_override_of_zero_stops_everything(String text) throws UnreadableLimit {
        assertThat(LimitReader.override(json(text), Set.of())).isEqualTo(new Allowance(0L, null, null));
    }

    @Test
    void a_hint_says_what_a_bare_limit_is() throws UnreadableLimit {
        assertThat(read("{'type':'concurrency','limit':3}").allowance()).isEqualTo(new Allowance(3L, null, null));
        assertThat(read("{'type':'throttle','limit':3,'period':'1s'}").allowance())
                .isEqualTo(new Allowance(null, null, pace(3, "PT1S")));
    }

    @Test
    void without_a_key_the_jobs_of_the_queue_share_it() throws UnreadableLimit {
        assertThat(read("{'concurrency':0}"))
                .isEqualTo(new RateLimit("queue:email", new Allowance(0L, null, null), OnLimit.WAIT));
    }

    @ParameterizedTest
    @Table("""
        1                        | rate_limit
        {'key':'-x'}             | rate_limit.key
        {'key':''}               | rate_limit.key
        {'key':7}                | rate_limit.key
        {'key':'a b'}            | rate_limit.key
        {'concurrency':-1}       | rate_limit.concurrency
        {'concurrency':1.0}      | rate_limit.concurrency
        {'concurrency':'5'}      | rate_limit.concurrency
        {'concurrency':10000000000} | rate_limit.concurrency
        {'rate':{'limit':0,'period':'PT1S'}} | rate_limit.rate.limit
        {'rate':{'period':'PT1S'}} | rate_limit.rate.limit
        {'rate':{'limit':1}}     | rate_limit.rate.period
        {'rate':{'limit':1,'period':1}} | rate_limit.rate.period
        {'rate':{'limit':1,'period':'PT0S'}} | rate_limit.rate.period
        {'rate':{'limit':1,'period':'P9000D'}} | rate_limit.rate.period
        {'rate':{'limit':1,'period':'PT1S','burst':2}} | rate_limit.rate
        {'rate':'fast','period':'PT1S'} | rate_limit.rate
        {'throttle':7}           | rate_limit.throttle
        {'rate':1}               | rate_limit.period
        {'period':'1s'}          | rate_limit.limit
        {'max_per_second':0}     | rate_limit.max_per_second
        {'max_per_second':1,'rate':{'limit':1,'period':'PT1S'}} | rate_limit
        {'on_limit':'explode'}   | rate_limit.on_limit
        {'on_limit':1}           | rate_limit.on_limit
        {'concurency':1}         | rate_limit
        """)
    void what_makes_no_sense_is_rejected_by_name(String text, String field) {
        assertThatThrownBy(() -> read(text)).isInstanceOfSatisfying(UnreadableLimit.class, wrong -> {
            assertThat(wrong.field()).isEqualTo(field);
            assertThat(wrong.reason()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @Table("""
        {'key':'k'} | {'key':'k','rate':{'limit':7,'period':'PT0.0015S'},'throttle':{'limit':1,'period':'P1D'}}
        """)
    void what_is_written_reads_the_same(String text) throws UnreadableLimit {
        RateLimit limit = read(text);
        JsonOut out = JsonOut.object();
        limit.write(out);
        RateLimit again = LimitReader.rateLimit(Json.tree(out.endObject().toBytes()), "rate_limit", "other");
        assertThat(again).isEqualTo(limit);
    }

    @Test
    void what_is_said_goes_over_what_was_said_before() {
        Allowance before = new Allowance(5L, pace(1, "PT1S"), null);
        Allowance now = new Allowance(0L, null, pace(2, "PT1S"));
        assertThat(now.over(before)).isEqualTo(new Allowance(0L, pace(1, "PT1S"), pace(2, "PT1S")));
        assertThat(now.without(Set.of("concurrency", "throttle"))).isEqualTo(Allowance.UNLIMITED);
    }
}
