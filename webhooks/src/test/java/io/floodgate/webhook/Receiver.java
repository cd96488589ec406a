package io.floodgate.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server of webhooks that may misbehave: its script writes to the socket what it wants. */
final class Receiver implements AutoCloseable {
    /** @param headers by name, in any case */
    record Request(String line, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, ISO_8859_1);
        }
    }

    /** Answers one request; a script that has closed the socket gets no more of them. */
    interface Script {
        void answer(Request request, Socket socket) throws Exception;
    }

    private final ServerSocket server;
    private final Script script;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Integer> accepted = new CopyOnWriteArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    Receiver(ServerSocket server, Script script) {
        this.server = server;
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    static Receiver at(String address, Script script) throws IOException {
        return at(address, 0, script);
    }

    static Receiver at(String address, int port, Script script) throws IOException {
        return new Receiver(new ServerSocket(port, 50, InetAddress.getByName(address)), script);
    }

    /** Answers with this status, these lines of headers and this body. */
    static Script answering(String status, String headers, String body) {
        return (request, socket) -> send(
                socket,
                "HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n" + headers + "\r\n" + body);
    }

    static Script ok() {
        return answering("200 OK", "", "ok");
    }

    static Script redirecting(int status, String location) {
        return answering(status + " Elsewhere", "Location: " + location + "\r\n", "");
    }

    static void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(ISO_8859_1));
        out.flush();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                accepted.add(socket.getPort());
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (!socket.isClosed()) {
                Request request = read(in);
                if (request == null) return;
                requests.add(request);
                script.answer(request, socket);
            }
        } catch (Exception e) {
            // The client has gone, or the test is over.
        }
    }

    private static Request read(InputStream in) throws IOException {
        String line = line(in);
        if (line.isEmpty()) return null;
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        return new Request(line, headers, in.readNBytes(Integer.parseInt(headers.getOrDefault("Content-Length", "0"))));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) if (c != '\r') line.append((char) c);
        return line.toString();
    }

    int port() {
        return server.getLocalPort();
    }

    String url(String host, String path) {
        return "http://" + host + ':' + port() + path;
    }

    String url() {
        return url(server.getInetAddress().getHostAddress(), "/hook");
    }

    List<Request> requests() {
        return requests;
    }

    /** Connections are accepted in their order: those that came before this one are in the count. */
    int connections() throws IOException {
        try (Socket last = new Socket(server.getInetAddress(), port())) {
            int port = last.getLocalPort();
            while (accepted.stream().noneMatch(each -> each == port)) Thread.onSpinWait();
            accepted.removeIf(each -> each == port);
        }
        return accepted.size();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) socket.close();
    }
}
