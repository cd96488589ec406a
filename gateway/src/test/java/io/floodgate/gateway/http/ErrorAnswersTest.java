package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.client.CommandCircuitOpen;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class ErrorAnswersTest {
    @ParameterizedTest
    @EnumSource
    void say_everything_a_client_may_look_for(ErrorCode code) {
        ApiResponse.Whole answer = ErrorAnswers.answer(Rejection.of(code, "No.").with("a", 1), "req_1");

        JsonNode error = Json.tree(answer.body()).get("error");
        assertThat(answer.status().code()).isBetween(400, 599);
        assertThat(error.get("code").stringValue()).isEqualTo(code.wire());
        assertThat(error.get("canonical_code").stringValue()).isEqualTo(code.canonical());
        assertThat(error.get("ojs_code").stringValue()).matches("OJS-\\d{4}");
        assertThat(error.get("message").stringValue()).isEqualTo("No.");
        assertThat(error.get("retryable").booleanValue()).isEqualTo(code.retryable());
        assertThat(error.at("/details/a").intValue()).isEqualTo(1);
        assertThat(error.get("hint").stringValue()).isNotBlank();
        assertThat(error.get("docs_url")).isEqualTo(error.get("doc_url"));
        assertThat(error.get("request_id").stringValue()).isEqualTo("req_1");
        boolean hasRetryAfter = answer.headers().stream().anyMatch(h -> h.name().equalsIgnoreCase("Retry-After"));
        boolean mayPassLater = answer.status().code() == 503 || answer.status().code() == 429;
        assertThat(hasRetryAfter).isEqualTo(mayPassLater && code.retryable());
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_PAYLOAD,400", "INVALID_REQUEST,400", "INVALID_ARGS,400", "INVALID_QUEUE,400",
        "INVALID_JOB_TYPE,400", "INVALID_RETRY_POLICY,422", "NOT_FOUND,404", "METHOD_NOT_ALLOWED,405",
        "REQUEST_TIMEOUT,408", "DUPLICATE,409", "CONFLICT,409", "ENVELOPE_TOO_LARGE,413",
        "METADATA_TOO_LARGE,413", "BATCH_SIZE_EXCEEDED,413", "UNSUPPORTED,422", "EXTENSION_NOT_SUPPORTED,422",
        "INTERNAL_ERROR,500", "QUEUE_FULL,429", "BATCH_EXCEEDS_BOUND,429", "BACKEND_UNAVAILABLE,503"
    })
    void have_their_status(ErrorCode code, int status) {
        assertThat(ErrorAnswers.status(code).code()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "1000,1", "1001,2", "29400,30"})
    void an_open_circuit_is_worth_another_try_after_its_rest_and_never_at_once(long restMs, String retryAfter) {
        CommandFailed open = new CommandCircuitOpen("ojs.commands/3", Duration.ofMillis(restMs));

        ApiResponse.Whole answer = ErrorAnswers.answer(open, "req_1");

        assertThat(answer.status().code()).isEqualTo(503);
        assertThat(answer.headers())
                .anySatisfy(header -> assertThat(header.name() + ": " + header.get())
                        .isEqualToIgnoringCase("Retry-After: " + retryAfter));
        assertThat(Json.tree(answer.body()).at("/error/details/outcome").stringValue())
                .isEqualTo("not_executed");
    }
}
