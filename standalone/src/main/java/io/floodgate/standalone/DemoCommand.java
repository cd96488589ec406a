package io.floodgate.standalone;

import io.floodgate.standalone.settings.NoSettings;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A shop whose jobs come and go on a running server. */
@Command(
        name = "demo",
        description = "Fills a running server with the jobs of a shop, and works on them, until Ctrl-C."
                + " Start it with ./floodgate up. Its key needs the scopes produce, consume and admin.")
final class DemoCommand implements Callable<Integer>, NoSettings {
    private static final int BETWEEN_LINES = 10;

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(
            names = "--pace",
            paramLabel = "FACTOR",
            defaultValue = "1",
            description = "How much faster than usual jobs come, and workers are: from 0.1 to 100."
                    + " Limits and bounds stay. Default: ${DEFAULT-VALUE}")
    double pace = 1;

    @Override
    public Integer call() throws InterruptedException {
        if (!(pace >= 0.1 && pace <= 100))
            throw new CommandErrors.Rejection("--pace: %s is not from 0.1 to 100".formatted(pace));
        keepOpen(System.out, System.err);
        return 0;
    }

    private void keepOpen(PrintStream out, PrintStream err) throws InterruptedException {
        try (DemoShop shop = new DemoShop(server, pace, err)) {
            shop.open();
            sayWhereToLook(out);
            while (true) {
                TimeUnit.SECONDS.sleep(BETWEEN_LINES);
                out.println(shop.figures());
            }
        }
    }

    private void sayWhereToLook(PrintStream out) {
        out.printf(Locale.ROOT, "The shop is open, at a pace of %s. Look at%n", pace);
        for (JsonNode each : DemoShop.PLAN.path("look")) {
            String command = each.path("command").asString("");
            out.printf("%n  %s%s  %s%n", server.base(), each.path("at").asString(), command.isEmpty() ? "" : "  or");
            if (!command.isEmpty()) out.printf("  %s%n", server.completed("./floodgate " + command));
            out.printf("      %s%n", each.path("what").asString());
        }
        out.printf("%nCtrl-C closes the shop. Its queues, schedules and jobs stay.%n%n");
    }
}
