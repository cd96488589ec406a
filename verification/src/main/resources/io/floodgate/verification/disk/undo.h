/* What was before changes that are not synced. The caller holds a lock. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum kind { CREATED, MADE, LINKED, REMOVED, REMOVED_DIRECTORY, RENAMED };

/* The directory that everything passes to, and the one that keeps what has lost its name. */
extern int root, kept_directory;
extern char top[4096];

/* The file of this descriptor as one that changes; null if it cannot. */
struct file *changed(int fd);

/* Before bytes from here to there are written. */
void remember(struct file *file, off_t from, off_t to, bool truncates);

/* Changes its size; negative with the reason if that fails. */
int set_size(int fd, off_t size);

/* Keeps what has this name, and returns its number; 0 if it is no file. */
unsigned keep(const char *path);

/* Keeps it no longer. */
void release(unsigned number);

/* After a change of names. */
void name_changed(enum kind kind, const char *path, const char *to, ino_t number, unsigned keeps);

void sync_file(ino_t number);
void sync_directory(const char *path);
void sync_all(void);

/* Of an open file, below the directory. */
char *path_of(int fd, char *path, size_t size);

/* Undoes what was not synced, and says on standard output how much that was. */
void cut_power(const char *how, uint64_t seed);
