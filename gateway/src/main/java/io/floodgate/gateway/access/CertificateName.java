package io.floodgate.gateway.access;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;

/** A name of a client's certificate, as a key is bound to it: its subject, {@code DNS:…} or {@code URI:…}. */
final class CertificateName {
    private static final String DNS = "DNS:";
    private static final String URI = "URI:";
    private static final int DNS_TYPE = 2;
    private static final int URI_TYPE = 6;

    private CertificateName() {}

    /** Returns the name such that equal names are equal texts; nothing if it is no name. */
    static Optional<String> parse(String text) {
        if (text.startsWith(URI) && text.length() > URI.length()) return Optional.of(text);
        if (text.startsWith(DNS) && text.length() > DNS.length())
            return Optional.of(DNS + text.substring(DNS.length()).toLowerCase(Locale.ROOT));
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(subject(new X500Principal(text)));
        } catch (IllegalArgumentException noSubject) {
            return Optional.empty();
        }
    }

    private static String subject(X500Principal subject) {
        return subject.getName(X500Principal.CANONICAL);
    }

    /** Returns all names of the certificate: its subject first. */
    static List<String> of(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        names.add(subject(certificate.getSubjectX500Principal()));
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            for (List<?> one : alternatives == null ? List.<List<?>>of() : alternatives) {
                if (one.getFirst().equals(DNS_TYPE))
                    names.add(DNS + one.get(1).toString().toLowerCase(Locale.ROOT));
                if (one.getFirst().equals(URI_TYPE)) names.add(URI + one.get(1));
            }
        } catch (CertificateParsingException malformed) {
            return names;
        }
        return names;
    }
}
