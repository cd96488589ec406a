package io.floodgate.client;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The beginning of a body: an error fits into it, and whatever else a server may send does no harm. */
final class LimitedBody implements BodySubscriber<byte[]> {
    private static final int MOST_BYTES = 64 * 1024;
    private static final int REDIRECTION = 300;

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final int most;

    private LimitedBody(int most) {
        this.most = most;
    }

    /** Returns a reader of failures. A success is not read: all that matters is in the headers. */
    static BodyHandler<byte[]> ofFailures() {
        return response -> new LimitedBody(response.statusCode() < REDIRECTION ? 0 : MOST_BYTES);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[Math.min(buffer.remaining(), most - read.size())];
            buffer.get(bytes);
            read.write(bytes, 0, bytes.length);
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(read.toByteArray());
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }
}
