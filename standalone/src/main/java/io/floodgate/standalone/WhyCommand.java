package io.floodgate.standalone;

import java.io.PrintStream;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks a running server for an explanation, and prints it. */
@Command(
        name = "why",
        description =
                "Explains why a queue, a job, a workflow, a rate limit, a schedule, a tenant, a worker or the server stands as it does, and what to do.",
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
                .addSubcommand(new OfQueue())
                .addSubcommand(new OfJob())
                .addSubcommand(new OfLimit())
                .addSubcommand(new OfSchedule())
                .addSubcommand(new OfTenant())
                .addSubcommand(new OfWorker())
                .addSubcommand(new OfWorkflow())
                .addSubcommand(new OfSystem());
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

    abstract static class Ask implements Callable<Integer> {
        @Mixin
        Target target = new Target();

        abstract String path();

        @Override
        public Integer call() {
            return target.print(path(), System.out, System.err);
        }

        static String encoded(String name) {
            return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        }
    }

    @Command(name = "queue", description = "Why a queue is full, grows or stands still.")
    static final class OfQueue extends Ask {
        @Parameters(paramLabel = "NAME", description = "Name of the queue.")
        String name = "";

        @Override
        String path() {
            return "/ojs/v1/queues/%s/explain".formatted(encoded(name));
        }
    }

    @Command(name = "job", description = "Why a job does not run, who runs it, or how it ended.")
    static final class OfJob extends Ask {
        @Parameters(paramLabel = "ID", description = "Id of the job.")
        String id = "";

        @Override
        String path() {
            return "/ojs/v1/jobs/%s/explain".formatted(encoded(id));
        }
    }

    @Command(name = "limit", description = "Why jobs of a rate limit do not start.")
    static final class OfLimit extends Ask {
        @Parameters(paramLabel = "KEY", description = "Key of the rate limit; 'queue:NAME' for that of a queue.")
        String key = "";

        @Override
        String path() {
            return "/ojs/v1/rate-limits/%s/explain".formatted(encoded(key));
        }
    }

    @Command(name = "schedule", description = "Why a schedule does not run, and when it is due next.")
    static final class OfSchedule extends Ask {
        @Parameters(paramLabel = "NAME", description = "Name of the schedule.")
        String name = "";

        @Override
        String path() {
            return "/ojs/v1/cron/%s/explain".formatted(encoded(name));
        }
    }

    @Command(name = "tenant", description = "Whether a tenant is at its bounds, or fills queues that it shares.")
    static final class OfTenant extends Ask {
        @Parameters(paramLabel = "ID", description = "Id of the tenant.")
        String id = "";

        @Override
        String path() {
            return "/ojs/v1/admin/tenants/%s/explain".formatted(encoded(id));
        }
    }

    @Command(name = "worker", description = "Whether a worker is lost, silent or stuck, and which jobs it has.")
    static final class OfWorker extends Ask {
        @Parameters(paramLabel = "ID", description = "Id of the worker.")
        String id = "";

        @Override
        String path() {
            return "/ojs/v1/admin/workers/%s/explain".formatted(encoded(id));
        }
    }

    @Command(name = "workflow", description = "Why a workflow does not go on: the one reason of each of its steps.")
    static final class OfWorkflow extends Ask {
        @Parameters(paramLabel = "ID", description = "Id of the workflow.")
        String id = "";

        @Override
        String path() {
            return "/ojs/v1/workflows/%s/explain".formatted(encoded(id));
        }
    }

    @Command(name = "system", description = "Whether the server as a whole is well.")
    static final class OfSystem extends Ask {
        @Override
        String path() {
            return "/ojs/v1/admin/explain";
        }
    }
}
