// Status, metrics, probes and the dashboard's files over HTTP.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/resident_memory.hpp"
#include "service/http_listener.hpp"
#include "service/http_server.hpp"
#include "service/raw_http.hpp"
#include "service/server_fixture.hpp"

namespace proofline::service {
namespace {

std::uint64_t anonymous_bytes() {
  const ResidentMemory memory = resident_memory();
  return memory.total - memory.file;
}

namespace pb = cuzk::v1;
using namespace std::chrono_literals;
using nlohmann::json;
using test::RawAnswer;
using test::RawConnection;
using testing::HasSubstr;
using testing::ThrowsMessage;

unsigned port_of(const std::string& address) {
  return static_cast<unsigned>(std::stoul(address.substr(address.rfind(':') + 1)));
}

class HttpTest : public test::ServerFixture {
 protected:
  HttpTest() { config_.daemon.status_listen = "127.0.0.1:0"; }
  ~HttpTest() override {
    serving_.reset();
    http_.reset();
  }

  void start_http() { http_ = std::make_unique<HttpServer>(config_.daemon); }
  /// With an engine whose devices wait at the gate when `gated`.
  void start_all(bool gated = false) {
    start_http();
    start(gated);
    serving_ = std::make_unique<HttpServer::Serving>(*http_, *host_);
    http_->set_ready();
  }
  unsigned port() const { return port_of(http_->address()); }
  RawAnswer raw(const std::string& bytes) const {
    RawConnection connection(port());
    connection.send(bytes);
    return connection.receive();
  }
  RawAnswer ask(const std::string& method, const std::string& path, const std::string& more = "") const {
    return raw(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n");
  }
  RawAnswer get(const std::string& path, const std::string& more = "") const { return ask("GET", path, more); }
  json told() const {
    const RawAnswer answer = get("/status");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.headers.at("content-type"), "application/json");
    return json::parse(answer.body);
  }

  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<HttpServer::Serving> serving_;
};

TEST_F(HttpTest, ProbesFollowTheDaemonsLife) {
  start_http();
  EXPECT_EQ(get("/healthz").status, 200);
  EXPECT_EQ(get("/readyz").status, 503);
  EXPECT_EQ(get("/readyz").body, "starting\n");
  EXPECT_EQ(get("/status").status, 503);
  EXPECT_EQ(get("/metrics").status, 503);
  EXPECT_EQ(get("/").status, 200) << "the dashboard shows that the daemon starts";
  start();
  serving_ = std::make_unique<HttpServer::Serving>(*http_, *host_);
  EXPECT_EQ(get("/readyz").status, 503);
  EXPECT_EQ(told()["state"], "starting");
  http_->set_ready();
  EXPECT_EQ(get("/readyz").status, 200);
  EXPECT_EQ(told()["state"], "serving");
  http_->begin_drain();
  EXPECT_EQ(get("/readyz").status, 503);
  EXPECT_EQ(get("/readyz").body, "draining\n");
  EXPECT_EQ(told()["state"], "draining");
  http_->set_ready();
  EXPECT_EQ(get("/readyz").status, 503) << "draining is for good";
  EXPECT_EQ(get("/healthz").status, 200);
  serving_.reset();
  stop();
  EXPECT_EQ(get("/status").status, 503) << "the engine has gone";
}

TEST_F(HttpTest, StatusTellsWhatTheEngineDoes) {
  start_all(true);
  ASSERT_TRUE(submit("\x03\x04", "porep-1000-1").ok());
  ASSERT_TRUE(submit("\x05", "<b>\"second\"</b>").ok());
  ASSERT_TRUE(becomes([&] { return told()["jobs"][0]["partitions_by_stage"]["device"] == 1; }));
  const json status = told();
  EXPECT_FALSE(status["version"].get<std::string>().empty());
  EXPECT_GT(status["uptime_seconds"], 0);
  ASSERT_EQ(status["queues"].size(), 4U);
  EXPECT_EQ(status["queues"][0]["kind"], "porep-c2");
  EXPECT_EQ(status["queues"][0]["queued"].get<int>() + status["queues"][0]["running"].get<int>(), 2);
  ASSERT_EQ(status["jobs"].size(), 2U);
  const json& job = status["jobs"][0];
  EXPECT_EQ(job["id"], "porep-1000-1");
  EXPECT_EQ(job["kind"], "porep-c2");
  EXPECT_EQ(job["circuit"], "cubic");
  EXPECT_EQ(job["state"], "running");
  EXPECT_EQ(job["priority"], "normal");
  EXPECT_EQ(job["partitions_total"], 2);
  EXPECT_EQ(job["partitions_done"], 0);
  EXPECT_EQ(job["partitions"].size(), 2U);
  EXPECT_EQ(job["stages"][0]["stage"], "load");
  EXPECT_EQ(job["stages"][1]["stage"], "witness");
  EXPECT_EQ(status["jobs"][1]["id"], "<b>\"second\"</b>") << "the page must escape it";
  EXPECT_EQ(status["jobs_left_out"], 0);
  EXPECT_TRUE(status["recent"].empty());
  const json& pool = status["memory"]["pools"][0];
  EXPECT_EQ(pool["pool"], "host");
  EXPECT_EQ(pool["budget_bytes"], host_->ledger().state(engine::Pool::host()).budget);
  std::uint64_t by_class = 0;
  for (const auto& [name, bytes] : pool["class_bytes"].items()) by_class += bytes.get<std::uint64_t>();
  EXPECT_EQ(by_class, pool["reserved_bytes"]);
  EXPECT_GT(by_class, 0U);
  EXPECT_GT(status["memory"]["resident_bytes"], 1 << 20);
  ASSERT_EQ(status["devices"].size(), 1U);
  EXPECT_EQ(status["devices"][0]["name"], "cpu");
  EXPECT_EQ(status["devices"][0]["job"], "porep-1000-1");
  EXPECT_THAT(status["devices"][0]["work"].get<std::string>(), testing::StartsWith("job 1, partition "));
  gate_.open();
  expect_proofs(await("porep-1000-1"), "\x03\x04");
  expect_proofs(await("<b>\"second\"</b>"), "\x05");
  prove("\xfe", "bad");
  const json after = told();
  EXPECT_EQ(after["ended"]["failed"], 1);
  EXPECT_EQ(after["recent"][0]["id"], "bad");
  EXPECT_EQ(after["recent"][0]["state"], "failed");
  EXPECT_THAT(after["recent"][0]["error"], HasSubstr("254 is damaged"));
  const json& done = after["recent"].back();
  EXPECT_EQ(done["state"], "done");
  EXPECT_EQ(done["partitions_done"], 2);
  EXPECT_GT(done["seconds"], 0);
  EXPECT_NEAR(done["seconds"], done["waited_seconds"].get<double>() + done["running_seconds"].get<double>(), 1e-6);
  EXPECT_GE(done["stages"].size(), 5U);
  EXPECT_EQ(after["devices"][0]["partitions"], 3);
}

TEST_F(HttpTest, AQueueOfManyIsCountedInWholeAndListedInPart) {
  start_all(true);
  for (int i = 0; i < 230; ++i) ASSERT_TRUE(submit("\x03", "job-" + std::to_string(i)).ok());
  const json status = told();
  EXPECT_EQ(status["jobs"].size(), 200U);
  EXPECT_EQ(status["jobs_left_out"], 30);
  EXPECT_EQ(status["queues"][0]["queued"].get<int>() + status["queues"][0]["running"].get<int>(), 230);
  gate_.open();
}

TEST_F(HttpTest, TheSameIsToldOverGrpc) {
  start_all();
  grpc::ClientContext context;
  pb::GetStatusRequest request;
  request.set_details(true);
  pb::GetStatusResponse response;
  ASSERT_TRUE(stub_->GetStatus(&context, request, &response).ok());
  const json status = json::parse(response.status_json());
  EXPECT_EQ(status["state"], "serving");
  EXPECT_EQ(status.size(), told().size());
  EXPECT_TRUE(this->status().status_json().empty()) << "only for those who ask";
}

TEST_F(HttpTest, MetricsAreWhatPrometheusReads) {
  start_all();
  expect_proofs(prove("\x03\x04", "good"), "\x03\x04");
  prove("\xfe", "bad");
  const RawAnswer answer = get("/metrics");
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  std::map<std::string, std::string> types;
  std::set<std::string> helped, seen;
  const std::regex comment("# (HELP|TYPE) ([a-z_]+) (.+)");
  const std::regex sample(R"re(([a-z_]+)(\{([a-z]+="[^"\\]*",?)*\})? ([0-9.e+-]+|\+Inf))re");
  std::istringstream lines(answer.body);
  for (std::string line; std::getline(lines, line);) {
    std::smatch parts;
    if (std::regex_match(line, parts, comment)) {
      const bool is_new =
          parts[1] == "TYPE" ? types.emplace(parts[2], parts[3]).second : helped.insert(parts[2]).second;
      EXPECT_TRUE(is_new) << line;
      continue;
    }
    ASSERT_TRUE(std::regex_match(line, parts, sample)) << line;
    std::string name = parts[1];
    for (const std::string_view part : {"_bucket", "_sum", "_count"}) {
      if (name.ends_with(part) && !types.contains(name)) name.resize(name.size() - part.size());
    }
    seen.insert(name);
    ASSERT_TRUE(types.contains(name) && helped.contains(name)) << line;
    EXPECT_TRUE(name.starts_with("proofline_")) << line;
    EXPECT_EQ(name.ends_with("_total"), types[name] == "counter") << line;
    EXPECT_FALSE(std::regex_search(name, std::regex("_(ms|millis|minutes|kb|mb|gb|mib|gib|percent)(_|$)"))) << line;
  }
  for (const char* name :
       {"proofline_build_info", "proofline_uptime_seconds", "proofline_resident_memory_bytes",
        "proofline_anonymous_memory_bytes", "proofline_jobs", "proofline_jobs_ended_total", "proofline_job_seconds",
        "proofline_stage_seconds", "proofline_partitions", "proofline_witness_workers", "proofline_memory_budget_bytes",
        "proofline_memory_reserved_bytes", "proofline_memory_peak_bytes", "proofline_memory_evictable_bytes",
        "proofline_memory_requests_waiting", "proofline_device_busy", "proofline_device_lost",
        "proofline_device_partitions_total", "proofline_device_failures_total"})
    EXPECT_TRUE(seen.contains(name)) << name;
  for (const char* line :
       {"proofline_jobs_ended_total{kind=\"porep_c2\",outcome=\"done\"} 1\n",
        "proofline_jobs_ended_total{kind=\"porep_c2\",outcome=\"failed\"} 1\n",
        "proofline_job_seconds_count{kind=\"porep_c2\"} 1\n",
        "proofline_job_seconds_bucket{kind=\"porep_c2\",le=\"+Inf\"} 1\n",
        "proofline_stage_seconds_count{stage=\"witness\"} 2\n", "proofline_memory_budget_bytes{pool=\"host\"} ",
        "proofline_device_partitions_total{device=\"0\",name=\"cpu\"} 2\n"})
    EXPECT_THAT(answer.body, HasSubstr(line));
}

