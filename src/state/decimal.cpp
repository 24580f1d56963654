// SPDX-License-Identifier: MIT
#include <instep/state/decimal.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

namespace instep::state {
namespace {

// A whole number of up to 2816 bits. The longest that occurs is 801 digits read from text (2662 bits), or the
// power of five of the same length that divides it.
class BigNumber {
public:
    explicit BigNumber(std::uint64_t value) {
        words_[0] = static_cast<std::uint32_t>(value);
        words_[1] = static_cast<std::uint32_t>(value >> 32);
        size_ = 2;
        trim();
    }
    BigNumber(const BigNumber& other) : size_(other.size_) {
        std::copy_n(other.words_.begin(), size_, words_.begin());  // only the words in use
    }
    BigNumber& operator=(const BigNumber&) = delete;

    void multiply_add(std::uint32_t factor, std::uint32_t addend) {
        std::uint64_t carry = addend;
        for (std::uint32_t i = 0; i < size_; ++i) {
            carry += std::uint64_t{words_[i]} * factor;
            words_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry != 0) push(static_cast<std::uint32_t>(carry));
    }

    void multiply_by_power_of_5(std::uint32_t exponent) {
        constexpr std::uint32_t five_to_13 = 1'220'703'125;  // the largest power of five in 32 bits
        for (; exponent >= 13; exponent -= 13) multiply_add(five_to_13, 0);
        for (; exponent > 0; --exponent) multiply_add(5, 0);
    }

    void shift_left(std::uint32_t bits) {
        if (size_ == 0 || bits == 0) return;
        const std::uint32_t whole = bits / 32;
        const std::uint32_t part = bits % 32;
        assert(size_ + whole < capacity);
        words_[size_] = 0;
        for (std::uint32_t i = size_ + 1; i-- > 0;) {
            const std::uint64_t pair = std::uint64_t{words_[i]} << 32 | (i > 0 ? words_[i - 1] : 0);
            words_[i + whole] = static_cast<std::uint32_t>(pair << part >> 32);
        }
        std::fill_n(words_.begin(), whole, 0u);
        size_ += whole + 1;
        trim();
    }

    void add(const BigNumber& other) {
        while (size_ < other.size_) push(0);
        std::uint64_t carry = 0;
        for (std::uint32_t i = 0; i < size_; ++i) {
            carry += std::uint64_t{words_[i]} + (i < other.size_ ? other.words_[i] : 0);
            words_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry != 0) push(static_cast<std::uint32_t>(carry));
    }

    void subtract(const BigNumber& smaller) {
        assert(compare(smaller) >= 0);
        std::uint64_t borrow = 0;
        for (std::uint32_t i = 0; i < size_; ++i) {
            const std::uint64_t difference =
                std::uint64_t{words_[i]} - (i < smaller.size_ ? smaller.words_[i] : 0) - borrow;
            words_[i] = static_cast<std::uint32_t>(difference);
            borrow = difference >> 63;
        }
        trim();
    }

    // Negative, zero or positive if this is less than, equal to or greater than the other.
    int compare(const BigNumber& other) const {
        if (size_ != other.size_) return size_ < other.size_ ? -1 : 1;
        for (std::uint32_t i = size_; i-- > 0;)
            if (words_[i] != other.words_[i]) return words_[i] < other.words_[i] ? -1 : 1;
        return 0;
    }

    int bits() const {
        return size_ == 0 ? 0 : static_cast<int>(size_ * 32) - std::countl_zero(words_[size_ - 1]);
    }

private:
    static constexpr std::uint32_t capacity = 88;

    void push(std::uint32_t word) {
        assert(size_ < capacity);
        words_[size_++] = word;
    }
    void trim() {
        while (size_ > 0 && words_[size_ - 1] == 0) --size_;
    }

