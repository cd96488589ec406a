package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A field that does not exist is rejected before anything is done, wherever it would have been ignored silently. */
class UnknownFieldsTest extends GatewayFixture {
    private static final String JOB = "019501a2-3b4c-7d5e-8f6a-1b2c3d4e5f6a";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        PUT | /ojs/v1/admin/pools/a | {'queues':['q'],'stategy':'strict'} | stategy | strategy
        POST | /ojs/v1/queues/q/pause | {'reson':'x'} | reson | reason
        PUT | /ojs/v1/admin/queues/q/config | {'max_sise':3} | max_sise | max_size
        PUT | /ojs/v1/admin/queues/q/config | {'backpressure':{'max_dept':3}} | backpressure.max_dept | max_depth
        PUT | /ojs/v1/admin/queues/q/config | {'default_retry':{'atempts':3}} | default_retry.atempts |
        DELETE | /ojs/v1/queues/q | {'stategy':'discard'} | stategy | strategy
        POST | /ojs/v1/queues/q/purge | {'states':['available'],'dry_rum':true} | dry_rum | dry_run
        POST | /ojs/v1/admin/jobs/bulk/delete | {'filter':{'queue':'q'},'dry_rum':true,'confirm':true} | dry_rum | dry_run
        POST | /ojs/v1/admin/jobs/bulk/delete | {'filter':{'queu':'q'},'confirm':true} | filter.queu | queue
        DELETE | /ojs/v1/admin/dead-letter | {'que':'q','confirm':true} | que |
        POST | /ojs/v1/dead-letter/ID/retry | {'override':{'prioritty':3}} | override.prioritty | priority
        POST | /ojs/v1/admin/maintenance | {'enabled':true,'durations':'PT1H'} | durations | duration
        POST | /ojs/v1/workflows/ID/retry | {'step':['a']} | step | steps
        POST | /ojs/v1/jobs | {'type':'a','args':[],'options':{'queu':'q'}} | options.queu | queue
        """)
    void is_rejected_with_the_nearest_name(
            String method, String path, String body, String field, @Nullable String nearest) {
        Got got = send(method, path.replace("ID", JOB), body.replace('\'', '"'));
        got.answers(400, "{'error':{'details':{'reason':'unknown_field','field':'%s'}}}", field);
        assertThat(got.at("/error/details/nearest").asString("")).isEqualTo(nearest == null ? "" : nearest);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void a_name_of_many_kilobytes_is_shortened_in_the_answer() {
        Got got = send("POST", "/ojs/v1/queues/q/pause", "{\"" + "x".repeat(9_000) + "\":1}");
        got.answers(400);
        assertThat(got.at("/error/message").asString().length()).isLessThan(1_000);
    }
}
