#include "tools/command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace braid::test {

namespace {

std::string contentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

void redirect(int descriptor, const std::filesystem::path& file) {
  const int to = open(file.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  if (to < 0 || dup2(to, descriptor) < 0) _exit(126);
}

}  // namespace

CommandResult runBraid(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
  const TemporaryFolder output;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    redirect(STDOUT_FILENO, output.path() / "out");
    redirect(STDERR_FILENO, output.path() / "err");
    std::vector<char*> pointers{const_cast<char*>(BRAID_COMMAND)};
    for (const std::string& each : arguments) pointers.push_back(const_cast<char*>(each.c_str()));
    pointers.push_back(nullptr);
    if (chdir(folder.c_str()) != 0) _exit(126);
    execv(BRAID_COMMAND, pointers.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output.read("out"), output.read("err")};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "braid_test_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
}

std::string TemporaryFolder::read(const std::string& name) const { return contentOf(path_ / name); }

}  // namespace braid::test
