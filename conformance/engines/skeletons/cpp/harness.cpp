// A harness: reads requests, asks your engine, writes answers. Fill in the operations, one after another.
//
// Every operation gets the request; what it returns is the answer without its number. Whatever is not in the table is
// answered by "unsupported", which is never a failure.

#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

using nlohmann::json;

// Throw it with the name of what your engine does not have.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Replace this by a call of your engine.
static int points(const std::string& card) {
    if (card == "Jk") return 50;
    if (card == "3d" || card == "3h") return 0;  // red threes count nothing as cards
    switch (card.at(0)) {
        case '2': case 'A': return 20;
        case '3': case '4': case '5': case '6': case '7': return 5;
        default: return 10;
    }
}

// Say who you are, by which rules you play, and what you can be asked.
static json hello(const json&) {
    return {
        {"protocol", 1},
        {"engine", {{"name", "my-canasta"}, {"version", "0.1"}, {"language", "C++"}}},
        // Options that you choose otherwise: {{"id", "classic"}, {"options", {{"one_card_for_one", "allowed"}}}}
        {"rulesets", json::array({{{"id", "classic"}}})},
        {"levels", json::array({0})},
        {"operations", json::array({"hello", "card_value", "reset", "bye"})},
    };
}

static json card_value(const json& request) {
    int sum = 0;
    for (const auto& card : request.at("cards")) sum += points(card.get<std::string>());
    return {{"value", sum}};
}

static json nothing(const json&) { return json::object(); }

// Level 0: meld_check, opening_minimum, opening_check, pile_check, score_deal.
// Level 1, once a position can be set up: load, turn, observe, ledger; put 1 into levels and the names into operations.
// Level 2, once a deal can be begun from a stacked pack: start.
static const std::map<std::string, std::function<json(const json&)>> operations = {
    {"hello", hello}, {"card_value", card_value}, {"reset", nothing}, {"bye", nothing},
};

// Answer one request; whatever goes wrong in your engine is told, and the harness goes on.
static json answer(const json& request) {
    const auto op = request.at("op").get<std::string>();
    json reply;
    try {
        const auto found = operations.find(op);
        if (found == operations.end()) throw Unsupported(op);
        reply = found->second(request);
    } catch (const Unsupported& lacking) {
        reply = {{"unsupported", true}, {"needs", lacking.what()}};
    } catch (const std::exception& fault) {
        reply = {{"error", true}, {"text", fault.what()}};
    }
    reply["seq"] = request.at("seq");
    return reply;
}

// Standard output belongs to the protocol: log to std::cerr.
int main() {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        const json request = json::parse(line);
        std::cout << answer(request).dump() << '\n' << std::flush;
        if (request.at("op") == "bye") break;
    }
}
