/* What was before changes that are not synced, and the cut that brings it back; see undo.h. */
#define _GNU_SOURCE
#include "undo.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define BUCKETS 4096

/* Bytes as they were. */
struct old { struct old *next; off_t at; size_t size; char bytes[]; };

/* A write, or a change of size: what it touched, and what was there. */
struct change { struct change *before; off_t from, to, size; bool truncates; struct old *old; };

/* A file with changes that are not synced; the descriptor keeps it, and its number, while it has any. */
struct file { struct file *next; ino_t number; int fd; size_t count; struct change *last; };

/* A change of names; what had the name before is kept as a file of this number, 0 if nothing had. */
struct name { enum kind kind; char *path, *to; ino_t number; unsigned kept; bool durable; };

static struct file *files[BUCKETS];
static struct name *names;
static size_t named, capacity;
static unsigned kept;
static uint64_t seed;
static const char *cut;
static unsigned long syncs, lost_bytes, lost_names, changed_files;

int root, kept_directory;
char top[4096];

static void *need(void *allocated) { if (!allocated) abort(); return allocated; }

/* --- Files: what was there before --- */

static struct file **slot(ino_t number) {
	struct file **at = &files[number % BUCKETS];
	while (*at && (*at)->number != number) at = &(*at)->next;
	return at;
}

struct file *changed(int fd) {
	struct stat stat;
	if (fstat(fd, &stat)) return NULL;
	struct file **at = slot(stat.st_ino);
	if (*at) return *at;
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	int own = open(path, O_RDWR);
	if (own < 0) return NULL;
	struct file *file = need(calloc(1, sizeof *file));
	file->number = stat.st_ino;
	file->fd = own;
	return *at = file;
}

static void forget_change(struct change *change) {
	for (struct old *old = change->old, *next; old; old = next) next = old->next, free(old);
	free(change);
}

static void forget_file(ino_t number) {
	struct file **at = slot(number), *file = *at;
	if (!file) return;
	*at = file->next;
	for (struct change *change = file->last, *before; change; change = before) before = change->before, forget_change(change);
	close(file->fd);
	free(file);
}

/* Remembers what is from here to there; zeros need no memory. */
void remember(struct file *file, off_t from, off_t to, bool truncates) {
	static const char zeros[PAGE];
	struct stat stat;
	if (fstat(file->fd, &stat)) abort();
	struct change *change = need(calloc(1, sizeof *change));
	*change = (struct change){file->last, from, to, stat.st_size, truncates, NULL};
	file->last = change;
	file->count++;
	for (off_t at = from; at < to && at < stat.st_size;) {
		off_t data = lseek(file->fd, at, SEEK_DATA);
		if (data < 0 || data >= to) break;
		at = data;
		char bytes[PAGE];
		ssize_t size = pread(file->fd, bytes, to - at < PAGE ? to - at : PAGE, at);
		if (size <= 0) break;
		if (memcmp(bytes, zeros, size)) {
			struct old *old = need(malloc(sizeof *old + size));
			*old = (struct old){change->old, at, size};
			memcpy(old->bytes, bytes, size);
			change->old = old;
		}
		at += size;
	}
}

int set_size(int fd, off_t size) {
	struct stat stat;
	struct file *file = changed(fd);
	if (!file || fstat(fd, &stat)) return -errno;
	remember(file, size < stat.st_size ? size : stat.st_size, size < stat.st_size ? stat.st_size : size, true);
	return ftruncate(file->fd, size) ? -errno : 0;
}

/* --- Names --- */

void name_changed(enum kind kind, const char *path, const char *to, ino_t number, unsigned keeps) {
	if (named == capacity) names = need(realloc(names, (capacity = 2 * capacity + 64) * sizeof *names));
	names[named++] = (struct name){kind, need(strdup(path)), to ? need(strdup(to)) : NULL, number, keeps, false};
}

static bool is_above(const char *above, const char *below) {
	size_t length = strlen(above);
	return !strncmp(above, below, length) && (!below[length] || below[length] == '/');
}

static bool are_related(const char *one, const char *other) {
	return one && other && (is_above(one, other) || is_above(other, one));
}