TEST_F(HttpTest, CircuitsAreToldWithTheirStates) {
  config_.srs.circuits = {"porep-2k"};
  start_all();
  const json circuits = told()["circuits"];
  ASSERT_EQ(circuits.size(), 1U);
  EXPECT_EQ(circuits[0]["id"], "porep-2k");
  EXPECT_EQ(circuits[0]["state"], "missing");
  EXPECT_THAT(circuits[0]["parameter_file"], HasSubstr(".params"));
  EXPECT_THAT(get("/metrics").body,
              testing::AllOf(HasSubstr("proofline_circuit_state{circuit=\"porep-2k\",state=\"missing\"} 1\n"),
                             HasSubstr("proofline_circuit_state{circuit=\"porep-2k\",state=\"hot\"} 0\n")));
}

TEST_F(HttpTest, TheDashboardsFilesAreServedWithTheirTypes) {
  start_http();
  const std::map<std::string, std::string> types = {{"/", "text/html; charset=utf-8"},
                                                    {"/index.html", "text/html; charset=utf-8"},
                                                    {"/dashboard.css", "text/css; charset=utf-8"},
                                                    {"/dashboard.js", "text/javascript; charset=utf-8"},
                                                    {"/icon.svg", "image/svg+xml"}};
  for (const auto& [path, type] : types) {
    const RawAnswer answer = get(path);
    ASSERT_EQ(answer.status, 200) << path;
    EXPECT_EQ(answer.headers.at("content-type"), type) << path;
    EXPECT_EQ(answer.headers.at("content-length"), std::to_string(answer.body.size()));
    EXPECT_THAT(answer.headers.at("content-security-policy"),
                testing::AllOf(HasSubstr("default-src 'none'"), HasSubstr("script-src 'self'"),
                               HasSubstr("frame-ancestors 'none'"), testing::Not(HasSubstr("unsafe"))));
    EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff");
    // No other place is named but the namespace of SVG, which nobody fetches.
    EXPECT_FALSE(std::regex_search(answer.body, std::regex("https?://(?!www\\.w3\\.org/2000/svg)"))) << path;
    EXPECT_THAT(answer.body, testing::Not(HasSubstr("innerHTML"))) << path;
  }
  EXPECT_EQ(get("/?theme=dark").status, 200) << "what follows a question mark is nothing";
}

