package io.floodgate.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The document by itself: what a linter of OpenAPI would find. Whether answers are as it says is tested on a running server. */
class OpenApiTest extends GatewayFixture {
    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z]+)}");

    private JsonNode document;

    private record Operation(String path, String method, JsonNode json) {}

    @BeforeEach
    void read() {
        Got got = get("/ojs/v1/openapi.json");
        assertThat(got.header("content-type")).isEqualTo("application/json");
        document = got.json();
    }

    private List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        document.path("paths")
                .propertyStream()
                .forEach(path -> path.getValue()
                        .propertyStream()
                        .forEach(method ->
                                operations.add(new Operation(path.getKey(), method.getKey(), method.getValue()))));
        return operations;
    }

    @Test
    void it_is_of_the_version_that_it_says_and_describes_itself() {
        assertThat(document.path("openapi").stringValue()).isEqualTo("3.1.0");
        assertThat(document.at("/info/title").stringValue()).isEqualTo("Floodgate");
        assertThat(document.at("/paths/~1ojs~1v1~1openapi.json/get").isObject()).isTrue();
        assertThat(operations().size()).isGreaterThan(110);
    }

    @Test
    void each_operation_has_an_id_of_its_own_a_summary_a_known_tag_and_all_parameters_of_its_path() {
        Set<String> ids = new HashSet<>();
        Set<String> tags = new HashSet<>();
        document.path("tags").forEach(tag -> {
            tags.add(tag.path("name").stringValue());
            assertThat(tag.path("description").stringValue()).as(tag.toString()).isNotBlank();
        });
        for (Operation operation : operations()) {
            JsonNode json = operation.json();
            assertThat(ids.add(json.path("operationId").stringValue()))
                    .as(operation.path())
                    .isTrue();
            assertThat(json.path("summary").stringValue()).as(operation.path()).isNotBlank();
            assertThat(tags).contains(json.at("/tags/0").stringValue());
            List<String> declared = new ArrayList<>();
            json.path("parameters").forEach(parameter -> {
                assertThat(parameter.at("/schema/type").isString()).isTrue();
                if (parameter.path("in").stringValue().equals("path")) {
                    assertThat(parameter.path("required").booleanValue()).isTrue();
                    declared.add(parameter.path("name").stringValue());
                }
            });
            List<String> inPath = new ArrayList<>();
            Matcher matcher = PARAMETER.matcher(operation.path());
            while (matcher.find()) inPath.add(matcher.group(1));
            assertThat(declared).as(operation.path()).isEqualTo(inPath);
        }
    }

    @Test
    void each_answer_says_what_it_is_and_errors_have_their_shape() {
        for (Operation operation : operations()) {
            JsonNode answers = operation.json().path("responses");
            assertThat(answers.at("/default/content/application~1openjobspec+json/schema/$ref")
                            .stringValue())
                    .isEqualTo("#/components/schemas/Error");
            assertThat(answers.has("4XX")).as(operation.path()).isTrue();
            assertThat(answers.size()).as(operation.path()).isGreaterThan(2);
            answers.forEach(answer ->
                    assertThat(answer.path("description").stringValue()).isNotBlank());
        }
    }

    @Test
    void references_lead_somewhere_and_no_shape_is_left_over() {
        Set<String> used = new HashSet<>();
        Matcher matcher = Pattern.compile("#/components/schemas/([A-Za-z]+)").matcher(document.toString());
        while (matcher.find()) used.add(matcher.group(1));
        List<String> schemas = new ArrayList<>();
        document.at("/components/schemas").propertyStream().forEach(each -> schemas.add(each.getKey()));

        assertThat(schemas).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void every_route_has_its_line() {
        assertThat(undocumented()).isEmpty();
    }

    private List<String> undocumented() {
        return operations().stream()
                .map(operation ->
                        operation.json().path("operationId").stringValue().replaceFirst("_[0-9]+$", ""))
                .distinct()
                .filter(name -> !OpenApi.isDocumented(name))
                .toList();
    }
}
