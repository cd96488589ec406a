package io.floodgate.gateway.queue;

import io.floodgate.topics.json.MemberWalk;

/** A queue's status as its log published it; of two, the one with the higher version is the newer. */
public record PublishedStatus(String name, long version, boolean known, byte[] json) {
    static PublishedStatus read(byte[] json) {
        String name = "";
        long version = 0;
        boolean known = false;
        MemberWalk members = new MemberWalk(json);
        while (members.next()) {
            if (members.nameIs("name")) name = members.text();
            else if (members.nameIs("version")) version = Long.parseLong(members.text());
            else if (members.nameIs("created_at")) known = true;
        }
        return new PublishedStatus(name, version, known, json);
    }

    public long number(String name) {
        return MemberWalk.text(json, name).map(Long::parseLong).orElse(0L);
    }
}