static bool depends(const struct name *later, const struct name *earlier) {
	return are_related(later->path, earlier->path) || are_related(later->path, earlier->to) ||
		are_related(later->to, earlier->path) || are_related(later->to, earlier->to);
}

static bool is_entry(const char *path, const char *directory) {
	if (!path) return false;
	const char *end = strrchr(path, '/');
	size_t length = end ? (size_t)(end - path) : 0;
	return strlen(directory) == length && !strncmp(path, directory, length);
}

static char *kept_name(unsigned number) {
	static __thread char name[16];
	snprintf(name, sizeof name, "%u", number);
	return name;
}

/* Keeps what has this name, if it is a file. */
unsigned keep(const char *path) {
	if (linkat(root, path, kept_directory, kept_name(kept + 1), 0)) return 0;
	return ++kept;
}

void release(unsigned number) {
	struct stat stat;
	if (!number || fstatat(kept_directory, kept_name(number), &stat, AT_SYMLINK_NOFOLLOW)) return;
	unlinkat(kept_directory, kept_name(number), 0);
	if (stat.st_nlink == 1) forget_file(stat.st_ino);
}

static void forget_name(struct name *name) {
	release(name->kept);
	free(name->path);
	free(name->to);
}

/* Those that are durable now take with them what they depend on. */
static void forget_durable_names(void) {
	for (size_t i = named; i-- > 0;)
		if (names[i].durable)
			for (size_t j = i; j-- > 0;) names[j].durable = names[j].durable || depends(&names[i], &names[j]);
	size_t left = 0;
	for (size_t i = 0; i < named; i++)
		if (names[i].durable) forget_name(&names[i]);
		else names[left++] = names[i];
	named = left;
}

void sync_file(ino_t number) {
	syncs++;
	bool any = false;
	forget_file(number);
	for (size_t i = 0; i < named; i++)
		if (names[i].number == number && names[i].kind != REMOVED) any = names[i].durable = true;
	if (any) forget_durable_names();
}

void sync_directory(const char *path) {
	syncs++;
	for (size_t i = 0; i < named; i++)
		names[i].durable = is_entry(names[i].path, path) || is_entry(names[i].to, path) || !strcmp(names[i].path, path) ||
			(names[i].to && !strcmp(names[i].to, path));
	forget_durable_names();
}

void sync_all(void) {
	for (int i = 0; i < BUCKETS; i++)
		while (files[i]) forget_file(files[i]->number);
	for (size_t i = 0; i < named; i++) names[i].durable = true;
	forget_durable_names();
}

/* --- The cut --- */

static uint64_t chance(uint64_t *state) {
	uint64_t next = (*state += 0x9e3779b97f4a7c15);
	next = (next ^ (next >> 30)) * 0xbf58476d1ce4e5b9;
	next = (next ^ (next >> 27)) * 0x94d049bb133111eb;
	return next ^ (next >> 31);
}

char *path_of(int fd, char *path, size_t size) {
	char link[64];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, size - 1);
	path[length < 0 ? 0 : length] = 0;
	size_t above = strlen(top);
	if (strncmp(path, top, above)) return path;
	return path[above] == '/' ? path + above + 1 : path + above;
}

/* Puts back what was there from here to there. */
static void restore(int fd, const struct change *change, off_t from, off_t to) {
	static const char zeros[PAGE];
	for (off_t at = from > change->from ? from : change->from; at < to && at < change->to;) {
		off_t end = to < change->to ? to : change->to;
		ssize_t size = pwrite(fd, zeros, end - at < PAGE ? end - at : PAGE, at);
		if (size <= 0) abort();
		lost_bytes += size;
		at += size;
	}
	for (struct old *old = change->old; old; old = old->next) {
		off_t first = from > old->at ? from : old->at, end = to < old->at + (off_t)old->size ? to : old->at + (off_t)old->size;
		if (first < end && pwrite(fd, old->bytes + (first - old->at), end - first, first) < 0) abort();
	}
}

