/*
 * A file system that loses what was not synced, for tests of a loss of power and of broken disks.
 *
 *   lossy DIRECTORY MOUNTPOINT
 *
 * Everything passes through to DIRECTORY at once. For what was not synced, the file system remembers how it was before: old
 * bytes and sizes by file, and changes of names in their order. A sync forgets that. A cut undoes what is remembered:
 *
 *   none     everything that was not synced is lost
 *   prefix   of each file the first writes survive, and a part of the next one; of all changes of names the first ones
 *   subset   each page of 4 KiB, and each change of a name, survives or does not
 *
 * A sync of a file makes its name durable, too, as ext4 does; a sync of a directory its entries; both with the changes of
 * names before them that they depend on. Commands come as lines on standard input, and each is answered by a line:
 *
 *   sync                          as if everything were synced
 *   cut none|prefix|subset SEED   unmounts, undoes, and ends
 *   fail read|write|sync ERRNO PATTERN, slow read|write|sync MILLIS PATTERN, flip BYTE BIT PATTERN
 *                                 from now on, for paths that match; mend ends all of these
 *   fail sync LIE PATTERN         acknowledges syncs, and does not do them
 *
 * The end of standard input unmounts and loses nothing. What DIRECTORY has when it is mounted counts as synced.
 */
#define FUSE_USE_VERSION 32
#define _GNU_SOURCE
#include "undo.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fuse.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum what { READ, WRITE, SYNC };
#define LIE -1 /* No error, and nothing done. */

/* What goes wrong for paths that match: an error, a delay, or a bit that is not what was written. */
struct rule { struct rule *next; enum what what; int error, millis, bit; off_t byte; char pattern[256]; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, rules_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rule *rules;
static const char *mountpoint;

static const char *rel(const char *path) { return path[1] ? path + 1 : "."; }

static int outcome(int returned) { return returned < 0 ? -errno : returned; }

/* --- What goes wrong --- */
static int go_wrong(enum what what, const char *path) {
	int error = 0, millis = 0;
	pthread_mutex_lock(&rules_lock);
	for (struct rule *rule = rules; rule; rule = rule->next)
		if (rule->what == what && rule->bit < 0 && !fnmatch(rule->pattern, path, 0)) {
			if (rule->error) error = rule->error;
			millis += rule->millis;
		}
	pthread_mutex_unlock(&rules_lock);
	if (millis) usleep(millis * 1000);
	return -error;
}

static int go_wrong_at(enum what what, int fd) {
	char path[4096];
	return rules ? go_wrong(what, path_of(fd, path, sizeof path)) : 0;
}

static void flip(int fd, char *bytes, ssize_t size, off_t at) {
	char buffer[4096], *path = path_of(fd, buffer, sizeof buffer);
	pthread_mutex_lock(&rules_lock);
	for (struct rule *rule = rules; rule; rule = rule->next)
		if (rule->bit >= 0 && rule->byte >= at && rule->byte < at + size && !fnmatch(rule->pattern, path, 0))
			bytes[rule->byte - at] ^= 1 << rule->bit;
	pthread_mutex_unlock(&rules_lock);
}

/* --- Operations that change nothing --- */
static int fs_getattr(const char *path, struct stat *stat, struct fuse_file_info *info) {
	return outcome(info ? fstat(info->fh, stat) : fstatat(root, rel(path), stat, AT_SYMLINK_NOFOLLOW));
}

static int fs_readlink(const char *path, char *target, size_t size) {
	ssize_t length = readlinkat(root, rel(path), target, size - 1);
	if (length >= 0) target[length] = 0;
	return length < 0 ? -errno : 0;
}

static int fs_read(const char *path, char *bytes, size_t size, off_t at, struct fuse_file_info *info) {
	(void)path;
	int wrong = go_wrong_at(READ, info->fh);
	if (wrong) return wrong;
	ssize_t got = pread(info->fh, bytes, size, at);
	if (got > 0 && rules) flip(info->fh, bytes, got, at);
	return outcome(got);
}

static off_t fs_lseek(const char *path, off_t at, int whence, struct fuse_file_info *info) {
	(void)path;
	off_t found = lseek(info->fh, at, whence);
	return found < 0 ? -errno : found;
}

static int fs_statfs(const char *path, struct statvfs *stat) {
	(void)path;
	return outcome(fstatvfs(root, stat));
}

static int fs_opendir(const char *path, struct fuse_file_info *info) {
	int fd = openat(root, rel(path), O_RDONLY | O_DIRECTORY);
	info->fh = fd;
	return fd < 0 ? -errno : 0;
}

static int fs_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t at, struct fuse_file_info *info,
		enum fuse_readdir_flags flags) {
	(void)path, (void)at, (void)flags;
	DIR *directory = fdopendir(openat(info->fh, ".", O_RDONLY | O_DIRECTORY));
	if (!directory) return -errno;
	for (struct dirent *entry; (entry = readdir(directory));) fill(buffer, entry->d_name, NULL, 0, 0);
	closedir(directory);
	return 0;
}

