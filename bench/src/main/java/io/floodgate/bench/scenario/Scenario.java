package io.floodgate.bench.scenario;

/**
 * A scenario of the load generator.
 *
 * @param shape the load, unless options say otherwise
 */
public record Scenario(String name, String description, LoadShape shape, Run run) {
    /** The work of a scenario. */
    @FunctionalInterface
    public interface Run {
        void measure(Session session) throws Exception;
    }
}
