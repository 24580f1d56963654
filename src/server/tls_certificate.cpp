// SPDX-License-Identifier: MIT
#include <instep/server/tls_certificate.h>

#include <boost/asio/ssl/error.hpp>

namespace instep::server {

state::Result<std::shared_ptr<boost::asio::ssl::context>> load_certificate(const std::string& certificate,
                                                                           const std::string& private_key) {
    using Context = boost::asio::ssl::context;
    auto context = std::make_shared<Context>(Context::tls_server);
    boost::system::error_code error;
    context->set_options(Context::default_workarounds | Context::no_tlsv1 | Context::no_tlsv1_1, error);
    context->use_certificate_chain_file(certificate, error);
    if (error) return state::refuse(certificate, "cannot be read as a certificate: " + error.message());
    context->use_private_key_file(private_key, Context::pem, error);
    if (error)
        return state::refuse(private_key, "is not the private key of that certificate: " + error.message());
    return context;
}

}  // namespace instep::server