static int fs_release(const char *path, struct fuse_file_info *info) {
	(void)path;
	close(info->fh);
	return 0;
}

/* Modes, owners and times are not worth remembering. */
static int fs_chmod(const char *path, mode_t mode, struct fuse_file_info *info) {
	return outcome(info ? fchmod(info->fh, mode) : fchmodat(root, rel(path), mode, 0));
}

static int fs_chown(const char *path, uid_t user, gid_t group, struct fuse_file_info *info) {
	return outcome(info ? fchown(info->fh, user, group) : fchownat(root, rel(path), user, group, AT_SYMLINK_NOFOLLOW));
}

static int fs_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *info) {
	return outcome(info ? futimens(info->fh, times) : utimensat(root, rel(path), times, AT_SYMLINK_NOFOLLOW));
}

/* --- Operations on names --- */
/* Ends an operation under the lock. */
static int done(int failed, enum kind kind, const char *path, const char *to, unsigned kept) {
	struct stat stat = {0};
	int result = failed ? -errno : 0;
	if (!failed) (void)!fstatat(root, to ? to : path, &stat, AT_SYMLINK_NOFOLLOW);
	if (failed) release(kept);
	else name_changed(kind, path, to, stat.st_ino, kept);
	pthread_mutex_unlock(&lock);
	return result;
}

static int fs_mkdir(const char *path, mode_t mode) {
	int wrong = rules ? go_wrong(WRITE, rel(path)) : 0;
	if (wrong) return wrong;
	pthread_mutex_lock(&lock);
	return done(mkdirat(root, rel(path), mode), MADE, rel(path), NULL, 0);
}

static int fs_symlink(const char *target, const char *path) {
	pthread_mutex_lock(&lock);
	return done(symlinkat(target, root, rel(path)), CREATED, rel(path), NULL, 0);
}

static int fs_link(const char *path, const char *to) {
	pthread_mutex_lock(&lock);
	return done(linkat(root, rel(path), root, rel(to), 0), LINKED, rel(to), NULL, 0);
}

static int fs_unlink(const char *path) {
	pthread_mutex_lock(&lock);
	unsigned kept = keep(rel(path));
	return done(unlinkat(root, rel(path), 0), REMOVED, rel(path), NULL, kept);
}

static int fs_rmdir(const char *path) {
	pthread_mutex_lock(&lock);
	return done(unlinkat(root, rel(path), AT_REMOVEDIR), REMOVED_DIRECTORY, rel(path), NULL, 0);
}

static int fs_rename(const char *path, const char *to, unsigned flags) {
	if (flags & ~RENAME_NOREPLACE) return -EINVAL;
	pthread_mutex_lock(&lock);
	unsigned kept = keep(rel(to));
	return done(renameat2(root, rel(path), root, rel(to), flags), RENAMED, rel(path), rel(to), kept);
}

/* --- Operations on files --- */
static int fs_create(const char *path, mode_t mode, struct fuse_file_info *info) {
	int wrong = rules ? go_wrong(WRITE, rel(path)) : 0;
	if (wrong) return wrong;
	pthread_mutex_lock(&lock);
	int fd = openat(root, rel(path), (info->flags & ~(O_APPEND | O_TRUNC)) | O_CREAT | O_EXCL, mode);
	info->fh = fd;
	return done(fd < 0, CREATED, rel(path), NULL, 0);
}

