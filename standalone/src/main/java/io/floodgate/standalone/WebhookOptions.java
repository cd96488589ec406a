package io.floodgate.standalone;

import io.floodgate.topics.webhook.AddressBlock;
import io.floodgate.topics.webhook.WebhookTargets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the delivery of events to webhook subscribers. */
final class WebhookOptions {
    @Option(
            names = "--webhooks",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Delivers events to the URLs of webhook subscriptions, and outcomes to sinks, from this process. Default: true.")
    boolean delivers = true;

    @Option(
            names = "--webhook-http",
            description = "Accepts http:// URLs in webhook subscriptions, not only https://. Not for production.")
    boolean http;

    @Option(
            names = "--webhook-allow",
            paramLabel = "CIDR,...",
            split = ",",
            description = "Addresses that webhooks may call although they are not public, such as 10.1.0.0/16."
                    + " Subscribers can then have this server call them.")
    @Nullable
    List<String> allowed;

    /** @param testMode with it, http is accepted */
    WebhookSettings settings(boolean testMode) {
        List<AddressBlock> blocks = new ArrayList<>();
        for (String text : allowed == null ? List.<String>of() : allowed) {
            try {
                blocks.add(AddressBlock.parse(text.strip()));
            } catch (IllegalArgumentException wrong) {
                throw new CommandErrors.Rejection("--webhook-allow: " + wrong.getMessage());
            }
        }
        return new WebhookSettings(delivers, new WebhookTargets(http || testMode, blocks));
    }
}
