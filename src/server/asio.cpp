// SPDX-License-Identifier: MIT
// What of Asio and Beast need not be a template, compiled once instead of in every file that includes them.
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
