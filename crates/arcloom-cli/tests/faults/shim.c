/* Stands between a process and the C library (LD_PRELOAD), for the files of one folder (FAULT_DIR).
 *
 * Counts writes, syncs, truncations and renames, and leaves the count in the file FAULT_COUNT. The call number
 * FAULT_AT fails with the error FAULT_ERROR, and with FAULT_ALL those after it too. With FAULT_LOG every
 * call is written down there, so that a power cut can be played back. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls;
static int count_file = -1, log_file = -1, ready;

static void begin(void) {
    if (ready) return;
    ready = 1;
    const char *path = getenv("FAULT_COUNT");
    if (path) count_file = syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    path = getenv("FAULT_LOG");
    if (path) log_file = syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
}

static int inside(const char *path) {
    const char *dir = getenv("FAULT_DIR");
    return dir && strncmp(path, dir, strlen(dir)) == 0;
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    if (n <= 0) return 0;
    path[n] = 0;
    return inside(path);
}

/* One line of text, then the bytes: what, path, offset, length. */
static void note(char what, const char *path, long at, const void *bytes, size_t size) {
    if (log_file < 0) return;
    char line[PATH_MAX + 64];
    int n = snprintf(line, sizeof line, "%c %ld %zu %s\n", what, at, size, path);
    syscall(SYS_write, log_file, line, n);
    if (bytes && size) syscall(SYS_write, log_file, bytes, size);
}

/* True when this call is to fail; errno says how. */
static int fails(void) {
    begin();
    long n = ++calls;
    char text[32];
    int len = snprintf(text, sizeof text, "%ld\n", n);
    if (count_file >= 0) syscall(SYS_pwrite64, count_file, text, len, 0);
    const char *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERROR");
    if (!at) return 0;
    long which = atol(at);
    if (n == which || (getenv("FAULT_ALL") && n > which)) {
        errno = error ? atoi(error) : EIO;
        return 1;
    }
    return 0;
}

#define GUARD(fd, what, at, bytes, size, call)               \
    char path[PATH_MAX];                                     \
    if (!path_of(fd, path)) return call;                     \
    pthread_mutex_lock(&lock);                               \
    if (fails()) {                                           \
        int error = errno;                                   \
        pthread_mutex_unlock(&lock);                         \
        errno = error;                                       \
        return -1;                                           \
    }                                                        \
    note(what, path, at, bytes, size);                       \
    pthread_mutex_unlock(&lock);                             \
    return call

ssize_t write(int fd, const void *bytes, size_t size) {
    GUARD(fd, 'w', lseek(fd, 0, SEEK_CUR), bytes, size, syscall(SYS_write, fd, bytes, size));
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    GUARD(fd, 'w', at, bytes, size, syscall(SYS_pwrite64, fd, bytes, size, at));
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    GUARD(fd, 'w', at, bytes, size, syscall(SYS_pwrite64, fd, bytes, size, at));
}
int fsync(int fd) { GUARD(fd, 's', 0, NULL, 0, syscall(SYS_fsync, fd)); }
int fdatasync(int fd) { GUARD(fd, 's', 0, NULL, 0, syscall(SYS_fdatasync, fd)); }
int ftruncate(int fd, off_t size) { GUARD(fd, 't', size, NULL, 0, syscall(SYS_ftruncate, fd, size)); }
int ftruncate64(int fd, off64_t size) { GUARD(fd, 't', size, NULL, 0, syscall(SYS_ftruncate, fd, size)); }

int rename(const char *from, const char *to) {
    char whole[PATH_MAX];
    if (!realpath(from, whole) || !inside(whole)) return syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    pthread_mutex_lock(&lock);
    int wrong = fails(), error = errno;
    pthread_mutex_unlock(&lock);
    if (wrong) {
        errno = error;
        return -1;
    }
    return syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int unlink(const char *name) {
    char whole[PATH_MAX];
    if (realpath(name, whole) && inside(whole)) {
        pthread_mutex_lock(&lock);
        begin();
        note('u', whole, 0, NULL, 0);
        pthread_mutex_unlock(&lock);
    }
    return syscall(SYS_unlinkat, AT_FDCWD, name, 0);
}
