package io.floodgate.standalone;

import io.floodgate.standalone.settings.NoSettings;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The status and the queues, drawn again and again. */
@Command(
        name = "top",
        description =
                "Shows the status of a running server and its queues, and goes on until Ctrl-C. Without a terminal, once.")
final class TopCommand implements Callable<Integer>, NoSettings {
    private static final String HOME_AND_CLEAR = "\033[H\033[J";

    enum Sort {
        pressure,
        oldest,
        depth,
        in,
        out,
        failed
    }

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(
            names = "--sort",
            paramLabel = "FIGURE",
            defaultValue = "pressure",
            description = "By what queues are sorted: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
    Sort sort = Sort.pressure;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "Seconds between two looks. Default: ${DEFAULT-VALUE}")
    int interval;

    @Option(
            names = "--queues",
            paramLabel = "N",
            defaultValue = "20",
            description = "Queues that are shown. Default: ${DEFAULT-VALUE}")
    int queues;

    @Option(names = "--once", description = "Prints once and ends.")
    boolean once;

    static CommandLine commandLine() {
        return new CommandLine(new TopCommand());
    }

    @Override
    public Integer call() throws InterruptedException {
        boolean repeats = !once && StatusText.isTerminal();
        while (repeats) {
            String screen = screen(System.err);
            if (screen != null) System.out.print(HOME_AND_CLEAR + screen);
            System.out.flush();
            TimeUnit.SECONDS.sleep(Math.max(1, interval));
        }
        return print(System.out, System.err);
    }

    int print(PrintStream out, PrintStream err) {
        String screen = screen(err);
        if (screen == null) return ServerOptions.NO_ANSWER;
        out.print(screen);
        out.flush();
        return 0;
    }

    private @Nullable String screen(PrintStream err) {
        String overview = body(StatusCommand.OVERVIEW, err);
        String rows = overview == null
                ? null
                : body(
                        "/ojs/v1/admin/queues?view=row&sort=%s&per_page=%d".formatted(sort, Math.clamp(queues, 1, 100)),
                        err);
        if (overview == null || rows == null) return null;
        StatusText text = new StatusText(overview, StatusText.isColoured());
        return text.status(5) + "\n" + text.queues(rows);
    }

    private @Nullable String body(String path, PrintStream err) {
        HttpResponse<String> answer = server.ask(path, err);
        if (answer == null) return null;
        if (answer.statusCode() == 200) return answer.body();
        server.complain(answer, err);
        return null;
    }
}
