package io.floodgate.topics.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.ValidationLimitExceededException;
import com.networknt.schema.path.PathType;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.SchemaCommand;
import io.floodgate.topics.json.Json;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A schema of job arguments that can be checked against: JSON Schema 2020-12, with formats. Whatever it says, it loads nothing,
 * and a check ends after a bounded number of steps.
 */
public final class JobSchema {
    /** Values that a schema has at most, nested ones included. */
    private static final int MOST_VALUES = 5_000;

    private static final int MOST_DEPTH = 50;
    private static final int MOST_FAULTS = 20;
    private static final int MOST_MESSAGE_CHARS = 300;
    /** Steps of a check, and more of them for each byte of the arguments. */
    private static final long MOST_STEPS = 200_000;

    private static final long STEPS_OF_A_BYTE = 2;
    private static final int MOST_NESTED_STEPS = 400;
    /** Arguments of more characters are reported with their first fault only. */
    private static final int LARGE_BYTES = 64 * 1024;

    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
    private static final List<String> DATA = List.of("const", "enum", "default", "examples");
    private static final List<String> REFERENCES = List.of("$ref", "$dynamicRef");

    private static final SchemaRegistryConfig CONFIG = SchemaRegistryConfig.builder()
            .regularExpressionFactory(SchemaPattern::of)
            .pathType(PathType.JSON_PATH)
            .build();
    private static final Schema META = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(SchemaLocation.of(DIALECT));
    private static final ExecutionConfig BOUNDED = bounded(false, LARGE_BYTES);

    private final Schema compiled;
    /** Arguments are always an array; a schema of an object is that of their only element (OJS schema registry §5.2). */
    private final boolean isOfElement;

    /**
     * One way in which arguments do not match.
     *
     * @param path of the value, as {@code $.args[0].amount}
     * @param schemaPath of the part of the schema that it does not match
     */
    public record Fault(String path, String message, String schemaPath) {
        @Override
        public String toString() {
            return path + ": " + message;
        }
    }

    private JobSchema(Schema compiled, boolean isOfElement) {
        this.compiled = compiled;
        this.isOfElement = isOfElement;
    }

    private static ExecutionConfig bounded(boolean first, int bytes) {
        return ExecutionConfig.builder()
                .maxEvaluationSteps(MOST_STEPS + STEPS_OF_A_BYTE * bytes)
                .maxEvaluationDepth(MOST_NESTED_STEPS)
                .failFast(first)
                .formatAssertionsEnabled(true)
                .build();
    }

    /** Returns the schema, or says why it cannot be registered. */
    public static JobSchema of(byte[] json) throws UnreadableSchema {
        if (json.length > SchemaCommand.MOST_SCHEMA_BYTES)
            throw new UnreadableSchema("The schema has %d bytes; at most %d are accepted."
                    .formatted(json.length, SchemaCommand.MOST_SCHEMA_BYTES));
        JsonNode tree;
        try {
            tree = Json.tree(json);
        } catch (JacksonException malformed) {
            throw new UnreadableSchema("The schema is not well-formed JSON: " + malformed.getOriginalMessage());
        }
        if (!(tree instanceof ObjectNode schema)) throw new UnreadableSchema("The schema must be a JSON object.");
        String dialect = schema.path("$schema").asString(DIALECT);
        if (!dialect.equals(DIALECT) && !dialect.equals(DIALECT + "#"))
            throw new UnreadableSchema("$schema must reference draft 2020-12");
        inspect(schema, "#", 0, new int[1]);
        try {
            List<Error> faults = META.validate(schema, JobSchema::bound);
            if (!faults.isEmpty())
                throw new UnreadableSchema("The schema is not valid draft 2020-12: "
                        + Limits.cut(faults.getFirst().toString(), MOST_MESSAGE_CHARS));
            return compile(schema);
        } catch (SchemaException | ValidationLimitExceededException | IllegalArgumentException unusable) {
            throw new UnreadableSchema("The schema cannot be used: "
                    + Limits.cut(String.valueOf(unusable.getMessage()), MOST_MESSAGE_CHARS));
        }
    }

