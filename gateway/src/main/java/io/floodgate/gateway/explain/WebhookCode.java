package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;

/** What can be found about a subscription of events. */
enum WebhookCode implements FindingCode {
    GAVE_UP(is(PROBLEM)
            .when("Nothing was delivered for three days, so that it was paused: what happens now is not delivered.")
            .then("Mend the subscriber, activate the subscription, and have what it has missed delivered by a replay.")
            .title("Webhook {id} was paused, since nothing was delivered to {url} for three days")
            .text("What happens now is not delivered. The last error: {last_error}")
            .advise("Mend the subscriber, activate the subscription, and replay what it has missed.", Docs.WEBHOOKS)),
    FAILING(is(PROBLEM)
            .when("For more than a minute, no delivery has succeeded.")
            .then("Mend the subscriber: the deliveries that wait are tried again by themselves.")
            .title("Nothing is delivered to {url} since {failing_since}")
            .text(
                    "{failed:delivery has/deliveries have} failed. [The last error: {last_error} ]Later events wait in '{queue}'.")
            .advise("Mend the subscriber: the deliveries that wait are tried again by themselves.", Docs.WEBHOOKS)
            .advise("See what waits: ./floodgate why queue {queue}")),
    DELIVERS(is(OK).when("Nothing of the above.")
            .title("Events are delivered to {url}")
            .text("{delivered:delivery has/deliveries have} succeeded."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    WebhookCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
