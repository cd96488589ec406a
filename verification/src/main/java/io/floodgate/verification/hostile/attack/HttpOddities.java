package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** What a proxy in front may read otherwise than the server behind it. */
public final class HttpOddities implements Attack {
    private static final Duration SILENCE = Duration.ofMillis(1_500);
    private static final String JOB = "{\"type\":\"a.b\",\"args\":[]}";
    private static final String POST =
            "POST /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n";
    private static final String LENGTH = "%x".formatted(JOB.length());

    /** @param closes whether the connection must be ended after the answer */
    private record Oddity(String what, String request, Set<Integer> statuses, boolean closes) {}

    @Override
    public String name() {
        return "http-oddities";
    }

    @Override
    public String what() {
        return "HTTP/1.0, Connection: close, chunks that end oddly, two lengths: one answer each, and the right one";
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
        List<Oddity> oddities = oddities();
        for (Oddity oddity : oddities) check(oddity, target);
        target.note("%d oddities".formatted(oddities.size()));
    }

    private static List<Oddity> oddities() {
        String length = "Content-Length: %d\r\n".formatted(JOB.length());
        return List.of(
                new Oddity("GET by HTTP/1.0", "GET /health HTTP/1.0\r\n\r\n", Set.of(200), true),
                new Oddity(
                        "POST by HTTP/1.0",
                        "POST /ojs/v1/jobs HTTP/1.0\r\nContent-Type: application/json\r\n%s\r\n%s"
                                .formatted(length, JOB),
                        Set.of(201),
                        true),
                new Oddity(
                        "HTTP/1.0 with keep-alive, as proxies have it",
                        "GET /health HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n",
                        Set.of(200),
                        false),
                new Oddity(
                        "Connection: close",
                        "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                        Set.of(200),
                        true),
                new Oddity(
                        "Connection: close, with a body",
                        POST + "Connection: close\r\n" + length + "\r\n" + JOB,
                        Set.of(201),
                        true),
                new Oddity("a chunk", CHUNKED + "\r\n" + LENGTH + "\r\n" + JOB + "\r\n0\r\n\r\n", Set.of(201), false),
                new Oddity(
                        "a chunk that does not end with CRLF",
                        CHUNKED + "\r\n" + LENGTH + "\r\n" + JOB + "XX0\r\n\r\n",
                        Set.of(400),
                        true),
                new Oddity(
                        "a chunk with an extension",
                        CHUNKED + "\r\n" + LENGTH + ";a=b\r\n" + JOB + "\r\n0\r\n\r\n",
                        Set.of(201, 400),
                        false),
                new Oddity(
                        "trailers",
                        CHUNKED + "\r\n" + LENGTH + "\r\n" + JOB + "\r\n0\r\nX-Trailer: 1\r\n\r\n",
                        Set.of(201, 400),
                        false),
                new Oddity("a chunk of no hexadecimal length", CHUNKED + "\r\nxyz\r\n" + JOB, Set.of(400), true),
                new Oddity(
                        "a length and chunks",
                        CHUNKED + length + "\r\n" + LENGTH + "\r\n" + JOB + "\r\n0\r\n\r\n",
                        Set.of(400),
                        true),
                new Oddity("two lengths", POST + length + "Content-Length: 5\r\n\r\n" + JOB, Set.of(400), true),
                new Oddity("no Host", "GET /health HTTP/1.1\r\n\r\n", Set.of(400), true));
    }

    private static void check(Oddity oddity, Target target) throws IOException {
        try (RawConnection connection = RawConnection.open(target).send(oddity.request)) {
            String heard = connection.readFor(SILENCE);
            int answers = heard.split("HTTP/1\\.[01] \\d", -1).length - 1;
            int status = heard.length() < 12 ? 0 : number(heard.substring(9, 12));
            target.complainUnless(
                    answers == 1 && oddity.statuses.contains(status),
                    "%s: %d answers, the first is %s".formatted(oddity.what, answers, firstLine(heard)));
            if (oddity.closes && answers > 0)
                target.complainUnless(
                        connection.ends(SILENCE), oddity.what + ": the connection stays open after the answer");
        }
    }

    private static int number(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    private static String firstLine(String heard) {
        int end = heard.indexOf('\r');
        return end < 0 ? "nothing" : heard.substring(0, end);
    }
}
