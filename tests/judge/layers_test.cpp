// Layers are named, those that hold and those that lack.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/judge/judging.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

TEST(Layers, AreNamedInARecord) {
  Layers layers;
  layers.hold(Layer::resources);
  layers.lack(Layer::pid_namespace, "no");
  layers.lack(Layer::pid_namespace, "later");
  EXPECT_EQ(layers.text(), "resources; without pid-namespace (no)");
  EXPECT_TRUE(layers.has(Layer::resources));
  EXPECT_FALSE(layers.has(Layer::pid_namespace) || layers.all_hold());
  layers.forget(Layer::pid_namespace);
  EXPECT_TRUE(layers.all_hold());
}

TEST(Layers, WithoutBubblewrapItIsJudgedAndHasNoRank) {
  const Layers layers = judged_step("v1", "serial").layers;
  for (const Layer of_the_process : {Layer::system_calls, Layer::resources})
    EXPECT_TRUE(layers.has(of_the_process)) << layers.text();
  Judging judging;
  judging.without = {Layer::mount_namespace};
  const Ruling ruling = judged_step("v1", "serial", judging);
  EXPECT_TRUE(ruling.passed) << ruling.reason;
  EXPECT_FALSE(ruling.layers.all_hold());
  EXPECT_FALSE(ruling.layers.has(Layer::user_namespace));
  EXPECT_TRUE(ruling.layers.has(Layer::read_only_inputs));
  EXPECT_TRUE(contains(ruling.layers.text(), "mount-namespace (not wanted)"));
}

/// In a process that takes all from itself: 0 where everything is refused.
int tries_all() {
  if (!limit_this_process({true, true, true, 0}).empty()) return 1;
  if (fork() >= 0) return 2;
  if (execl("/bin/true", "true", nullptr) >= 0) return 3;
  if (kill(getppid(), 0) == 0) return 4;
  if (setsid() >= 0 || setpgid(0, 0) == 0) return 5;
  if (access("/", R_OK) != 0) return 6;
  std::FILE* const file = std::fopen("/tmp/gpp-judge-test", "w");
  return file == nullptr ? 0 : 7;
}

TEST(Layers, TheFilterRefusesCalls) {
  const pid_t child = fork();
  if (child == 0) _exit(tries_all());
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace gpp::test
