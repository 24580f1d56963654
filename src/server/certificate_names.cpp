// SPDX-License-Identifier: MIT
#include <instep/server/certificate_names.h>

#include <memory>
#include <string_view>

#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace instep::server {
namespace {

template <auto release>
struct FreeWith {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};
using Bio = std::unique_ptr<BIO, FreeWith<BIO_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Names = std::unique_ptr<GENERAL_NAMES, FreeWith<GENERAL_NAMES_free>>;

std::string text_of(const ASN1_STRING* text) {
    if (!text) return {};
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
            static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string common_name(const X509* certificate) {
    const X509_NAME* subject = X509_get_subject_name(certificate);
    const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    return at < 0 ? "" : text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
}

}  // namespace

state::Result<std::vector<std::string>> certificate_names(const std::string& file) {
    const Bio bio(BIO_new_file(file.c_str(), "r"));
    const Certificate certificate(bio ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr) : nullptr);
    if (!certificate) return state::refuse(file, "cannot be read as a certificate");
    std::vector<std::string> names;
    const Names alternatives(static_cast<GENERAL_NAMES*>(
        X509_get_ext_d2i(certificate.get(), NID_subject_alt_name, nullptr, nullptr)));
    for (int i = 0; alternatives && i < sk_GENERAL_NAME_num(alternatives.get()); ++i) {
        const GENERAL_NAME* name = sk_GENERAL_NAME_value(alternatives.get(), i);
        if (name->type == GEN_DNS) names.push_back(text_of(name->d.dNSName));
    }
    if (names.empty())
        if (std::string name = common_name(certificate.get()); !name.empty())
            names.push_back(std::move(name));
    // A certificate is the operator's, but "*" alone would allow every name.
    std::erase_if(names, [](const std::string& name) { return name == "*"; });
    return names;
}

}  // namespace instep::server
