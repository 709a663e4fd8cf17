/* Counts what a process writes in a folder, and makes the n-th of it go wrong; see forked.py.

   Loaded before the C library (LD_PRELOAD), so that SQLite's writes count as Python's do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { COUNT, FULL, KILL };

static char folder[4096];
static long at, action, seen;

/* From now on the n-th write in the folder goes wrong: the disk is full, or the process is killed. */
void fault_at(long number, long what, const char *where) {
    at = number, action = what, seen = 0;
    snprintf(folder, sizeof folder, "%s", where);
}

long writes_seen(void) { return seen; }

static int inside(const char *path) {
    return folder[0] && strncmp(path, folder, strlen(folder)) == 0;
}

static int written(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return inside(path);
}

/* Returns whether this one fails for want of space. */
static int goes_wrong(int counts, int needs_space) {
    if (!counts) return 0;
    long now = __sync_add_and_fetch(&seen, 1);
    if (action == KILL && now == at) kill(getpid(), SIGKILL);
    if (action == FULL && now >= at && needs_space) {
        errno = ENOSPC;
        return 1;
    }
    return 0;
}

#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t size) {
    return goes_wrong(folder[0] && written(file), 1) ? -1 : NEXT(write)(file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) {
    return goes_wrong(folder[0] && written(file), 1) ? -1 : NEXT(pwrite)(file, bytes, size, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t place) {
    return goes_wrong(folder[0] && written(file), 1) ? -1
                                                     : NEXT(pwrite64)(file, bytes, size, place);
}

int fsync(int file) {
    return goes_wrong(folder[0] && written(file), 0) ? -1 : NEXT(fsync)(file);
}

int fdatasync(int file) {
    return goes_wrong(folder[0] && written(file), 0) ? -1 : NEXT(fdatasync)(file);
}

int rename(const char *from, const char *to) {
    return goes_wrong(inside(to), 0) ? -1 : NEXT(rename)(from, to);
}

int unlink(const char *path) { return goes_wrong(inside(path), 0) ? -1 : NEXT(unlink)(path); }
