// A harness at levels 0 and 1: a table that can be set up and shown, turns that are played at it or refused, melds.

#include <algorithm>
#include <iostream>
#include <set>

#include "json.hpp"

using Cards = std::vector<std::string>;

// Throw it with the name of what your engine does not have.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The rules do not let a turn stand.
struct Refused {};

static void demand(bool kept) {
    if (!kept) throw Refused();
}

static Cards cards_of(const Json& list) {
    Cards found;
    for (const Json& card : list.list) found.push_back(card.text);
    return found;
}

static Json shown(const Cards& cards) { return std::vector<Json>(cards.begin(), cards.end()); }

static bool red_three(const std::string& card) { return card == "3h" || card == "3d"; }

static int points(const std::string& card) {
    if (card == "Jk") return 50;
    if (red_three(card)) return 0;
    if (card[0] == '2' || card[0] == 'A') return 20;
    return card[0] >= '3' && card[0] <= '7' ? 5 : 10;
}

// The ranks of the natural cards, one for each of them.
static std::string ranks(const Cards& meld) {
    std::string found;
    for (const auto& card : meld)
        if (card != "Jk" && card[0] != '2') found += card[0];
    return found;
}

// May cards lie together: three or more of a rank, two of them natural, and three wild cards at most?
static bool lies(const Cards& meld) {
    const std::string natural = ranks(meld);
    const bool one_rank = std::set<char>(natural.begin(), natural.end()).size() == 1 && natural[0] != '3';
    return one_rank && meld.size() > 2 && natural.size() > 1 && meld.size() - natural.size() < 4;
}

// Who is to act, what lies where, and which side has opened.
struct Table {
    std::string seat, phase;
    std::map<std::string, Cards> zones;
    std::map<std::string, std::vector<Cards>> melds;
    std::map<std::string, bool> opened;

    // Set a position up; a zone that it does not name is empty.
    static Table of(const Json& position) {
        Table table;
        table.seat = position["seat"].text;
        table.phase = position["phase"].text;
        if (table.phase != "start" && table.phase != "play") throw Unsupported("the phase " + table.phase);
        for (const char* side : {"NS", "EW"}) {
            table.melds[side];
            table.opened[side] = false;
            table.zones[std::string("shown.") + side];
        }
        for (const char* place : {"hand.N", "hand.E", "hand.S", "hand.W", "pile", "stock"}) table.zones[place];
        if (position.has("values"))
            for (const auto& [name, value] : position["values"].map) {
                if (name.rfind("opened.", 0) != 0) throw Unsupported("values." + name);
                table.opened[name.substr(7)] = value.truth;
            }
        for (const auto& [name, cards] : position["zones"].map) {
            if (name.rfind("melds.", 0) != 0) table.zones[name] = cards_of(cards);
            else
                for (const Json& meld : cards.list) table.melds[name.substr(6)].push_back(cards_of(meld));
        }
        return table;
    }

    Json show() const {
        std::map<std::string, Json> places, values;
        for (const auto& [name, cards] : zones) places[name] = shown(cards);
        for (const auto& [side, own] : melds) {
            std::vector<Json> found;
            for (const Cards& meld : own) found.push_back(shown(meld));
            places["melds." + side] = found;
        }
        for (const auto& [side, has] : opened) values["opened." + side] = has;
        return std::map<std::string, Json>{{"seat", seat}, {"phase", phase}, {"zones", places}, {"values", values}};
    }

    std::string side() const { return seat == "N" || seat == "S" ? "NS" : "EW"; }
    Cards& hand() { return zones["hand." + seat]; }

    // Take cards out of the hand.
    void give(const Cards& cards) {
        for (const auto& card : cards) {
            const auto found = std::find(hand().begin(), hand().end(), card);
            demand(found != hand().end());
            hand().erase(found);
        }
        if (hand().empty()) throw Unsupported("going out");
    }

