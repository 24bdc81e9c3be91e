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

#include "json.hpp"

using Map = std::map<std::string, Json>;

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
static Map hello(const Json&) {
    // Options that you choose otherwise: {"id": "classic", "options": {"one_card_for_one": "allowed"}}
    return Json::read(R"({
        "protocol": 1,
        "engine": {"name": "my-canasta", "version": "0.1", "language": "C++"},
        "rulesets": [{"id": "classic"}],
        "levels": [0],
        "operations": ["hello", "card_value", "reset", "bye"]
    })").map;
}

static Map card_value(const Json& request) {
    int sum = 0;
    for (const Json& card : request["cards"].list) sum += points(card.text);
    return {{"value", sum}};
}

static Map nothing(const Json&) { return {}; }

// Level 0: meld_check, opening_minimum, opening_check, pile_check, score_deal.
// Level 1, once a position can be set up: load, turn, observe, ledger; put 1 into levels and the names into operations.
// Level 2, once a deal can be begun from a stacked pack: start.
static const std::map<std::string, std::function<Map(const Json&)>> operations = {
    {"hello", hello}, {"card_value", card_value}, {"reset", nothing}, {"bye", nothing},
};

// Answer one request; whatever goes wrong in your engine is told, and the harness goes on.
static Json answer(const Json& request) {
    const std::string op = request["op"].text;
    Map reply;
    try {
        const auto found = operations.find(op);
        if (found == operations.end()) throw Unsupported(op);
        reply = found->second(request);
    } catch (const Unsupported& lacking) {
        reply = {{"unsupported", true}, {"needs", std::string(lacking.what())}};
    } catch (const std::exception& fault) {
        reply = {{"error", true}, {"text", std::string(fault.what())}};
    }
    reply["seq"] = request["seq"];
    return reply;
}

// Standard output belongs to the protocol: log to std::cerr.
int main() {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        const Json request = Json::read(line);
        std::cout << answer(request).written() << '\n' << std::flush;
        if (request["op"].text == "bye") break;
    }
}
