/*
 * For LD_PRELOAD: file operations fail below a folder while a file says so. TURNSTONE_FAULT_FOLDER is the folder;
 * TURNSTONE_FAULT_FILE is the file, with an errno's number and the names of the failing calls: "5 write fsync".
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* System calls made directly, since the functions of these names are replaced below. */
static int plan(char *text, size_t size) {
  const char *path = getenv("TURNSTONE_FAULT_FILE");
  int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0) : -1;
  if (file < 0) return 0;
  ssize_t length = syscall(SYS_read, file, text, size - 1);
  syscall(SYS_close, file);
  if (length <= 0) return 0;
  text[length] = 0;
  return 1;
}

/* 1 with errno set when the call must fail. */
static int fails(const char *call, int fd) {
  int before = errno;
  char text[256], link[64], path[PATH_MAX];
  const char *folder = getenv("TURNSTONE_FAULT_FOLDER");
  if (!folder || !plan(text, sizeof text) || !strstr(text, call)) {
    errno = before;
    return 0;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) length = 0;
  path[length] = 0;
  if (strncmp(path, folder, strlen(folder)) != 0) {
    errno = before;
    return 0;
  }
  errno = atoi(text);
  return 1;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
  if (fails("write", fd)) return -1;
  return REAL(ssize_t, write, int, const void *, size_t)(fd, bytes, count);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  if (fails("write", fd)) return -1;
  return REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, bytes, count, at);
}
ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) {
  if (fails("read", fd)) return -1;
  return REAL(ssize_t, pread64, int, void *, size_t, off64_t)(fd, bytes, count, at);
}
int ftruncate64(int fd, off64_t size) {
  if (fails("truncate", fd)) return -1;
  return REAL(int, ftruncate64, int, off64_t)(fd, size);
}
int fsync(int fd) {
  if (fails("sync", fd)) return -1;
  return REAL(int, fsync, int)(fd);
}
int fdatasync(int fd) {
  if (fails("sync", fd)) return -1;
  return REAL(int, fdatasync, int)(fd);
}