    // Draw a card; a red three is laid out and replaced.
    void draw() {
        demand(phase == "start");
        for (std::string card = "3h"; red_three(card);) {
            Cards& stock = zones["stock"];
            if (stock.empty()) throw Unsupported("the end of the stock");
            card = stock.back();
            stock.pop_back();
            (red_three(card) ? zones["shown." + side()] : hand()).push_back(card);
        }
        phase = "play";
    }

    // Discard a card; the next player is to act.
    void discard(const Cards& cards) {
        demand(phase == "play");
        give(cards);
        zones["pile"].push_back(cards.at(0));
        seat = seat == "N" ? "E" : seat == "E" ? "S" : seat == "S" ? "W" : "N";
        phase = "start";
    }

    // Lay a new meld, of a rank that the side has not melded yet.
    void meld(const Cards& cards) {
        for (const Cards& there : melds[side()]) demand(ranks(there).find_first_of(ranks(cards)) == std::string::npos);
        demand(phase == "play");
        give(cards);
        demand(lies(cards));
        melds[side()].push_back(cards);
        opened[side()] = true;
    }

    // Add cards to the meld that holds a card.
    void add(const Cards& cards, const std::string& to) {
        demand(phase == "play");
        give(cards);
        auto& own = melds[side()];
        const auto found = std::find_if(
            own.begin(), own.end(), [&](const Cards& one) { return std::count(one.begin(), one.end(), to) > 0; });
        demand(found != own.end());
        found->insert(found->end(), cards.begin(), cards.end());
        demand(lies(*found));
    }

    void act(const Json& act) {
        const std::string& word = act["act"].text;
        if (word == "draw") draw();
        else if (word == "discard") discard(cards_of(act["cards"]));
        else if (word == "meld") meld(cards_of(act["cards"]));
        else if (word == "add") add(cards_of(act["cards"]), act["to"].text);
        else throw Unsupported(word);
    }

    // Do the acts one after another on a copy, which is kept only if all of them can be done.
    void play(const Json& turn) {
        Table after = *this;
        demand(turn["seat"].text == seat);
        for (const Json& one : turn["acts"].list) after.act(one);
        *this = after;
    }
};

static Table table;

static Json hello() {
    return Json::read(R"({"protocol": 1, "engine": {"name": "my-canasta", "version": "0.1", "language": "C++"},
        "rulesets": [{"id": "classic"}], "levels": [0, 1],
        "operations": ["hello", "card_value", "reset", "bye", "load", "observe", "turn"]})");
}

static Json operate(const std::string& op, const Json& request) {
    using Map = std::map<std::string, Json>;
    if (op == "hello") return hello();
    if (op == "reset" || op == "bye") return Map{};
    if (op == "card_value") {
        int sum = 0;
        for (const auto& card : cards_of(request["cards"])) sum += points(card);
        return Map{{"value", sum}};
    }
    if (op == "load") table = Table::of(request["position"]);
    if (op == "observe" && request.has("seat")) throw Unsupported("what one player sees");
    if (op == "load" || op == "observe") return Map{{"observation", table.show()}};
    if (op != "turn") throw Unsupported(op);
    try {
        table.play(request);
    } catch (const Refused&) {
        return Map{{"committed", false}};
    }
    return Map{{"committed", true}};
}

// Answer one request; whatever goes wrong in your engine is told, and the harness goes on.
static Json answer(const Json& request) {
    Json reply;
    try {
        reply = operate(request["op"].text, request);
    } catch (const Unsupported& lacking) {
        reply = std::map<std::string, Json>{{"unsupported", true}, {"needs", lacking.what()}};
    } catch (const std::exception& fault) {
        reply = std::map<std::string, Json>{{"error", true}, {"text", fault.what()}};
    }
    reply.map["seq"] = request["seq"];
    return reply;
}

// Standard output belongs to the protocol: log to std::cerr.
int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const Json request = Json::read(line);
        std::cout << answer(request).written() << std::endl;
        if (request["op"].text == "bye") break;
    }
}
