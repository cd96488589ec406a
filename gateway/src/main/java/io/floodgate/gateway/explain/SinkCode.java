package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;

/** What can be found about a sink. */
enum SinkCode implements FindingCode {
    FAILING(is(PROBLEM)
            .when("For more than a minute, outcomes of jobs could not be written to the topic.")
            .then("Mend what the error says: what waits is written then, for as long as events are kept.")
            .title("Sink {id} does not write to {topic} since {failing_since}")
            .text("The last error: {last_error}")
            .advise("Mend that: what waits is written then, for as long as events are kept.", Docs.SINKS)),
    WRITES(is(OK).when("Nothing of the above.")
            .title("Sink {id} writes to {topic}")
            .text("Nothing has failed for longer than a minute."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    SinkCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
