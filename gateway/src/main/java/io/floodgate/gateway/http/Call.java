package io.floodgate.gateway.http;

import io.floodgate.gateway.access.ApiPrincipal;
import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One HTTP request, as operations want to see it. */
public final class Call {
    private final ServerRequest request;
    private final String requestId;
    private final Map<String, String> parameters;
    private final int maxBody;
    private final MemoryBudget.Share share;
    private LargeAnswers.@Nullable Turn turn;
    private @Nullable ApiPrincipal caller;
    private @Nullable Set<String> queries;
    private UnaryOperator<CommandClient> guard = UnaryOperator.identity();

    /** @param share what the request takes of the memory, for as long as it lasts */
    Call(
            ServerRequest request,
            String requestId,
            Map<String, String> parameters,
            int maxBody,
            MemoryBudget.Share share) {
        this.request = request;
        this.requestId = requestId;
        this.parameters = parameters;
        this.maxBody = maxBody;
        this.share = share;
    }

    /** Returns the principal that has sent the request. */
    public ApiPrincipal caller() {
        return Objects.requireNonNull(caller, "who calls was not asked");
    }

    /** Sends commands on behalf of the caller. */
    public CommandClient by(CommandClient client) {
        return guard.apply(client).by(caller().identity(), source());
    }

    /** Guards the commands of this call: from now on they go only where there is capacity for them. */
    void isGuardedBy(UnaryOperator<CommandClient> by) {
        guard = by;
    }

    /** Sends commands that only look, with no more rights than this process has itself: the caller has been checked. */
    public CommandClient from(CommandClient client) {
        return client.by(null, source());
    }

    /** The source of the request for fair shares of capacity: the key, or else the address. */
    public String source() {
        ApiPrincipal known = caller();
        if (known.identity() != null) return known.source();
        Peer peer = peer();
        return peer == null ? "unknown" : peer.address();
    }

    void isFrom(ApiPrincipal identified) {
        caller = identified;
        share.isFrom(source());
    }

    /** Makes something of a body, without blocking. */
    public interface Reading<T, E extends Exception> {
        T read(byte[] body) throws RejectedException, E;
    }

    /** Returns the name of this request, which the caller has chosen, or else the gateway. */
    public String requestId() {
        return requestId;
    }

    /** The path as it was sent. */
    public String path() {
        return request.prologue().uriPath().rawPath();
    }

    /** A parameter of the route's path. */
    public String parameter(String name) {
        return Objects.requireNonNull(parameters.get(name), name);
    }

    public @Nullable String header(HeaderName name) {
        return request.headers().first(name).orElse(null);
    }

    /** The headers whose names begin so, by the rest of their names in lower case. */
    public Map<String, String> headers(String prefix) {
        Map<String, String> found = new TreeMap<>();
        for (Header header : request.headers())
            if (header.headerName().lowerCase().startsWith(prefix))
                found.put(header.headerName().lowerCase().substring(prefix.length()), header.values());
        return found;
    }

    /** Returns whether the body is of this media type. */
    public boolean hasMediaType(String type) {
        String sent = header(HeaderNames.CONTENT_TYPE);
        return sent != null && RequestBody.isType(sent, type);
    }

    /** The first value of a query parameter that the route takes; an empty one counts as absent. */
    public Optional<String> query(String name) {
        if (queries != null && !queries.contains(name))
            throw new IllegalStateException("the description of the route lacks its query parameter " + name);
        return request.query().first(name).asOptional().filter(value -> !value.isEmpty());
    }

    /**
     * Rejects query parameters that the route does not take: a filter that is ignored would show too much, as if all of it
     * fitted.
     *
     * @param known those that it takes; none if it looks at no query
     */
    public void takesOnly(Set<String> known) throws RejectedException {
        queries = known;
        if (known.isEmpty()) return;
        for (String name : request.query().names())
            if (!known.contains(name) && !request.query().get(name).isEmpty())
                throw RequestFields.noParameter(name, known);
    }

    /** The peer at the other end; null outside of connections. */
    public @Nullable Peer peer() {
        return Peer.current();
    }

    /** The body; empty if there is none. */
    public byte[] body() throws RejectedException {
        return RequestBody.read(request, maxBody, share);
    }

    /** Reads the body; a large one by turns. */
    public <T, E extends Exception> T read(Reading<T, E> reading) throws RejectedException, E {
        return read(0, reading);
    }

    /**
     * Reads the body as {@link #read(Reading)} does, for what is kept for long.
     *
     * @param kept the bytes that stay in memory until the request ends, for each byte of the body
     */
    public <T, E extends Exception> T read(int kept, Reading<T, E> reading) throws RejectedException, E {
        return read(kept, body(), reading);
    }

    /** Reads a body as {@link #read(Reading)} does, of a media type that only this operation takes. */
    public <T, E extends Exception> T read(String mediaType, Reading<T, E> reading) throws RejectedException, E {
        return read(0, RequestBody.read(request, List.of(mediaType), maxBody, share), reading);
    }

    private <T, E extends Exception> T read(int kept, byte[] body, Reading<T, E> reading) throws RejectedException, E {
        // Before it costs any time: those who find no room may be many.
        keep((long) kept * body.length);
        return LargeRequests.read(body.length, () -> reading.read(body));
    }

    /** The members of the body, a JSON object. */
    public RequestFields json() throws RejectedException {
        return RequestFields.of(body());
    }

    /** Reads the body as {@link #json()} does, for operations that need none. */
    public RequestFields jsonIfAny() throws RejectedException {
        byte[] body = body();
        return body.length == 0 ? RequestFields.NONE : RequestFields.of(body);
    }

    /** Takes memory for what is kept of the request, beside its body, for as long as it lasts. */
    public void keep(long bytes) throws RejectedException {
        if (!share.grow(bytes)) throw noRoom("this request");
    }

    /** Takes memory for an answer before it is put together, and waits for its turn if it is a large one. */
    public void makeRoom(long bytes) throws RejectedException {
        if (!share.grow(bytes)) throw noRoom("the answer");
        awaitTurn(bytes);
    }

    /** Takes memory for what a partition has answered. */
    public void makeRoom(List<byte[]> lines) throws RejectedException {
        makeRoom(lines.stream().mapToLong(line -> line.length).sum());
    }

    /** Takes memory as {@link #makeRoom} does, for an answer that must be sent: its command is executed. */
    public void awaitTurn(long bytes) {
        if (turn == null && LargeAnswers.isLarge(bytes)) turn = LargeAnswers.turn();
    }

    /** Ends the call, which was answered, or has ended otherwise. */
    void end() {
        if (turn != null) turn.close();
    }

    static RejectedException noRoom(String what) {
        return new RejectedException(Rejection.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "There is no memory for %s now: other requests fill what there is. Nothing was done; try again"
                                        .formatted(what)
                                + " a little later, or with less at a time.")
                .with("outcome", "not_executed")
                .with("cause", "memory"));
    }
}
