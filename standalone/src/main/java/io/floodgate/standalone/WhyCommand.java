package io.floodgate.standalone;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks a running server for an explanation, and prints it. */
@Command(
        name = "why",
        description =
                "Explains why a queue, a job, a workflow, a rate limit, a schedule, a worker or the server stands as it does, and what to do.",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing has to be done",
            "1:a warning, or there is nothing of this name",
            "2:a problem, or a wrong command line",
            "3:no answer, or the server rejected the request"
        })
final class WhyCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String SEVERITY = "Floodgate-Severity";

    private static final int WARNING = 1;
    private static final int PROBLEM = 2;
    private static final int NO_ANSWER = 3;

    private WhyCommand() {}

    static CommandLine commandLine() {
        return new CommandLine(new WhyCommand())
                .addSubcommand(new OfQueue())
                .addSubcommand(new OfJob())
                .addSubcommand(new OfLimit())
                .addSubcommand(new OfSchedule())
                .addSubcommand(new OfWorker())
                .addSubcommand(new OfWorkflow())
                .addSubcommand(new OfSystem());
    }

    /** Where the server is, who asks, and in which form. */
    static final class Target {
        @Option(
                names = "--url",
                paramLabel = "URL",
                defaultValue = "${env:OJS_URL:-http://localhost:8080}",
                description = "Address of the gateway; also OJS_URL. Default: ${DEFAULT-VALUE}")
        String url = "";

        @Option(
                names = "--key",
                paramLabel = "KEY",
                defaultValue = "${env:OJS_AUTH_TOKEN:-}",
                description = "API key with the scope observe; better in OJS_AUTH_TOKEN, which ps does not show.")
        @Nullable
        String key;

        @Option(names = "--key-file", paramLabel = "FILE", description = "File that contains the API key.")
        @Nullable
        Path keyFile;

        @Option(names = "--json", description = "Prints the explanation as JSON.")
        boolean json;

        @Option(names = "--markdown", description = "Prints the explanation as Markdown.")
        boolean markdown;

        private String format() {
            return json ? "json" : markdown ? "markdown" : "text";
        }

        private String secret() {
            if (keyFile != null) {
                try {
                    return Files.readString(keyFile).strip();
                } catch (IOException e) {
                    throw new CommandErrors.Rejection("cannot read the key file " + keyFile);
                }
            }
            return key == null ? "" : key;
        }

        int print(String path, PrintStream out, PrintStream err) {
            String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
            HttpResponse<String> answer;
            try (HttpClient http =
                    HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
                HttpRequest.Builder request = HttpRequest.newBuilder(
                                URI.create("%s%s?format=%s".formatted(base, path, format())))
                        .timeout(PATIENCE);
                if (!secret().isEmpty()) request.header("Authorization", "Bearer " + secret());
                answer = http.send(request.build(), BodyHandlers.ofString());
            } catch (IOException e) {
                err.println("floodgate: no answer from %s: %s"
                        .formatted(base, e.getMessage() == null ? "it cannot be reached" : e.getMessage()));
                return NO_ANSWER;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return NO_ANSWER;
            } catch (IllegalArgumentException e) {
                throw new CommandErrors.Rejection("'%s' is no address of a server".formatted(url));
            }
            String severity = answer.headers().firstValue(SEVERITY).orElse("");
            boolean isUnknown = answer.statusCode() == 404;
            boolean isExplained = !severity.isEmpty() || (isUnknown && json);
            if (!isExplained) {
                err.println("floodgate: %s answered with status %d:".formatted(base, answer.statusCode()));
                err.println(answer.body());
                return NO_ANSWER;
            }
            out.print(answer.body());
            if (json) out.println();
            out.flush();
            if (isUnknown) return WARNING;
            return switch (severity) {
                case "problem" -> PROBLEM;
                case "warning" -> WARNING;
                default -> 0;
            };
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