    private static JobSchema compile(ObjectNode schema) {
        // Without a base of its own, no reference can lead out of it.
        ObjectNode local = schema.deepCopy();
        local.remove(List.of("$schema", "$id"));
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> builder.schemaRegistryConfig(CONFIG)
                        .schemaLoader(loader -> loader.fetchRemoteResources(false)));
        Schema compiled = registry.getSchema(local);
        compiled.initializeValidators();
        return new JobSchema(compiled, local.path("type").asString("").equals("object"));
    }

    /** Checks what the meta-schema does not: bounds, references, expressions. */
    private static void inspect(JsonNode node, String path, int depth, int[] values) throws UnreadableSchema {
        if (depth > MOST_DEPTH)
            throw new UnreadableSchema("The schema is nested deeper than %d levels.".formatted(MOST_DEPTH));
        if (++values[0] > MOST_VALUES)
            throw new UnreadableSchema("The schema has more than %d values.".formatted(MOST_VALUES));
        int index = 0;
        for (JsonNode element : node.isArray() ? node : List.<JsonNode>of())
            inspect(element, path + "/" + index++, depth + 1, values);
        for (var member : node.properties()) {
            String name = member.getKey();
            JsonNode value = member.getValue();
            String at = path + "/" + name;
            if (REFERENCES.contains(name)
                    && value.isString()
                    && !value.stringValue().startsWith("#"))
                throw new UnreadableSchema("%s must begin with '#': no other documents are loaded.".formatted(cut(at)));
            if (depth > 0 && value.isString() && (name.equals("$id") || name.equals("$schema")))
                throw new UnreadableSchema("%s may stand at the top of a schema only.".formatted(cut(at)));
            if (name.equals("pattern") && value.isString()) expression(value.stringValue(), at);
            if (name.equals("patternProperties"))
                for (String expression : value.propertyNames()) expression(expression, at);
            if (!DATA.contains(name)) inspect(value, at, depth + 1, values);
        }
    }

    private static void expression(String expression, String at) throws UnreadableSchema {
        try {
            SchemaPattern.of(expression);
        } catch (IllegalArgumentException wrong) {
            throw new UnreadableSchema("The regular expression at %s %s.".formatted(cut(at), wrong.getMessage()));
        }
    }

    private static String cut(String text) {
        return Limits.cut(text, MOST_MESSAGE_CHARS);
    }

    private static void bound(ExecutionContext context) {
        context.setExecutionConfig(BOUNDED);
    }

    /**
     * Returns in what ways arguments do not match: no more than a few, and none if they match.
     *
     * @param args a JSON array
     */
    public List<Fault> faults(byte[] args) {
        JsonNode tree = Json.tree(args);
        String root = "$.args";
        if (isOfElement) {
            if (tree.size() != 1)
                return List.of(new Fault(
                        root, "expected one element: the schema describes an object, not an array", "#/type"));
            tree = tree.get(0);
            root = "$.args[0]";
        }
        SchemaPattern.begin();
        try {
            ExecutionConfig bounds = args.length > LARGE_BYTES ? bounded(true, args.length) : BOUNDED;
            List<Error> errors =
                    compiled.validate(tree, (ExecutionContext context) -> context.setExecutionConfig(bounds));
            String from = root;
            if (SchemaPattern.isExhausted())
                return List.of(
                        new Fault(root, "has texts that are too long for the regular expressions of the schema", "#"));
            return errors.stream()
                    .limit(MOST_FAULTS)
                    .map(error -> fault(error, from))
                    .toList();
        } catch (ValidationLimitExceededException costly) {
            return List.of(new Fault(root, "cannot be checked: " + costly.getMessage(), "#"));
        } catch (SchemaException unresolved) {
            return List.of(new Fault(root, "cannot be checked: " + cut(String.valueOf(unresolved.getMessage())), "#"));
        }
    }

    private static Fault fault(Error error, String root) {
        String path = error.getInstanceLocation().toString();
        return new Fault(
                cut(root + path.substring(Math.min(1, path.length()))),
                cut(error.getMessage()),
                cut("#" + error.getSchemaLocation().getFragment()));
    }
}
