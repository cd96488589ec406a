package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Tag("server")
final class DemoShopTest {
    private static final double PACE = 20;

    @TempDir
    Path data;

    @Test
    void a_shop_shows_what_its_command_names_and_sends_nothing_that_is_wrong() throws Exception {
        var err = new ByteArrayOutputStream();
        try (var running = new Running()) {
            int port = Standalone.start(StandaloneConfig.in(data), running).port();
            var options = CommandLine.populateCommand(new ServerOptions(), "--url", "http://localhost:" + port);
            var http = new HttpApi(port);
            var shop = new DemoShop(options, PACE, new PrintStream(err, true, StandardCharsets.UTF_8));
            running.add("shop", shop);
            shop.open();

            Eventually.until("a campaign is too large", () -> count(http, "shop.mail", "rejected") > 0);
            Eventually.until("old changes are dropped", () -> count(http, "shop.search", "dropped") > 0);
            Eventually.until("no worker takes reports", () -> count(http, "shop.reports", "available") > 3);
            Eventually.until("orders die", () -> count(http, "shop.payments", "dead") > 0);
            Eventually.until(
                    "orders are shipped",
                    () -> !http.get("/ojs/v1/workflows?state=completed")
                            .text("/workflows/0/id")
                            .isEmpty());
            assertThat(http.get("/ojs/v1/cron").body().path("crons"))
                    .extracting(each -> each.path("name").asString())
                    .contains("shop-count-stock", "shop-daily-report");
            assertThat(count(http, "shop.orders", "completed")).isPositive();
            assertThat(shop.figures()).containsPattern("[1-9][0-9,]* jobs and workflows accepted, [1-9]");
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static long count(HttpApi http, String queue, String figure) throws Exception {
        return http.get("/ojs/v1/queues/" + queue).body().path(figure).asLong();
    }
}
