package io.floodgate.standalone;

import io.floodgate.standalone.settings.NoSettings;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is wrong, worst first: for terminals, and for scripts by the exit code. */
@Command(
        name = "status",
        description = "Shows what is wrong with a running server, worst first, and how much there is to do.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing has to be done",
            "1:warnings",
            "2:problems, or a wrong command line",
            "3:no answer, or the server rejected the request"
        })
final class StatusCommand implements Callable<Integer>, NoSettings {
    static final String OVERVIEW = "/ojs/v1/admin/overview";

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--json", description = "Prints the answer of the server.")
    boolean json;

    @Option(
            names = "--problems",
            paramLabel = "N",
            defaultValue = "10",
            description = "Problems that are shown. Default: ${DEFAULT-VALUE}")
    int problems;

    static CommandLine commandLine() {
        return new CommandLine(new StatusCommand());
    }

    @Override
    public Integer call() {
        return print(System.out, System.err);
    }

    int print(PrintStream out, PrintStream err) {
        HttpResponse<String> answer = server.ask(OVERVIEW, err);
        if (answer == null) return ServerOptions.NO_ANSWER;
        if (answer.statusCode() != 200) {
            server.complain(answer, err);
            return ServerOptions.NO_ANSWER;
        }
        StatusText text = new StatusText(answer.body(), StatusText.isColoured());
        out.print(json ? answer.body() + "\n" : text.status(problems));
        out.flush();
        return ServerOptions.exitCode(text.severity());
    }
}
