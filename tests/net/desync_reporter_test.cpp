// SPDX-License-Identifier: MIT
#include <instep/net/desync_reporter.h>

#include <tests/net/logged_match.h>

using namespace instep;
using namespace instep::net;

namespace {

struct Reports {
    match::SharedSetup setup = test::level("bounce", "box");
    SnapshotDecoder decoder{*setup, ReplicationMode::snapshots};
    DesyncReporter reporter;
    std::size_t fields;

    explicit Reports(LinkKind link)
        : reporter(*setup, link, {}), fields(match::Match(setup, 1).hash_fields().size()) {}

    // The serials of the reports that are sent in this time.
    std::vector<std::uint8_t> run(double from, double to) {
        std::vector<std::uint8_t> serials;
        codec::Bytes message;
        for (double now = from; now < to; now += 0.01) {
            message.clear();
            if (!reporter.write_message(decoder, now, message)) continue;
            const auto report = read_report(message, fields);
            REQUIRE(report);
            serials.push_back(report->serial);
        }
        return serials;
    }
};

using Serials = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("desync reporter: without a desync it sends nothing") {
    CHECK(Reports(LinkKind::ordered).run(0, 5).empty());
}

TEST_CASE("desync reporter: a report is repeated until its verdict comes") {
    Reports ordered(LinkKind::ordered);
    ordered.reporter.add();
    CHECK(ordered.run(0, 10) == Serials{1, 1});
    Reports datagram(LinkKind::datagram);
    datagram.reporter.add();
    CHECK(datagram.run(0, 10) == Serials{1, 1, 1, 1});

    Reports answered(LinkKind::datagram);
    answered.reporter.add();
    CHECK(answered.run(0, 0.2) == Serials{1});
    answered.reporter.receive({.serial = 9}, answered.decoder);  // of another report
    CHECK(answered.reporter.desyncs().empty());
    answered.reporter.receive({.serial = 1}, answered.decoder);
    CHECK(answered.reporter.desyncs().size() == 1);
    CHECK(answered.run(0.2, 10).empty());
    answered.reporter.receive({.serial = 1}, answered.decoder);  // a copy
    CHECK(answered.reporter.desyncs().size() == 1);
}

TEST_CASE("desync reporter: one report at a time, at most one in 1.1 s") {
    Reports reports(LinkKind::ordered);
    reports.reporter.add();
    CHECK(reports.run(0, 0.1) == Serials{1});
    reports.reporter.receive({.serial = 1}, reports.decoder);
    reports.reporter.add();
    reports.reporter.add();
    CHECK(reports.run(0.1, 1).empty());
    CHECK(reports.run(1, 1.2) == Serials{2});
    CHECK(reports.reporter.count() == 3);
}

TEST_CASE("desync reporter: the own player's exact state is reported once") {
    Reports reports(LinkKind::ordered);
    const match::Match match(reports.setup, 1);
    ExactState exact{7, codec::Bytes(match.image_size())};
    match.save(exact.image);
    reports.reporter.add_own(exact);
    reports.reporter.add();
    codec::Bytes message;
    REQUIRE(reports.reporter.write_message(reports.decoder, 0, message));
    const auto report = read_report(message, reports.fields);
    REQUIRE(report);
    REQUIRE(report->exact);
    CHECK(report->exact->number == 7);
    reports.reporter.receive({.serial = 1}, reports.decoder);
    reports.reporter.add();
    message.clear();
    REQUIRE(reports.reporter.write_message(reports.decoder, 5, message));
    CHECK(!read_report(message, reports.fields)->exact);
}
