package io.floodgate.webhook;

import io.floodgate.topics.webhook.WebhookUrl;
import io.floodgate.webhook.WebhookAnswer.Failed;
import io.floodgate.webhook.WebhookAnswer.Kind;
import java.io.InterruptedIOException;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;

/** What the failures of the HTTP client mean. Messages have no paths and queries, where some receivers have their secrets. */
final class PostFailures {
    private static final int MAX_MESSAGE = 200;

    private PostFailures() {}

    static String name(WebhookUrl target) {
        return target.host() + ':' + target.port();
    }

    static Failed of(Exception e, WebhookUrl target, Duration timeout) {
        if (e instanceof UnknownHostException)
            return new Failed(Kind.DNS, "the host " + target.host() + " has no address");
        if (e instanceof InterruptedIOException) return WebhookEndpoint.late(timeout);
        if (e instanceof SSLException)
            return new Failed(Kind.TLS, "no secure connection to " + name(target) + ": " + reason(e));
        boolean isBadChunk = e instanceof MalformedChunkCodingException && !(e instanceof TruncatedChunkException);
        boolean isProtocol = isBadChunk
                || e instanceof HttpException
                || e instanceof ClientProtocolException
                || e instanceof MessageConstraintException;
        if (isProtocol)
            return new Failed(Kind.PROTOCOL, "the answer of " + name(target) + " is not valid: " + reason(e));
        return new Failed(Kind.CONNECTION, "no answer of " + name(target) + ": " + reason(e));
    }

    private static String reason(Exception e) {
        Throwable first = e;
        while (first.getCause() != null) first = first.getCause();
        String message = first.getMessage() == null ? first.getClass().getSimpleName() : first.getMessage();
        String printable = message.replaceAll("[^\\x20-\\x7e]+", " ");
        return printable.length() > MAX_MESSAGE ? printable.substring(0, MAX_MESSAGE) : printable;
    }
}
