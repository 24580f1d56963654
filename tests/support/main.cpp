// SPDX-License-Identifier: MIT
// The main of every test program, and the counter that lets a property stop at its first failure.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <tests/support/property.h>

#include <atomic>

namespace {
std::atomic<std::size_t> failures = 0;

struct FailureCounter : doctest::IReporter {
    explicit FailureCounter(const doctest::ContextOptions&) {}

    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData& assertion) override { failures += assertion.m_failed ? 1 : 0; }
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

DOCTEST_REGISTER_LISTENER("failure counter", 1, FailureCounter);
}  // namespace

namespace instep::test {
std::size_t failed_assertions() { return failures; }
}  // namespace instep::test