static void undo(struct file *file, const struct change *change) {
	struct stat stat;
	if (fstat(file->fd, &stat)) abort();
	if (stat.st_size > change->size) lost_bytes += stat.st_size - change->size;
	if (ftruncate(file->fd, change->size)) abort();
	restore(file->fd, change, 0, change->size);
}

static void cut_all(struct file *file) {
	for (struct change *change = file->last; change; change = change->before) undo(file, change);
}

static void cut_tail(struct file *file, uint64_t *state) {
	size_t survivors = chance(state) % (file->count + 1), number = file->count;
	struct change *change = file->last;
	for (; number > survivors; number--, change = change->before) {
		if (number > survivors + 1 || change->truncates) {
			undo(file, change);
			continue;
		}
		off_t torn = change->from + (off_t)(chance(state) % (uint64_t)(change->to - change->from + 1));
		restore(file->fd, change, torn, change->size);
		if (ftruncate(file->fd, torn > change->size ? torn : change->size)) abort();
	}
}

static void cut_pages(struct file *file, uint64_t *state) {
	struct stat stat;
	struct change *first = file->last;
	off_t end = 0, size;
	if (fstat(file->fd, &stat)) abort();
	for (struct change *change = file->last; change; first = change, change = change->before)
		end = change->to > end ? change->to : end;
	size = first->size;
	if (stat.st_size < size && chance(state) % 2) {
		cut_all(file);
		return;
	}
	if (stat.st_size < size) size = stat.st_size;
	for (off_t page = 0; page < end; page += PAGE) {
		bool touched = false, survives = chance(state) % 2;
		for (struct change *change = file->last; change && !touched; change = change->before)
			touched = change->from < page + PAGE && change->to > page;
		off_t last = page + PAGE < stat.st_size ? page + PAGE : stat.st_size;
		if (touched && survives && last > size) size = last;
		if (touched && !survives)
			for (struct change *change = file->last; change; change = change->before) restore(file->fd, change, page, last);
	}
	if (ftruncate(file->fd, size)) abort();
}

static void cut_file(struct file *file) {
	char bytes[4096];
	uint64_t state = seed;
	for (char *at = path_of(file->fd, bytes, sizeof bytes); *at; at++) state = chance(&state) ^ (unsigned char)*at;
	changed_files++;
	if (!strcmp(cut, "prefix")) cut_tail(file, &state);
	else if (!strcmp(cut, "subset")) cut_pages(file, &state);
	else cut_all(file);
}

static void undo_name(const struct name *name) {
	lost_names++;
	switch (name->kind) {
		case CREATED: case LINKED: unlinkat(root, name->path, 0); break;
		case MADE: unlinkat(root, name->path, AT_REMOVEDIR); break;
		case REMOVED_DIRECTORY: mkdirat(root, name->path, 0755); break;
		case REMOVED: linkat(kept_directory, kept_name(name->kept), root, name->path, 0); break;
		case RENAMED:
			renameat(root, name->to, root, name->path);
			if (name->kept) linkat(kept_directory, kept_name(name->kept), root, name->to, 0);
	}
}

/* What survives is marked as durable; nothing survives that depends on what is lost. */
static void cut_names(void) {
	uint64_t state = seed;
	size_t survivors = chance(&state) % (named + 1);
	for (size_t i = 0; i < named; i++) {
		bool survives = strcmp(cut, "prefix") ? !strcmp(cut, "subset") && chance(&state) % 2 : i < survivors;
		for (size_t j = 0; j < i && survives; j++) survives = names[j].durable || !depends(&names[i], &names[j]);
		names[i].durable = survives;
	}
	for (size_t i = named; i-- > 0;)
		if (!names[i].durable) undo_name(&names[i]);
}

void cut_power(const char *how, uint64_t of) {
	cut = how;
	seed = of;
	for (int i = 0; i < BUCKETS; i++)
		for (struct file *file = files[i]; file; file = file->next) cut_file(file);
	cut_names();
	sync_all();
	printf("cut: %lu files had writes that were not synced, %lu bytes and %lu changes of names are lost, after %lu syncs\n",
		changed_files, lost_bytes, lost_names, syncs);
}
