/* late DEVICE MILLIS: makes a TUN device, and sends back each packet that is routed to it after this time. */
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PACKETS 16384

static struct packet {
    long due;
    ssize_t length;
    char bytes[2048];
} ring[PACKETS];

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    int device = open("/dev/net/tun", O_RDWR);
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    strncpy(request.ifr_name, arguments[1], IFNAMSIZ - 1);
    if (device < 0 || ioctl(device, TUNSETIFF, &request) < 0) return perror("/dev/net/tun"), 1;
    puts("made");
    fflush(stdout);
    /* Its input is a pipe of the process that started it: it ends with that process. */
    struct pollfd from[] = {{.fd = device, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    unsigned first = 0, end = 0;
    for (;;) {
        while (first != end && ring[first % PACKETS].due <= now()) {
            struct packet *packet = &ring[first++ % PACKETS];
            if (write(device, packet->bytes, packet->length) < 0) perror("write");
        }
        if (poll(from, 2, first == end ? -1 : (int)(ring[first % PACKETS].due - now()) + 1) < 0) return 1;
        if (from[1].revents) return 0;
        if (!(from[0].revents & POLLIN) || end - first == PACKETS) continue;
        struct packet *packet = &ring[end++ % PACKETS];
        packet->length = read(device, packet->bytes, sizeof packet->bytes);
        packet->due = now() + atoi(arguments[2]);
    }
}