    std::array<std::uint32_t, capacity> words_;  // least significant first; unused from size_ on
    std::uint32_t size_;                         // the highest word is not 0
};

// --- Reading -----------------------------------------------------------------------------------------------

// A decimal number as digits × 10^exponent, without its sign.
struct Decimal {
    std::string_view digits;  // from the first nonzero digit; may contain a point
    std::int64_t count = 0;   // of the digits
    std::int64_t exponent = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::int64_t read_exponent(std::string_view text) {
    const bool negative = text.starts_with('-');
    constexpr std::int64_t enough = 1'000'000'000'000;  // more than the digits of any text could compensate
    std::int64_t value = 0;
    for (const char c : text)
        if (is_digit(c)) value = std::min(value * 10 + (c - '0'), enough);
    return negative ? -value : value;
}

Decimal take_apart(std::string_view number) {
    const std::size_t end_of_digits = std::min(number.find_first_of("eE"), number.size());
    Decimal decimal;
    if (end_of_digits < number.size()) decimal.exponent = read_exponent(number.substr(end_of_digits + 1));

    number = number.substr(0, end_of_digits);
    const std::size_t point = number.find('.');
    if (point != number.npos) decimal.exponent -= static_cast<std::int64_t>(number.size() - point - 1);

    const std::size_t first = number.find_first_of("123456789");
    if (first == number.npos) return decimal;
    decimal.digits = number.substr(first);
    decimal.count = static_cast<std::int64_t>(decimal.digits.size());
    if (point != number.npos && point > first) --decimal.count;
    return decimal;
}

// No midpoint of two doubles has more than 767 digits, so beyond 800 digits it only matters whether any is
// not 0: then they become a single 1 at the end. Sets the exponent to that of the digits kept.
BigNumber read_digits(Decimal& decimal) {
    constexpr std::int64_t kept = 800;
    BigNumber value(0);
    std::int64_t seen = 0;
    bool rest_is_zero = true;
    for (const char c : decimal.digits) {
        if (!is_digit(c)) continue;
        if (seen++ < kept)
            value.multiply_add(10, static_cast<std::uint32_t>(c - '0'));
        else
            rest_is_zero = rest_is_zero && c == '0';
    }
    if (decimal.count > kept) {
        decimal.exponent += decimal.count - kept;
        if (!rest_is_zero) {
            value.multiply_add(10, 1);
            --decimal.exponent;
        }
    }
    return value;
}

// The double nearest to a positive number in or near the range of doubles, by binary long division.
double nearest(Decimal decimal) {
    BigNumber rest = read_digits(decimal);
    BigNumber divisor(1);
    const auto fives =
        static_cast<std::uint32_t>(decimal.exponent < 0 ? -decimal.exponent : decimal.exponent);
    (decimal.exponent < 0 ? divisor : rest).multiply_by_power_of_5(fives);
    int exponent = static_cast<int>(decimal.exponent);

    // Scale to rest / divisor × 2^exponent with a quotient in [1, 2): then the exponent is that of the
    // double.
    const int surplus = rest.bits() - divisor.bits();
    (surplus > 0 ? divisor : rest).shift_left(static_cast<std::uint32_t>(surplus > 0 ? surplus : -surplus));
    exponent += surplus;
    if (rest.compare(divisor) < 0) {
        rest.shift_left(1);
        --exponent;
    }

    constexpr int least_exponent = -1022;
    const int significant_bits = 53 - std::max(least_exponent - exponent, 0);
    if (significant_bits < 0) return 0;
    if (exponent > 1023) return std::numeric_limits<double>::infinity();
    std::uint64_t mantissa = 0;
    for (int i = 0; i < significant_bits; ++i) {
        const bool bit = rest.compare(divisor) >= 0;
        if (bit) rest.subtract(divisor);
        mantissa = mantissa << 1 | (bit ? 1 : 0);
        rest.shift_left(1);
    }
    const int against_half = rest.compare(divisor);
    if (against_half > 0 || (against_half == 0 && (mantissa & 1) != 0)) ++mantissa;

    // Added, not combined by OR: if rounding carries into the next power of two (or infinity), the carry
    // increments the exponent bits.
    const auto biased = static_cast<std::uint64_t>(std::max(exponent, least_exponent) - least_exponent);
    return std::bit_cast<double>((biased << 52) + mantissa);
}

// Up to 15 digits and a power of ten up to 22 are exact doubles, and one operation on them rounds once
// (Clinger).
bool read_short_decimal(const Decimal& decimal, double& value) {
    constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal.count > 15 || decimal.exponent < -22 || decimal.exponent > 22) return false;
    std::int64_t digits = 0;
    for (const char c : decimal.digits)
        if (is_digit(c)) digits = digits * 10 + (c - '0');
    value = static_cast<double>(digits);
    if (decimal.exponent < 0)
        value /= powers_of_ten[static_cast<std::size_t>(-decimal.exponent)];
    else
        value *= powers_of_ten[static_cast<std::size_t>(decimal.exponent)];
    return true;
}

// --- Writing -----------------------------------------------------------------------------------------------

struct ShortestDigits {
    std::array<char, 17> digits;
    int count = 0;
    int point = 0;  // the value is 0.DIGITS × 10^point
};

// Steele and White's free-format algorithm in the version of Burger and Dybvig ("Printing Floating-Point
// Numbers Quickly and Accurately", 1996): generates digits of value / scale until the remainder is within the
// range that rounds to mantissa × 2^exponent. At a power of two the gap below is half of the gap above.
ShortestDigits shortest_digits(std::uint64_t mantissa, int exponent, bool gap_below_is_half) {
    const bool ends_round_to_it = mantissa % 2 == 0;  // both ends of the range are ties, which round to even
    const std::uint32_t doublings = gap_below_is_half ? 2 : 1;  // makes half a gap a whole number
    BigNumber value(mantissa);
    BigNumber scale(1);
    BigNumber half_gap(1);  // of the gap below
    if (exponent > 0) {
        value.shift_left(static_cast<std::uint32_t>(exponent));
        half_gap.shift_left(static_cast<std::uint32_t>(exponent));
    } else {
        scale.shift_left(static_cast<std::uint32_t>(-exponent));
    }
    value.shift_left(doublings);
    scale.shift_left(doublings);

    // floor(log10 of the highest bit) + 1: exact or one too small. 78913 / 2^18 is slightly less than
    // log10(2).
    ShortestDigits result;
    const int highest_bit = exponent + static_cast<int>(std::bit_width(mantissa)) - 1;
    result.point = (highest_bit * 78913 >> 18) + 1;
    const auto tens = static_cast<std::uint32_t>(result.point < 0 ? -result.point : result.point);
    const auto times_power_of_ten = [tens](BigNumber& number) {
        number.multiply_by_power_of_5(tens);
        number.shift_left(tens);
    };
    if (result.point < 0) {
        times_power_of_ten(value);
        times_power_of_ten(half_gap);
    } else {
        times_power_of_ten(scale);
    }

    const auto reaches_scale_with_gap = [&] {
        BigNumber top = value;
        top.add(half_gap);
        if (gap_below_is_half) top.add(half_gap);
        const int difference = top.compare(scale);
        return ends_round_to_it ? difference >= 0 : difference > 0;
    };
    if (reaches_scale_with_gap()) {
        scale.multiply_add(10, 0);
        ++result.point;
    }
    for (;;) {
        value.multiply_add(10, 0);
        half_gap.multiply_add(10, 0);
        char digit = '0';
        for (; value.compare(scale) >= 0; ++digit) value.subtract(scale);
        const int against_gap = value.compare(half_gap);
        const bool may_end_here = ends_round_to_it ? against_gap <= 0 : against_gap < 0;
        const bool may_end_above = reaches_scale_with_gap();
        if (may_end_above) {
            BigNumber twice = value;
            twice.add(value);
            const int against_half = twice.compare(scale);
            const bool is_nearer = against_half > 0 || (against_half == 0 && digit % 2 != 0);
            if (!may_end_here || is_nearer) ++digit;
        }
        assert(result.count < 17 && digit <= '9');
        result.digits[static_cast<std::size_t>(result.count++)] = digit;
        if (may_end_here || may_end_above) return result;
    }
}

void append_shortest(std::string& out, const ShortestDigits& shortest) {
    const std::string_view digits(shortest.digits.data(), static_cast<std::size_t>(shortest.count));
    const int point = shortest.point;
    if (point > 21 || point <= -6) {
        out += digits[0];
        if (digits.size() > 1) out.append(".").append(digits.substr(1));
        out += point > 0 ? "e+" : "e-";
        out += std::to_string(point > 0 ? point - 1 : 1 - point);
    } else if (point <= 0) {
        out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
    } else if (point >= shortest.count) {
        out.append(digits).append(static_cast<std::size_t>(point - shortest.count), '0');
    } else {
        const auto whole = static_cast<std::size_t>(point);
        out.append(digits.substr(0, whole)).append(".").append(digits.substr(whole));
    }
}

template <class Float, class Bits>
void append_number(std::string& out, Float value) {
    assert(std::isfinite(value));
    constexpr int mantissa_bits = std::numeric_limits<Float>::digits - 1;  // stored explicitly
    constexpr Bits hidden_bit = Bits{1} << mantissa_bits;
    const auto bits = std::bit_cast<Bits>(value);
    if (std::signbit(value)) out += '-';
    if (value == 0) {
        out += '0';
        return;
    }
    const Bits stored = bits & (hidden_bit - 1);
    const int biased = static_cast<int>(bits << 1 >> (mantissa_bits + 1));
    const Bits mantissa = biased == 0 ? stored : stored | hidden_bit;
    const int exponent = std::max(biased, 1) + std::numeric_limits<Float>::min_exponent - 2 - mantissa_bits;
    append_shortest(out, shortest_digits(mantissa, exponent, stored == 0 && biased > 1));
}

}  // namespace

double read_decimal(std::string_view number) {
    const bool negative = number.starts_with('-');
    const Decimal decimal = take_apart(number);
    const std::int64_t magnitude = decimal.count + decimal.exponent;  // the number is less than 10^magnitude
    double value = 0;
    if (decimal.count > 0 && !read_short_decimal(decimal, value)) {
        if (magnitude > 310)
            value = std::numeric_limits<double>::infinity();
        else if (magnitude > -330)
            value = nearest(decimal);
    }
    return negative ? -value : value;
}

void append_decimal(std::string& out, double value) { append_number<double, std::uint64_t>(out, value); }

void append_decimal(std::string& out, float value) { append_number<float, std::uint32_t>(out, value); }

}  // namespace instep::state
