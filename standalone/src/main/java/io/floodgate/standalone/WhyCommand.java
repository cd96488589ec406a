package io.floodgate.standalone;

import java.io.PrintStream;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks a running server for an explanation, and prints it. */
@Command(
        name = "why",
        description =
                "Explains why a queue, a job, a workflow, a rate limit, a schedule, a source, a tenant, a worker or the server stands as it does, and what to do.",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing has to be done",
            "1:a warning",
            "2:a problem, or a wrong command line",
            "3:no answer, or the server rejected the request",
            "4:there is nothing of this name"
        })
final class WhyCommand {
    private static final String SEVERITY = "Floodgate-Severity";

    private WhyCommand() {}

    static CommandLine commandLine() {
        return new CommandLine(new WhyCommand())
                .addSubcommand(Ask.about(
                        "queue", "queues/%s", "NAME:Name of the queue.", "Why a queue is full, grows or stands still."))
                .addSubcommand(Ask.about(
                        "job", "jobs/%s", "ID:Id of the job.", "Why a job does not run, who runs it, or how it ended."))
                .addSubcommand(Ask.about(
                        "limit",
                        "rate-limits/%s",
                        "KEY:Key of the rate limit; 'queue:NAME' for that of a queue.",
                        "Why jobs of a rate limit do not start."))
                .addSubcommand(Ask.about(
                        "schedule",
                        "cron/%s",
                        "NAME:Name of the schedule.",
                        "Why a schedule does not run, and when it is due next."))
                .addSubcommand(Ask.about(
                        "source",
                        "admin/sources/%s",
                        "NAME:Name of the source.",
                        "Whether the records of a source come in, and what they wait for."))
                .addSubcommand(Ask.about(
                        "tenant",
                        "admin/tenants/%s",
                        "ID:Id of the tenant.",
                        "Whether a tenant is at its bounds, or fills queues that it shares."))
                .addSubcommand(Ask.about(
                        "worker",
                        "admin/workers/%s",
                        "ID:Id of the worker.",
                        "Whether a worker is lost, silent or stuck, and which jobs it has."))
                .addSubcommand(Ask.about(
                        "workflow",
                        "workflows/%s",
                        "ID:Id of the workflow.",
                        "Why a workflow does not go on: the one reason of each of its steps."))
                .addSubcommand(Ask.about("system", "admin", "", "Whether the server as a whole is well."));
    }

    /** Options for the server, the caller, and the form of the answer. */
    static final class Target {
        @Mixin
        ServerOptions server = new ServerOptions();

        @Option(names = "--json", description = "Prints the explanation as JSON.")
        boolean json;

        @Option(names = "--markdown", description = "Prints the explanation as Markdown.")
        boolean markdown;

        private String format() {
            return json ? "json" : markdown ? "markdown" : "text";
        }

        int print(String path, PrintStream out, PrintStream err) {
            HttpResponse<String> answer = server.ask("%s?format=%s".formatted(path, format()), err);
            if (answer == null) return ServerOptions.NO_ANSWER;
            String severity = answer.headers().firstValue(SEVERITY).orElse("");
            boolean isUnknown = answer.statusCode() == 404;
            boolean isExplained = !severity.isEmpty() || (isUnknown && json);
            if (!isExplained) {
                server.complain(answer, err);
                return ServerOptions.NO_ANSWER;
            }
            out.print(json ? answer.body() : server.completed(answer.body()));
            if (json) out.println();
            out.flush();
            return isUnknown ? ServerOptions.UNKNOWN : ServerOptions.exitCode(severity);
        }
    }

    /** A kind of thing that can be asked about. */
    private static final class Ask implements Callable<Integer> {
        private final String path;

        @Mixin
        Target target = new Target();

        @Parameters
        String name = "";

        private Ask(String path) {
            this.path = path;
        }

        /**
         * @param path of the thing, with a place for its name
         * @param name label and description of the name; empty if there is only one such thing
         */
        static CommandLine about(String kind, String path, String name, String description) {
            CommandSpec spec = CommandSpec.forAnnotatedObject(new Ask(path)).name(kind);
            spec.usageMessage().description(description);
            PositionalParamSpec unnamed = spec.positionalParameters().getFirst();
            spec.remove(unnamed);
            int colon = name.indexOf(':');
            if (colon > 0)
                spec.addPositional(PositionalParamSpec.builder(unnamed)
                        .paramLabel(name.substring(0, colon))
                        .description(name.substring(colon + 1))
                        .build());
            return new CommandLine(spec);
        }

        @Override
        public Integer call() {
            String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
            return target.print("/ojs/v1/%s/explain".formatted(path.formatted(encoded)), System.out, System.err);
        }
    }
}
