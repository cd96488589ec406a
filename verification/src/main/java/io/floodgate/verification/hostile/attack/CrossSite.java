package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/** What a page in a developer's browser can do to a server on the same machine. */
public final class CrossSite implements Attack {
    private static final Duration SILENCE = Duration.ofMillis(1_500);
    private static final String JOB = "{\"type\":\"a.b\",\"args\":[]}";
    private static final String FOREIGN = "Origin: https://evil.example\r\n";

    @Override
    public String name() {
        return "cross-site";
    }

    @Override
    public String what() {
        return "requests as foreign pages send them: without a content type, with another host, with an origin";
    }

    @Override
    public boolean leavesTraces() {
        return false;
    }

    @Override
    public boolean canBeRepeated() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        String body = "Content-Length: %d\r\n\r\n%s".formatted(JOB.length(), JOB);
        rejected(target, "a job without a content type", "POST /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\n" + body);
        rejected(
                target,
                "a job as text/plain",
                "POST /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n" + body);
        rejected(
                target,
                "a pause without a body from a foreign page",
                "POST /ojs/v1/queues/default/pause HTTP/1.1\r\nHost: localhost\r\n" + FOREIGN
                        + "Content-Length: 0\r\n\r\n");
        rejected(
                target,
                "a name that was bound to this address a moment ago",
                "GET /ojs/v1/queues HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        String preflight = answer(
                target,
                "OPTIONS /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\n" + FOREIGN
                        + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n");
        target.complainUnless(
                !preflight.toLowerCase(Locale.ROOT).contains("access-control-allow-origin"),
                "a foreign page is allowed to do what it likes");
        String read = answer(target, "GET /ojs/v1/queues HTTP/1.1\r\nHost: localhost\r\n" + FOREIGN + "\r\n");
        target.complainUnless(
                !read.toLowerCase(Locale.ROOT).contains("access-control-allow-origin"),
                "a foreign page may read queues");
    }

    private static void rejected(Target target, String what, String request) throws IOException {
        String heard = answer(target, request);
        target.complainUnless(
                heard.startsWith("HTTP/1.1 4"),
                "%s was answered %s".formatted(what, heard.substring(0, Math.min(12, heard.length()))));
    }

    private static String answer(Target target, String request) throws IOException {
        try (RawConnection connection = RawConnection.open(target).send(request)) {
            return connection.readFor(SILENCE);
        }
    }
}