static int fs_open(const char *path, struct fuse_file_info *info) {
	int fd = openat(root, rel(path), info->flags & ~(O_APPEND | O_TRUNC | O_CREAT | O_EXCL));
	if (fd < 0) return -errno;
	info->fh = fd;
	if (!(info->flags & O_TRUNC)) return 0;
	pthread_mutex_lock(&lock);
	int result = set_size(fd, 0);
	pthread_mutex_unlock(&lock);
	return result;
}

static int fs_write(const char *path, const char *bytes, size_t size, off_t at, struct fuse_file_info *info) {
	(void)path;
	int wrong = go_wrong_at(WRITE, info->fh);
	if (wrong) return wrong;
	pthread_mutex_lock(&lock);
	struct file *file = changed(info->fh);
	int result = -EIO;
	if (file) {
		remember(file, at, at + size, false);
		result = outcome(pwrite(info->fh, bytes, size, at));
		struct stat stat;
		if (info->flags & O_DSYNC && !fstat(info->fh, &stat)) sync_file(stat.st_ino);
	}
	pthread_mutex_unlock(&lock);
	return result;
}

static int fs_truncate(const char *path, off_t size, struct fuse_file_info *info) {
	int fd = info ? (int)info->fh : openat(root, rel(path), O_RDWR);
	if (fd < 0) return -errno;
	pthread_mutex_lock(&lock);
	int result = set_size(fd, size);
	pthread_mutex_unlock(&lock);
	if (!info) close(fd);
	return result;
}

static int fs_fallocate(const char *path, int mode, off_t at, off_t size, struct fuse_file_info *info) {
	(void)path;
	int wrong = go_wrong_at(WRITE, info->fh);
	if (wrong) return wrong;
	if (mode & ~FALLOC_FL_KEEP_SIZE) return -EOPNOTSUPP;
	if (mode) return 0;
	struct stat stat;
	pthread_mutex_lock(&lock);
	int result = fstat(info->fh, &stat) ? -errno : stat.st_size < at + size ? set_size(info->fh, at + size) : 0;
	pthread_mutex_unlock(&lock);
	return result;
}

static int fs_fsync(const char *path, int data, struct fuse_file_info *info) {
	(void)path, (void)data;
	struct stat stat;
	int wrong = go_wrong_at(SYNC, info->fh);
	if (wrong) return wrong == -LIE ? 0 : wrong;
	if (fstat(info->fh, &stat)) return -errno;
	pthread_mutex_lock(&lock);
	sync_file(stat.st_ino);
	pthread_mutex_unlock(&lock);
	return 0;
}

static int fs_fsyncdir(const char *path, int data, struct fuse_file_info *info) {
	(void)path, (void)data;
	char now[4096];
	int wrong = go_wrong_at(SYNC, info->fh);
	if (wrong) return wrong == -LIE ? 0 : wrong;
	pthread_mutex_lock(&lock);
	sync_directory(path_of(info->fh, now, sizeof now));
	pthread_mutex_unlock(&lock);
	return 0;
}

static void *fs_init(struct fuse_conn_info *connection, struct fuse_config *config) {
	(void)connection;
	config->use_ino = 1;
	config->hard_remove = 1;
	config->nullpath_ok = 1;
	config->entry_timeout = config->attr_timeout = 3600;
	return NULL;
}

static const struct fuse_operations operations = {
	.init = fs_init, .getattr = fs_getattr, .readlink = fs_readlink, .mkdir = fs_mkdir, .unlink = fs_unlink,
	.rmdir = fs_rmdir, .symlink = fs_symlink, .rename = fs_rename, .link = fs_link, .chmod = fs_chmod,
	.chown = fs_chown, .truncate = fs_truncate, .open = fs_open, .create = fs_create, .read = fs_read,
	.write = fs_write, .statfs = fs_statfs, .release = fs_release, .fsync = fs_fsync, .opendir = fs_opendir,
	.readdir = fs_readdir, .releasedir = fs_release, .fsyncdir = fs_fsyncdir, .utimens = fs_utimens,
	.fallocate = fs_fallocate, .lseek = fs_lseek,
};

