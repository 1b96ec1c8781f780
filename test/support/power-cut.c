// Keeps an image of every file as it was when it was last forced to the disk: what a power cut leaves for sure. For LD_PRELOAD;
// POWER_CUT_FILES is the folder whose files are kept, POWER_CUT_IMAGES where. Whoever syncs is answered after the image is whole. A file is
// read where it is open: to open and close it once more would drop SQLite's locks. POWER_CUT_SYNC_MS: a disk that takes so long for each sync.
// POWER_CUT_SYNCS: a file that gets a line for each sync: the size of what is synced, the thread that waits (main or other), the path.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static int copy(int from, const char *path) {
  char buffer[65536];
  int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (to < 0) return -1;
  for (off_t at = 0;;) {
    ssize_t read_bytes = pread(from, buffer, sizeof buffer, at);
    if (read_bytes <= 0) {
      close(to);
      return (int)read_bytes;
    }
    for (ssize_t done = 0; done < read_bytes;) {
      ssize_t written = write(to, buffer + done, (size_t)(read_bytes - done));
      if (written < 0) {
        close(to);
        return -1;
      }
      done += written;
    }
    at += read_bytes;
  }
}

static ssize_t path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length >= 0) path[length] = 0;
  return length;
}

static void tell(int fd) {
  const char *syncs = getenv("POWER_CUT_SYNCS");
  char path[PATH_MAX];
  struct stat found;
  if (syncs == NULL || path_of(fd, path) < 0 || fstat(fd, &found) != 0) return;
  int to = open(syncs, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (to < 0) return;
  dprintf(to, "%lld %s %s\n", (long long)found.st_size, gettid() == getpid() ? "main" : "other", path);
  close(to);
}

// An image is named after the inode: it stays with a file that is renamed, and whoever is killed in between leaves the one before.
static int keep(int fd) {
  const char *files = getenv("POWER_CUT_FILES"), *images = getenv("POWER_CUT_IMAGES");
  char path[PATH_MAX], image[PATH_MAX], unfinished[PATH_MAX + 8];
  struct stat found;
  if (files == NULL || images == NULL || path_of(fd, path) < 0) return 0;
  if (strncmp(path, files, strlen(files)) != 0 || fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) return 0;
  snprintf(image, sizeof image, "%s/%llu", images, (unsigned long long)found.st_ino);
  snprintf(unfinished, sizeof unfinished, "%s.new", image);
  pthread_mutex_lock(&one_at_a_time);
  int failed = copy(fd, unfinished) != 0 || rename(unfinished, image) != 0;
  pthread_mutex_unlock(&one_at_a_time);
  return failed ? -1 : 0;
}

static int synced(const char *name, int fd) {
  int (*call)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *slow = getenv("POWER_CUT_SYNC_MS");
  if (slow != NULL) usleep(1000 * (useconds_t)atoi(slow));
  tell(fd);
  int result = call(fd);
  return result == 0 ? keep(fd) : result;
}

// A file that is renamed over another is written out first, as ext4 (auto_da_alloc), btrfs and XFS do it.
int rename(const char *from, const char *to) {
  int (*call)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  const char *files = getenv("POWER_CUT_FILES");
  if (files == NULL || strncmp(from, files, strlen(files)) != 0) return call(from, to);
  int fd = open(from, O_RDONLY);
  if (fd >= 0) {
    keep(fd);
    close(fd);
  }
  return call(from, to);
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
