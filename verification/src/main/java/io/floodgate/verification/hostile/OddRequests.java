package io.floodgate.verification.hostile;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** RequestSender as they are on the wire, with the one answer that each has to get. */
final class OddRequests {
    /**
     * @param request where a bar stands for the end of a line
     * @param status a pattern
     * @param closes whether the connection must be ended after the answer
     */
    private record Odd(String what, String request, String status, boolean closes) {
        Odd(String what, String request, String status) {
            this(what, request, status, false);
        }
    }

    private static final Duration SILENCE = Duration.ofMillis(1_500);

    private static final String JOB = "{\"type\":\"a.b\",\"args\":[]}";
    private static final String LENGTH = "Content-Length: %d|".formatted(JOB.length());
    private static final String JSON = "Content-Type: application/json|";
    private static final String HOST = "Host: localhost|";
    private static final String POST = "POST /ojs/v1/jobs HTTP/1.1|" + HOST;
    private static final String CHUNKED = POST + JSON + "Transfer-Encoding: chunked|";
    private static final String HEX = Integer.toHexString(JOB.length());
    private static final String FOREIGN = HOST + "Origin: https://evil.example|";

    /** What a proxy in front may read otherwise than the server behind it. */
    private static final List<Odd> OF_PROXIES = List.of(
            new Odd("GET by HTTP/1.0", "GET /health HTTP/1.0||", "200", true),
            new Odd("POST by HTTP/1.0", "POST /ojs/v1/jobs HTTP/1.0|" + JSON + LENGTH + "|" + JOB, "201", true),
            new Odd("HTTP/1.0 of proxies", "GET /health HTTP/1.0|" + HOST + "Connection: keep-alive||", "200"),
            new Odd("Connection: close", "GET /health HTTP/1.1|" + HOST + "Connection: close||", "200", true),
            new Odd("a last body", POST + JSON + "Connection: close|" + LENGTH + "|" + JOB, "201", true),
            new Odd("a chunk", CHUNKED + "|" + HEX + "|" + JOB + "|0||", "201"),
            new Odd("a chunk that does not end with CRLF", CHUNKED + "|" + HEX + "|" + JOB + "XX0||", "400", true),
            new Odd("a chunk with an extension", CHUNKED + "|" + HEX + ";a=b|" + JOB + "|0||", "201|400"),
            new Odd("trailers", CHUNKED + "|" + HEX + "|" + JOB + "|0|X-Trailer: 1||", "201|400"),
            new Odd("a chunk of no hexadecimal length", CHUNKED + "|xyz|" + JOB, "400", true),
            new Odd("a length and chunks", CHUNKED + LENGTH + "|" + HEX + "|" + JOB + "|0||", "400", true),
            new Odd("two lengths", POST + JSON + LENGTH + "Content-Length: 5||" + JOB, "400", true),
            new Odd("no Host", "GET /health HTTP/1.1||", "400", true));

    /** What a page in a developer's browser can do to a server on the same machine. */
    private static final List<Odd> OF_FOREIGN_PAGES = List.of(
            new Odd("a job without a content type", POST + LENGTH + "|" + JOB, "4.."),
            new Odd("a job as text/plain", POST + "Content-Type: text/plain|" + LENGTH + "|" + JOB, "4.."),
            new Odd(
                    "a pause without a body",
                    "POST /ojs/v1/queues/default/pause HTTP/1.1|" + FOREIGN + "Content-Length: 0||",
                    "4.."),
            new Odd("a name that was bound to this address", "GET /ojs/v1/queues HTTP/1.1|Host: evil.example||", "4.."),
            new Odd(
                    "a preflight",
                    "OPTIONS /ojs/v1/jobs HTTP/1.1|" + FOREIGN
                            + "Access-Control-Request-Method: POST|Access-Control-Request-Headers: content-type||",
                    "..."),
            new Odd("a look at queues", "GET /ojs/v1/queues HTTP/1.1|" + FOREIGN + "|", "..."));

    private OddRequests() {}

    static void ofProxies(Target target) throws IOException {
        for (Odd odd : OF_PROXIES) check(odd, target);
    }

    static void ofForeignPages(Target target) throws IOException {
        for (Odd odd : OF_FOREIGN_PAGES) check(odd, target);
    }

    private static void check(Odd odd, Target target) throws IOException {
        try (RawConnection connection = RawConnection.open(target).send(odd.request.replace("|", "\r\n"))) {
            String heard = connection.readFor(SILENCE);
            int answers = heard.split("HTTP/1\\.[01] \\d", -1).length - 1;
            String first = heard.lines().findFirst().orElse("nothing");
            target.complainUnless(
                    answers == 1 && first.matches("HTTP/1\\.[01] (" + odd.status + ")\\b.*"),
                    "%s: %d answers, the first is %s".formatted(odd.what, answers, first));
            target.complainUnless(
                    !heard.toLowerCase(Locale.ROOT).contains("access-control-allow-origin"),
                    odd.what + ": a foreign page is allowed to read the answer");
            if (odd.closes && answers > 0)
                target.complainUnless(
                        connection.ends(SILENCE), odd.what + ": the connection stays open after the answer");
        }
    }
}
