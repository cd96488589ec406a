package io.floodgate.standalone;

import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Sends many requests to a server, and gives it the time that it asks for. All of them can be sent twice: so a server that
 * restarts is waited for, too.
 */
final class ServerClient implements AutoCloseable {
    private static final int TRIES = 30;
    private static final long MOST_SECONDS = 60;
    /** A batch of a partition that is busy takes longer than a question. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ServerOptions server;
    private final PrintStream err;
    private final HttpClient http;
    private volatile boolean hasAnswered;
    private volatile String said = "";

    ServerClient(ServerOptions server, PrintStream err) {
        this.server = server;
        this.err = err;
        http = server.client();
    }

    HttpResponse<byte[]> get(String path) {
        return send(server.request(path));
    }

    HttpResponse<byte[]> post(String path, byte[] body) {
        return send("POST", path, body);
    }

    HttpResponse<byte[]> put(String path, byte[] body) {
        return send("PUT", path, body);
    }

    private HttpResponse<byte[]> send(String method, String path, byte[] body) {
        return send(server.request(path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofByteArray(body)));
    }

    /** Ends the command: the server will not do what it needs. */
    CommandErrors.Rejection rejected(HttpResponse<byte[]> answer) {
        return new CommandErrors.Rejection("%s answered with status %d: %s"
                .formatted(
                        server.base(), answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8).strip()));
    }

    byte[] ok(HttpResponse<byte[]> answer) {
        if (answer.statusCode() >= 300) throw rejected(answer);
        return answer.body();
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) {
        HttpRequest built = request.timeout(PATIENCE).build();
        int tries = 0;
        while (true) {
            try {
                HttpResponse<byte[]> answer = http.send(built, BodyHandlers.ofByteArray());
                hasAnswered = true;
                long seconds = seconds(answer);
                if (seconds < 0) return answer;
                say("waiting: " + Backup.message(answer.body()));
                TimeUnit.SECONDS.sleep(Math.clamp(seconds, 1, MOST_SECONDS));
            } catch (IOException e) {
                // A wrong address is not waited for.
                if (!hasAnswered || ++tries == TRIES) throw new CommandErrors.Rejection(server.noAnswer(e));
                say("waiting: " + server.noAnswer(e));
                sleepASecond();
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
    }

    /** How long the server wants to be left alone; below 0 if this is its answer. */
    private static long seconds(HttpResponse<byte[]> answer) {
        boolean isLater = answer.statusCode() == 429 || answer.statusCode() == 503;
        return isLater ? answer.headers().firstValueAsLong("Retry-After").orElse(-1) : -1;
    }

    private static void sleepASecond() {
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    static CommandErrors.Rejection interrupted() {
        Thread.currentThread().interrupt();
        return new CommandErrors.Rejection("interrupted");
    }

    /** Once for each reason: a full queue can take hours. */
    private void say(String line) {
        if (line.equals(said)) return;
        said = line;
        err.println("floodgate: " + line);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
