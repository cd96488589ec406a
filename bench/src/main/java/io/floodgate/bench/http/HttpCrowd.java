package io.floodgate.bench.http;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Very many keep-alive connections on one thread, each with one request under way at most: a crowd on threads of its own
 * would take from the server, on the same machine, what is to be measured.
 */
public final class HttpCrowd implements AutoCloseable {
    /** Takes what has come; exactly one of both is there. */
    @FunctionalInterface
    public interface Receiver {
        void received(int connection, @Nullable HttpResponse response, @Nullable IOException failure);
    }

    private static final int MOST_READ = 64 * 1024;
    private static final int USUAL_RESPONSE = 2_048;

    private final HttpTarget target;
    private final Selector selector = Selector.open();
    private final ByteBuffer read = ByteBuffer.allocateDirect(MOST_READ);
    private final List<Member> members = new ArrayList<>();

    private final class Member {
        private final int number;
        private final RequestWriter writer;
        private @Nullable SocketChannel channel;
        private ByteBuffer rest = ByteBuffer.allocate(0);
        private byte[] response = new byte[USUAL_RESPONSE];
        private int length;
        private boolean underWay;

        private Member(int number, RequestWriter writer) {
            this.number = number;
            this.writer = writer;
        }

        private void send(byte[] request) throws IOException {
            SocketChannel to = channel == null ? connect() : channel;
            rest = ByteBuffer.wrap(request);
            length = 0;
            underWay = true;
            write(to);
        }

        private SocketChannel connect() throws IOException {
            SocketChannel opened = SocketChannel.open();
            try {
                opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
                opened.connect(new InetSocketAddress(target.host(), target.port()));
                opened.configureBlocking(false);
                opened.register(selector, SelectionKey.OP_READ, this);
            } catch (IOException e) {
                opened.close();
                throw new NotConnected(target, e);
            }
            channel = opened;
            return opened;
        }

        private void write(SocketChannel to) throws IOException {
            to.write(rest);
            to.keyFor(selector).interestOps(rest.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }

        /** The response, if that is all of it. */
        private @Nullable HttpResponse read(SocketChannel from) throws IOException {
            read.clear();
            int got = from.read(read);
            if (got < 0) throw new EOFException("the server has closed the connection");
            if (length + got > response.length) response = Arrays.copyOf(response, 2 * (length + got));
            read.flip().get(response, length, got);
            length += got;
            try {
                HttpResponse complete =
                        new ResponseReader(new ByteArrayInputStream(response, 0, length), USUAL_RESPONSE).read();
                underWay = false;
                if (!complete.keptAlive()) close();
                return complete;
            } catch (EOFException more) {
                return null;
            }
        }

        private void close() {
            underWay = false;
            SocketChannel closing = channel;
            channel = null;
            if (closing == null) return;
            try {
                closing.close();
            } catch (IOException e) {
                // there is nothing left to do for it
            }
        }
    }

    public HttpCrowd(HttpTarget target) throws IOException {
        this.target = target;
    }

    /** One more connection, which is opened with its first request: its number. */
    public int add(Map<String, String> headers) {
        members.add(new Member(members.size(), new RequestWriter(target, headers)));
        return members.size() - 1;
    }

    /** To be called when the response to the last request of the connection has come. */
    public void send(int connection, String method, String path, byte[] body) throws IOException {
        Member member = members.get(connection);
        try {
            member.send(member.writer.write(method, path, body, Map.of()));
        } catch (IOException e) {
            member.close();
            throw e;
        }
    }

    /** Waits until answers come, at most this long, and hands them over. */
    public void receive(long millis, Receiver receiver) throws IOException {
        if (millis <= 0) selector.selectNow();
        else selector.select(millis);
        for (SelectionKey key : selector.selectedKeys()) {
            Member member = (Member) key.attachment();
            SocketChannel channel = member.channel;
            if (channel == null || !key.isValid()) continue;
            try {
                if (key.isWritable()) member.write(channel);
                HttpResponse response = key.isReadable() ? member.read(channel) : null;
                if (response != null) receiver.received(member.number, response, null);
            } catch (IOException failure) {
                boolean waited = member.underWay;
                member.close();
                // A server may close connections that are idle for long.
                if (waited) receiver.received(member.number, null, failure);
            }
        }
        selector.selectedKeys().clear();
    }

    @Override
    public void close() {
        members.forEach(Member::close);
        try {
            selector.close();
        } catch (IOException e) {
            // there is nothing left to do for it
        }
    }
}
