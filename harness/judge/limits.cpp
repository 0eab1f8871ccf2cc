#include "harness/judge/limits.h"

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

/// Refused whatever their arguments.
constexpr int refused_calls[] = {
    // other processes and programs
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_kcmp,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_setsid,
    SYS_setpgid,
    SYS_unshare,
    SYS_setns,
    SYS_personality,
    // turns on the processor
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_setattr,
    SYS_setpriority,
    SYS_ioprio_set,
    SYS_setrlimit,
    SYS_migrate_pages,
    SYS_move_pages,
    // the network, and other ways to talk
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_semget,
    SYS_semop,
    SYS_mq_open,
    SYS_memfd_create,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    // the system
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsmount,
    SYS_fsconfig,
    SYS_fspick,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_acct,
    SYS_quotactl,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_syslog,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_fanotify_init,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_seccomp,
    // who it is
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setgroups,
    SYS_setfsuid,
    SYS_setfsgid,
    SYS_capset,
#ifdef __x86_64__
    SYS_fork,
    SYS_vfork,
    SYS_modify_ldt,
    SYS_iopl,
    SYS_ioperm,
    SYS_uselib,
    SYS_kexec_file_load,
#endif
};

/// Change files by name.
constexpr int writing_calls[] = {
    SYS_truncate, SYS_ftruncate, SYS_unlinkat, SYS_renameat2, SYS_linkat,    SYS_symlinkat,
    SYS_mkdirat,  SYS_mknodat,   SYS_fchmodat, SYS_fchownat,  SYS_utimensat, SYS_openat2,
#ifdef __x86_64__
    SYS_creat,    SYS_unlink,    SYS_rename,   SYS_renameat,  SYS_link,      SYS_symlink,
    SYS_mkdir,    SYS_rmdir,     SYS_mknod,    SYS_chmod,     SYS_chown,     SYS_lchown,
    SYS_utime,    SYS_utimes,
#endif
};

/// A program of the kernel's filter machine, which looks at the number of each call and its
/// arguments.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    unless_equal(this_architecture, SECCOMP_RET_KILL_PROCESS);
    load_number();
#ifdef __x86_64__
    constexpr unsigned other_numbers = 0x40000000;  // of the same calls: x32
    add(BPF_JMP | BPF_JGE | BPF_K, other_numbers, 0, 1);
    give(unknown);
#endif
  }

  void refuse(int call, unsigned with = refused) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1);
    give(with);
  }
  /// Unless one of these bits is set in the argument, or where one is, with `set`.
  void refuse_by_bits(int call, unsigned argument, unsigned bits, bool set) {
    only(call, [&] {
      load_argument(argument);
      add(BPF_JMP | BPF_JSET | BPF_K, bits, set ? 0 : 1, set ? 1 : 0);
      give(refused);
    });
  }
  /// Unless the argument, 32 bits of it, is one of these.
  void refuse_unless(int call, unsigned argument, const std::vector<unsigned>& allowed) {
    only(call, [&] {
      load_argument(argument);
      for (std::size_t i = 0; i < allowed.size(); ++i)
        add(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], static_cast<unsigned char>(allowed.size() - i),
            0);
      give(refused);
    });
  }

  std::vector<sock_filter> end() {
    give(SECCOMP_RET_ALLOW);
    return code_;
  }

 private:
  void add(unsigned code, unsigned value, unsigned char yes = 0, unsigned char no = 0) {
    code_.push_back({static_cast<unsigned short>(code), yes, no, value});
  }
  void give(unsigned answer) { add(BPF_RET | BPF_K, answer); }
  void load(unsigned offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  /// Its lower half; machines are little-endian here.
  void load_argument(unsigned i) {
    load(static_cast<unsigned>(offsetof(seccomp_data, args) + i * sizeof(std::uint64_t)));
  }
  void unless_equal(unsigned value, unsigned answer) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    give(answer);
  }
  template <class Inner>
  void only(int call, const Inner& inner) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 0);
    const std::size_t jump = code_.size() - 1;
    inner();
    load_number();
    code_[jump].jf = static_cast<unsigned char>(code_.size() - jump - 1);
  }

  std::vector<sock_filter> code_;
};

std::vector<sock_filter> filter_of(const ProcessLimits& limits) {
  Filter filter;
  for (const int call : refused_calls) filter.refuse(call);
  if (!limits.binds_threads) filter.refuse(SYS_sched_setaffinity);
  filter.refuse(SYS_clone3, unknown);  // its flags lie in memory; libraries then call clone
  filter.refuse_by_bits(SYS_clone, 0, CLONE_THREAD, false);
  const auto self = static_cast<unsigned>(getpid());
  filter.refuse_unless(SYS_kill, 0, {self});
  filter.refuse_unless(SYS_tgkill, 0, {self});
  filter.refuse_unless(SYS_prctl, 0, {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, 0x53564d41});
  filter.refuse_unless(SYS_prlimit64, 2, {0});  // without new limits
  if (limits.refuse_writing) {
    for (const int call : writing_calls) filter.refuse(call);
    constexpr unsigned writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    filter.refuse_by_bits(SYS_openat, 2, writes, true);
#ifdef __x86_64__
    filter.refuse_by_bits(SYS_open, 1, writes, true);
#endif
  }
  return filter.end();
}

std::string system_error(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
}

}  // namespace

std::string refuse_system_calls(const ProcessLimits& limits) {
  if (this_architecture == 0) return "no filter is known for this architecture";
  std::vector<sock_filter> code = filter_of(limits);
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return system_error("no_new_privs");
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
    return system_error("a filter of system calls");
  return {};
}

std::string limit_this_process(const ProcessLimits& limits) {
  constexpr rlim_t file_bytes = 64 << 20, descriptors = 1024;
  const auto set = [](auto which, rlim_t value) {
    rlimit before{};
    getrlimit(which, &before);
    value = std::min(value, before.rlim_max);
    const rlimit limit{value, value};
    return setrlimit(which, &limit) == 0;
  };
  if (limits.resources) {
    const bool held = set(RLIMIT_CORE, 0) && set(RLIMIT_FSIZE, file_bytes) &&
                      set(RLIMIT_NOFILE, descriptors) &&
                      (limits.memory_bytes == 0 || set(RLIMIT_AS, limits.memory_bytes));
    if (!held) return system_error("limits of resources");
  }
  return limits.system_calls ? refuse_system_calls(limits) : "";
}

}  // namespace gpp