TEST_F(HttpTest, OtherRequestsAreRefused) {
  start_all();
  EXPECT_EQ(get("/nothing").status, 404);
  EXPECT_EQ(get("/../etc/passwd").status, 404);
  EXPECT_EQ(get("/status/").status, 404);
  for (const char* path : {"/", "/status", "/metrics", "/healthz", "/readyz"}) {
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "NONSENSE"}) {
      const RawAnswer answer = ask(method, path, "Content-Length: 5\r\n");
      EXPECT_EQ(answer.status, 405) << method << path;
      EXPECT_EQ(answer.headers.at("allow"), "GET, HEAD");
    }
  }
  const RawAnswer head = ask("HEAD", "/status");
  EXPECT_EQ(head.status, 200);
  EXPECT_GT(std::stoul(head.headers.at("content-length")), 100U);
  EXPECT_TRUE(head.body.empty());
  const std::string large_body = std::string(100'000, 'x');
  EXPECT_EQ(raw("POST /status HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + large_body).status, 405);
}

TEST_F(HttpTest, HeadersAreBounded) {
  start_http();
  EXPECT_EQ(get("/healthz", "X: " + std::string(4000, 'x') + "\r\n").status, 200);
  EXPECT_EQ(get("/healthz", "X: " + std::string(9000, 'x') + "\r\n").status, 431);
  EXPECT_EQ(get("/" + std::string(9000, 'x')).status, 431);
  std::string many;
  for (int i = 0; i < 5000; ++i) many += fmt::format("A{}: b\r\n", i);
  EXPECT_EQ(get("/healthz", many).status, 431);
  RawConnection endless(port());
  endless.send("GET / HTTP/1.1\r\nX: ");
  const std::uint64_t before = anonymous_bytes();
  const std::string part(1 << 20, 'x');
  int sent = 0;
  while (sent < 200 && endless.send(part)) ++sent;
  EXPECT_LT(sent, 200) << "the connection is closed";
  EXPECT_LT(anonymous_bytes(), before + (std::uint64_t{50} << 20));
}

TEST_F(HttpTest, WhatIsNoHttpIsRefused) {
  start_http();
  EXPECT_EQ(raw("hello\r\n\r\n").status, 400);
  EXPECT_EQ(raw("GET / HTTP/9.9\r\n\r\n").status, 400);
  EXPECT_EQ(raw("GET /a b HTTP/1.1\r\n\r\n").status, 400);
  EXPECT_EQ(raw(std::string("GET /\0 HTTP/1.1\r\n\r\n", 19)).status, 400);
  EXPECT_EQ(raw("GET / HTTP/1.1\r\nno colon\r\n\r\n").status, 400);
  EXPECT_EQ(raw(std::string(100, '\xff') + "\r\n\r\n").status, 400);
  EXPECT_EQ(get("/healthz").status, 200);
}

TEST_F(HttpTest, PagesOfOtherSitesCannotAsk) {
  start_http();
  const auto status = [&](const std::string& host) {
    return raw("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status;
  };
  for (const char* good : {"localhost", "localhost:9821", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:9821"})
    EXPECT_EQ(status(good), 200) << good;
  for (const char* bad : {"rebound.example", "rebound.example:9821", "10.0.0.7", "127.0.0.1.example", "a:b:c", "@"})
    EXPECT_EQ(status(bad), 421) << bad;
}

TEST_F(HttpTest, TokensAreAskedForWhereThereAreSome) {
  config_.daemon.token_file = folder_ / "tokens";
  const std::string token = "a-token-of-sixteen-and-more";
  {
    AtomicFile file(config_.daemon.token_file);
    file.write({reinterpret_cast<const std::uint8_t*>(token.data()), token.size()});
    file.commit();
  }
  std::filesystem::permissions(config_.daemon.token_file, std::filesystem::perms::owner_read);
  start_all();
  for (const char* path : {"/status", "/metrics"}) {
    const RawAnswer refused = get(path);
    EXPECT_EQ(refused.status, 401) << path;
    EXPECT_EQ(refused.headers.at("www-authenticate"), "Bearer");
    EXPECT_THAT(refused.body, testing::Not(HasSubstr(token)));
    EXPECT_EQ(get(path, "Authorization: Bearer wrong-token-of-sixteen\r\n").status, 401);
    const RawAnswer good = get(path, "Authorization: Bearer " + token + "\r\n");
    EXPECT_EQ(good.status, 200) << path;
    EXPECT_THAT(good.body, testing::Not(HasSubstr(token)));
  }
  for (const char* path : {"/", "/dashboard.js", "/healthz", "/readyz"}) EXPECT_EQ(get(path).status, 200) << path;
}

TEST_F(HttpTest, ManyClientsAtOnceAllGetAnAnswer) {
  start_all(true);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(submit("\x03\x04\x05", "job-" + std::to_string(i)).ok());
  std::atomic<int> good = 0;
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 16; ++i) {
      clients.emplace_back([&] {
        for (int k = 0; k < 20; ++k) {
          if (get(k % 2 == 0 ? "/status" : "/metrics").status == 200) ++good;
        }
      });
    }
  }
  EXPECT_EQ(good, 16 * 20);
  gate_.open();
}

TEST(HttpListener, IdleAndSurplusConnectionsAreClosed) {
  const HttpLimits limits{.connections = 2, .time = 200ms};
  HttpListener listener(parse_endpoint("127.0.0.1:0", "test"), "test", limits,
                        [](const HttpRequest&) { return HttpResponse{.body = "hello"}; });
  const unsigned port = port_of(listener.address());
  {
    RawConnection silent(port), slow(port);
    slow.send("GET / HTT");
    RawConnection surplus(port);
    surplus.send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(surplus.receive().status, 0);
    EXPECT_EQ(silent.receive().status, 0) << "closed after its time";
    EXPECT_EQ(slow.receive().status, 0);
  }
  RawConnection good(port);
  good.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(good.receive().body, "hello");
}

TEST(HttpListener, AHandlersExceptionIsNotTold) {
  HttpListener listener(parse_endpoint("127.0.0.1:0", "test"), "test", {},
                        [](const HttpRequest&) -> HttpResponse { throw Error("a secret path"); });
  RawConnection connection(port_of(listener.address()));
  connection.send("GET / HTTP/1.1\r\n\r\n");
  const RawAnswer answer = connection.receive();
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body, "an internal error\n");
}

TEST(HttpListener, AnAddressInUseIsRefused) {
  HttpListener first(parse_endpoint("127.0.0.1:0", "test"), "test", {},
                     [](const HttpRequest&) { return HttpResponse(); });
  EXPECT_THAT(
      [&] {
        HttpListener second(parse_endpoint(first.address(), "test"), "daemon.status_listen", {},
                            [](const HttpRequest&) { return HttpResponse(); });
      },
      ThrowsMessage<IoError>(testing::AllOf(HasSubstr("daemon.status_listen: 127.0.0.1:"), HasSubstr("in use"))));
}

}  // namespace
}  // namespace proofline::service
