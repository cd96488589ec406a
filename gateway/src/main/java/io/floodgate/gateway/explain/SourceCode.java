package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.UNKNOWN;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about a source. */
enum SourceCode implements FindingCode {
    NO_TOPIC(is(PROBLEM)
            .when("Its topic is not there.")
            .then("Make the topic, or delete the source.")
            .title("Topic '{topic}' of source '{name}' is not there")
            .text("Nothing comes in until there is such a topic.")
            .advise("Make the topic, or delete the source.", Docs.SOURCES)),
    NOT_READ(is(PROBLEM)
            .when("For more than a minute after it was made, some partition of its topic has not been read.")
            .then("See that a processor runs, and that its user may read the topic.")
            .title("Source '{name}' is not read")
            .text(
                    "{lag:record waits/records wait} in topic '{topic}'. Processors say in their logs why they do not read it.")
            .advise("See that a processor runs, and that its user may read the topic.", Docs.SOURCES)),
    WAITS_FOR_ROOM(is(INFO).when("Records wait in its topic, since its queue is full.")
            .then("Make room in the queue, or wait: they come in as jobs leave.")
            .title("{lag:record/records} of source '{name}' {lag?waits/wait} for room in queue '{queue}'")
            .text("They stay in topic '{topic}', and come in as jobs leave the queue.")
            .advise("See why it is full: ./floodgate why queue {queue}")),
    STANDS_STILL(is(PROBLEM)
            .when("Records wait in its topic, its queue has room, and for more than a minute none has come in.")
            .then("See what the processors' logs say about its topic, and about that of its dead letters.")
            .title("Nothing of source '{name}' comes in[ since {still_since}]")
            .text(
                    "{lag:record waits/records wait} in topic '{topic}', and queue '{queue}' has room.[ A record that cannot become a job waits for topic '{dead_letter_topic}' if that cannot be written to.]")
            .since("still_since")
            .advise("See what the processors' logs say about the topic.", Docs.SOURCES)
            .advise("See whether the queue's partition works: ./floodgate why queue {queue}")),
    PAUSED(is(INFO).when("It was paused.")
            .then("Resume it.")
            .title("Source '{name}' is paused")
            .text("{lag:record waits/records wait/No record waits} in topic '{topic}'.")
            .advise("Resume it.", Request.RESUME_SOURCE)),
    NOT_KNOWN(is(WARNING)
            .when("Kafka does not say how far it has come in.")
            .then("See that the gateway reaches its brokers, and that its user may describe the topic and the group.")
            .title("Kafka does not say how far source '{name}' has come in")
            .text("The gateway's user describes topic '{topic}' and the group of the forwarders.")
            .advise("See whether the server is well: ./floodgate why system")
            .advise("See the rights that it takes.", Docs.SOURCE_RIGHTS)),
    READS(is(OK).when("Nothing of the above.")
            .title("Records of topic '{topic}' become jobs of '{queue}'")
            .text("[{lag:record has/records have} not come in yet.|All records have come in.]")),
    UNKNOWN_SOURCE(is(UNKNOWN)
            .when("There is no source of that name.")
            .then("Look at its name.")
            .title("There is no source '{name}'")
            .text("Sources are listed by GET /ojs/v1/admin/sources."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    SourceCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
