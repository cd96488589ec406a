package io.floodgate.processor.queue;

import io.floodgate.topics.JobId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ready jobs of one priority in the order of their places: 24 bytes a job, so that a backlog of millions fits in
 * memory.
 *
 * <pre>
 *   places  [ 17 | 18 |  . | 21 | 22 ]      a job that left from the middle leaves a gap (low == 0),
 *             ^head                ^tail    which polling steps over and growing squeezes out
 * </pre>
 *
 * Jobs almost always come in at the tail; one that is given back goes to its old place, which is near the head.
 */
final class Ring {
    private long[] places = new long[16];
    private long[] highs = new long[16];
    private long[] lows = new long[16];
    private int head;
    private int tail;
    private int live;

    int size() {
        return live;
    }

    void add(long place, JobId job) {
        if (tail == places.length) makeRoom();
        int at = tail;
        if (tail > head && places[tail - 1] >= place) at = openGapFor(place);
        else tail++;
        places[at] = place;
        highs[at] = job.high();
        lows[at] = job.low();
        live++;
    }

    @Nullable
    JobId first() {
        skipGaps();
        return head == tail ? null : new JobId(highs[head], lows[head]);
    }

    boolean remove(long place) {
        int at = Arrays.binarySearch(places, head, tail, place);
        if (at < 0 || lows[at] == 0) return false;
        lows[at] = 0;
        live--;
        return true;
    }

    private void skipGaps() {
        // A UUID's low half has its variant bits set: it is never zero.
        while (head < tail && lows[head] == 0) head++;
        if (head == tail) {
            head = 0;
            tail = 0;
        }
    }

    /** Where the place belongs, with everything before it moved one to the left, or everything behind to the right. */
    private int openGapFor(long place) {
        int at = Arrays.binarySearch(places, head, tail, place);
        if (at >= 0) return at; // its own old place, still a gap
        at = -at - 1;
        if (head > 0) {
            move(head, head - 1, at - head);
            head--;
            return at - 1;
        }
        move(at, at + 1, tail - at);
        tail++;
        return at;
    }

    private void move(int from, int to, int count) {
        System.arraycopy(places, from, places, to, count);
        System.arraycopy(highs, from, highs, to, count);
        System.arraycopy(lows, from, lows, to, count);
    }

    private void makeRoom() {
        if (live > places.length / 2) grow(places.length * 2);
        int to = 0;
        for (int from = head; from < tail; from++) {
            if (lows[from] == 0) continue;
            places[to] = places[from];
            highs[to] = highs[from];
            lows[to++] = lows[from];
        }
        head = 0;
        tail = to;
        // What a long backlog needed is given back when it is gone.
        if (places.length > 1024 && live < places.length / 8) grow(places.length / 4);
    }

    private void grow(int capacity) {
        places = Arrays.copyOf(places, capacity);
        highs = Arrays.copyOf(highs, capacity);
        lows = Arrays.copyOf(lows, capacity);
    }
}