/* --- Commands --- */
static bool unmount(const char *option) {
	pid_t child = fork();
	if (!child) {
		if (freopen("/dev/null", "w", stderr)) execlp("fusermount3", "fusermount3", option, "--", mountpoint, NULL);
		_exit(127);
	}
	int status = -1;
	return waitpid(child, &status, 0) == child && !status;
}

static void add_rule(const struct rule *rule) {
	struct rule *added = malloc(sizeof *added);
	*added = *rule;
	pthread_mutex_lock(&rules_lock);
	added->next = rules;
	rules = added;
	pthread_mutex_unlock(&rules_lock);
}

static bool parse_rule(const char *line) {
	struct rule rule = {.bit = -1};
	char what[16], error[16];
	long long byte;
	if (sscanf(line, "flip %lld %d %255s", &byte, &rule.bit, rule.pattern) == 3) rule.byte = byte;
	else if (sscanf(line, "slow %15s %d %255s", what, &rule.millis, rule.pattern) == 3) {}
	else if (sscanf(line, "fail %15s %15s %255s", what, error, rule.pattern) == 3)
		rule.error = !strcmp(error, "ENOSPC") ? ENOSPC : !strcmp(error, "LIE") ? LIE : EIO;
	else return false;
	if (rule.bit < 0) rule.what = !strcmp(what, "read") ? READ : !strcmp(what, "write") ? WRITE : SYNC;
	add_rule(&rule);
	return true;
}

static void mend(void) {
	pthread_mutex_lock(&rules_lock);
	for (struct rule *next; rules; rules = next) next = rules->next, free(rules);
	pthread_mutex_unlock(&rules_lock);
}

/* Other namespaces may have the mount, too: it does not end with ours, and what was written to mapped memory comes only
 * here. A process that has just been killed may hold a file for a moment. */
static bool cut(const char *how, uint64_t seed) {
	int fd = open(mountpoint, O_RDONLY | O_DIRECTORY);
	if (fd < 0 || syncfs(fd)) return false;
	close(fd);
	for (int i = 0; !unmount("-u"); i++, usleep(100000))
		if (i == 100) return false;
	pthread_mutex_lock(&lock);
	cut_power(how, seed);
	return true;
}

static void *obey(void *unused) {
	(void)unused;
	char line[512], how[16];
	unsigned long long seed;
	while (fgets(line, sizeof line, stdin)) {
		bool well = true;
		if (sscanf(line, "cut %15s %llu", how, &seed) == 2) {
			if ((well = cut(how, seed))) exit(0);
		} else if (!strncmp(line, "sync", 4)) {
			pthread_mutex_lock(&lock);
			sync_all();
			pthread_mutex_unlock(&lock);
		} else if (!strncmp(line, "mend", 4)) mend();
		else well = parse_rule(line);
		puts(well ? "done" : "failed");
	}
	unmount("-uz");
	pthread_mutex_lock(&lock);
	sync_all();
	exit(0);
}

int main(int count, char **arguments) {
	if (count != 3) return fputs("usage: lossy DIRECTORY MOUNTPOINT\n", stderr), 2;
	setlinebuf(stdout);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	struct rlimit limit;
	if (!getrlimit(RLIMIT_NOFILE, &limit)) setrlimit(RLIMIT_NOFILE, &(struct rlimit){limit.rlim_max, limit.rlim_max});
	char keeps[sizeof top + 8];
	if (!realpath(arguments[1], top)) return perror(arguments[1]), 1;
	snprintf(keeps, sizeof keeps, "%s-kept", top);
	mkdir(keeps, 0700);
	root = open(top, O_RDONLY | O_DIRECTORY);
	kept_directory = open(keeps, O_RDONLY | O_DIRECTORY);
	mountpoint = arguments[2];
	struct fuse_args options = FUSE_ARGS_INIT(1, arguments);
	struct fuse *fuse = fuse_new(&options, &operations, sizeof operations, NULL);
	if (root < 0 || kept_directory < 0 || !fuse || fuse_mount(fuse, mountpoint)) return perror(mountpoint), 1;
	puts("mounted");
	pthread_t commands;
	pthread_create(&commands, NULL, obey, NULL);
	struct fuse_loop_config threads = {.clone_fd = 0, .max_idle_threads = 10};
	fuse_loop_mt(fuse, &threads);
	pthread_join(commands, NULL);
	return 0;
}
