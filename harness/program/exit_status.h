// The exit statuses of the program.
#pragma once

namespace gpp {

enum ExitStatus { every_check_passed = 0, something_failed = 1, bad_usage = 2, interrupted = 130 };

}  // namespace gpp
