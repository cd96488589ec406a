package io.floodgate.gateway.http;

import io.floodgate.topics.client.RefusedException;
import io.helidon.http.HeaderName;
import io.helidon.webserver.http.ServerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One HTTP request, as operations want to see it. */
public final class Call {
    private final ServerRequest request;
    private final String requestId;
    private final BodyBudget.Share share;

    /** @param share what the body takes of the budget, for as long as the request lasts */
    Call(ServerRequest request, String requestId, BodyBudget.Share share) {
        this.request = request;
        this.requestId = requestId;
        this.share = share;
    }

    /** What the caller, or else we, named this request. */
    public String requestId() {
        return requestId;
    }

    public String path(String parameter) {
        return request.path().pathParameters().get(parameter);
    }

    public @Nullable String header(HeaderName name) {
        return request.headers().first(name).orElse(null);
    }

    /** The first value of a query parameter; an empty one counts as absent. */
    public Optional<String> query(String name) {
        return request.query().first(name).asOptional().filter(value -> !value.isEmpty());
    }

    /** The body, which must be there; a large one is refused while there is no room for it. */
    public byte[] body(int limit) throws RefusedException {
        return RequestBody.read(request, limit, share::growTo);
    }

    /** The members of the body, a JSON object of moderate size. There is always room: it may report finished work. */
    public RequestJson json() throws RefusedException {
        return RequestJson.of(moderateBody());
    }

    /** As {@link #json()}, for operations that need no body. */
    public RequestJson jsonIfAny() throws RefusedException {
        byte[] body = moderateBody();
        return body.length == 0 ? RequestJson.EMPTY : RequestJson.of(body);
    }

    private byte[] moderateBody() throws RefusedException {
        return RequestBody.read(request, RequestBody.MODERATE, size -> {
            share.growAnyway(size);
            return true;
        });
    }
}
