package io.floodgate.gateway.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.SignalCommand.ForgetSignal;
import io.floodgate.topics.command.SignalCommand.GetSignal;
import io.floodgate.topics.command.SignalCommand.SendSignal;
import io.floodgate.topics.command.SignalName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalRoutesTest extends GatewayFixture {
    private static final String PATH = "/ojs/v1/signals";
    private static final String SENT =
            "{\"event\":\"payment\",\"key\":\"order-17\",\"tenant_id\":\"_default\",\"duplicate\":%s,\"steps_signalled\":1}";

    @Test
    void sends() {
        logs.answer(SENT.formatted("false"));
        post(PATH, "{\"event\":\"payment\",\"key\":\"order-17\",\"data\":{\"n\":1},\"keep\":\"P2D\"}")
                .answers(201, "{'event':'payment','steps_signalled':1}");
        SendSignal sent = logs.theCommand(SendSignal.class);
        assertThat(sent.name()).isEqualTo(new SignalName("_default", "payment", "order-17"));
        assertThat(new String(Objects.requireNonNull(sent.data()), StandardCharsets.UTF_8))
                .isEqualTo("{\"n\":1}");
        assertThat(sent.kept()).isEqualTo(Duration.ofDays(2));
        assertThat(logs.sent())
                .allSatisfy(
                        each -> assertThat(each.log()).isEqualTo(logs.routing().ofSignal(sent.name())));
    }

    @Test
    void says_that_a_signal_was_there() {
        logs.answer(SENT.formatted("true"));
        post(PATH, "{\"event\":\"payment\",\"key\":\"order-17\"}").answers(200, "{'duplicate':true}");
        assertThat(logs.theCommand(SendSignal.class).data()).isNull();
    }

    @Test
    void shows_and_forgets() {
        logs.answer(SENT.formatted("false"));
        get(PATH + "?event=payment&key=order%2F17").answers("{'event':'payment'}");
        assertThat(logs.theCommand(GetSignal.class).key()).isEqualTo("order/17");
        logs.reset().answer(SENT.formatted("false"));
        delete(PATH + "?event=payment&key=order-17").answers(200);
        assertThat(logs.theCommand(ForgetSignal.class).key()).isEqualTo("order-17");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"key":"k"}                                    | event
            {"event":"a/b","key":"k"}                      | event
            {"event":"a"}                                  | key
            {"event":"a","key":""}                         | key
            {"event":"a","key":7}                          | key
            {"event":"a","key":"k","keep":"P91D"}          | keep
            {"event":"a","key":"k","keep_ms":0}            | keep_ms
            {"event":"a","key":"k","payload":1}            | payload
            """)
    void rejects_what_is_no_signal(String body, String field) {
        post(PATH, body).answers(400, "{'error':{'details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void rejects_what_is_too_large() {
        post(PATH, "{\"event\":\"a\",\"key\":\"k\",\"data\":\"" + "x".repeat(65 * 1024) + "\"}")
                .answers(413, "{'error':{'details':{'field':'data'}}}");
    }
}
