#include "harness/judge/player.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace gpp {
namespace {

#if defined(__x86_64__)
constexpr unsigned this_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned this_architecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned this_architecture = 0;
#endif

constexpr unsigned refused = SECCOMP_RET_ERRNO | EPERM;
constexpr unsigned unknown = SECCOMP_RET_ERRNO | ENOSYS;

/// A call is refused unless these bits of an argument's half are one of the values. Halves are
/// counted over all arguments, the lower one first: machines are little-endian here.
struct Rule {
  int call;
  unsigned half = 0, bits = ~0U;
  std::vector<unsigned> values = {};
  unsigned answer = refused;
};
using Rules = std::vector<Rule>;

/// Whatever their arguments.
void refuse(Rules& rules, std::initializer_list<int> calls) {
  for (const int call : calls) rules.push_back({call});
}

void refuse_always(Rules& rules) {
  // Other processes and programs.
  refuse(rules, {SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
                 SYS_process_madvise, SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal,
                 SYS_kcmp, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_setsid,
                 SYS_setpgid, SYS_unshare, SYS_setns, SYS_personality});
  // Turns on the processor.
  refuse(rules, {SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_setpriority,
                 SYS_ioprio_set, SYS_setrlimit, SYS_migrate_pages, SYS_move_pages});
  // The network, and other ways to talk.
  refuse(rules, {SYS_socket,  SYS_socketpair,   SYS_connect, SYS_bind,        SYS_listen,
                 SYS_accept,  SYS_accept4,      SYS_shmget,  SYS_shmat,       SYS_shmctl,
                 SYS_msgget,  SYS_msgsnd,       SYS_msgrcv,  SYS_semget,      SYS_semop,
                 SYS_mq_open, SYS_memfd_create, SYS_add_key, SYS_request_key, SYS_keyctl});
  // Mounts and other roots.
  refuse(rules, {SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree, SYS_move_mount,
                 SYS_fsopen, SYS_fsmount, SYS_fsconfig, SYS_fspick, SYS_name_to_handle_at,
                 SYS_open_by_handle_at, SYS_fanotify_init});
  // The machine, its clock and its names.
  refuse(rules,
         {SYS_swapon, SYS_swapoff, SYS_reboot, SYS_acct, SYS_quotactl, SYS_init_module,
          SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_settimeofday, SYS_clock_settime,
          SYS_adjtimex, SYS_clock_adjtime, SYS_syslog, SYS_sethostname, SYS_setdomainname});
  // Doors into the kernel, and who it is.
  refuse(rules,
         {SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter,
          SYS_io_uring_register, SYS_seccomp, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid,
          SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_setfsuid, SYS_setfsgid, SYS_capset});
#ifdef __x86_64__
  refuse(rules, {SYS_fork, SYS_vfork, SYS_modify_ldt, SYS_iopl, SYS_ioperm, SYS_uselib,
                 SYS_kexec_file_load});
#endif
}

/// Changes of files by name.
void refuse_writing(Rules& rules) {
  constexpr unsigned writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  refuse(rules,
         {SYS_truncate, SYS_ftruncate, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat,
          SYS_mkdirat, SYS_mknodat, SYS_fchmodat, SYS_fchownat, SYS_utimensat, SYS_openat2});
  rules.push_back({SYS_openat, 4, writes, {0}});
#ifdef __x86_64__
  refuse(rules, {SYS_creat, SYS_unlink, SYS_rename, SYS_renameat, SYS_link, SYS_symlink, SYS_mkdir,
                 SYS_rmdir, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes});
  rules.push_back({SYS_open, 2, writes, {0}});
#endif
}

Rules rules_of(const ProcessLimits& limits) {
  constexpr unsigned all = ~0U;
  const auto self = static_cast<unsigned>(getpid());
  Rules rules = {
      {SYS_clone, 0, CLONE_THREAD, {CLONE_THREAD}},
      {SYS_clone3, 0, all, {}, unknown},  // its flags lie in memory; libraries then call clone
      {SYS_kill, 0, all, {self}},
      {SYS_tgkill, 0, all, {self}},
      {SYS_prctl, 0, all, {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, 0x53564d41}},
      {SYS_prlimit64, 4, all, {0}},  // without new limits
      {SYS_prlimit64, 5, all, {0}}};
  refuse_always(rules);
  if (!limits.binds_threads) refuse(rules, {SYS_sched_setaffinity});
  if (limits.refuse_writing) refuse_writing(rules);
  return rules;
}

/// A program of the kernel's filter machine.
std::vector<sock_filter> filter_of(const Rules& rules) {
  constexpr unsigned equal = BPF_JMP | BPF_JEQ | BPF_K, give = BPF_RET | BPF_K;
  std::vector<sock_filter> code;
  const auto add = [&code](unsigned what, unsigned value, std::size_t yes = 0, std::size_t no = 0) {
    code.push_back({static_cast<unsigned short>(what), static_cast<unsigned char>(yes),
                    static_cast<unsigned char>(no), value});
  };
  const auto load = [&add](std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
  };
  load(offsetof(seccomp_data, arch));
  add(equal, this_architecture, 1, 0);
  add(give, SECCOMP_RET_KILL_PROCESS);
  load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
  constexpr unsigned other_numbers = 0x40000000;  // of the same calls: x32
  add(BPF_JMP | BPF_JGE | BPF_K, other_numbers, 0, 1);
  add(give, unknown);
#endif
  for (const auto& [call, half, bits, values, answer] : rules) {
    add(equal, static_cast<unsigned>(call), 0, values.size() + 4);
    load(offsetof(seccomp_data, args) + half * sizeof(unsigned));
    add(BPF_ALU | BPF_AND | BPF_K, bits);
    for (std::size_t i = 0; i < values.size(); ++i) add(equal, values[i], values.size() - i);
    add(give, answer);
    load(offsetof(seccomp_data, nr));
  }
  add(give, SECCOMP_RET_ALLOW);
  return code;
}

std::string system_error(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
}

}  // namespace

std::string limit_this_process(const ProcessLimits& limits) {
  constexpr rlim_t file_bytes = 64 << 20, descriptors = 1024;
  const auto set = [](auto which, rlim_t value) {
    rlimit before{};
    getrlimit(which, &before);
    value = std::min(value, before.rlim_max);
    const rlimit limit{value, value};
    return setrlimit(which, &limit) == 0;
  };
  const bool held =
      !limits.resources ||
      (set(RLIMIT_CORE, 0) && set(RLIMIT_FSIZE, file_bytes) && set(RLIMIT_NOFILE, descriptors) &&
       (limits.memory_bytes == 0 || set(RLIMIT_AS, limits.memory_bytes)));
  if (!held) return system_error("limits of resources");
  if (!limits.system_calls) return {};
  if (this_architecture == 0) return "no filter is known for this architecture";
  std::vector<sock_filter> code = filter_of(rules_of(limits));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return system_error("no_new_privs");
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
    return system_error("a filter of system calls");
  return {};
}

}  // namespace gpp
