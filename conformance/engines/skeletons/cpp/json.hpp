// As much of JSON as the protocol needs, so that the harness builds with a compiler alone. Where you have a library, use it instead.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Json {
    enum class Kind { null, truth, number, text, list, map };

    Kind kind = Kind::null;
    bool truth = false;
    double number = 0;
    std::string text;
    std::vector<Json> list;
    std::map<std::string, Json> map;

    Json() = default;
    Json(bool value) : kind(Kind::truth), truth(value) {}
    Json(int value) : kind(Kind::number), number(value) {}
    Json(const char* value) : kind(Kind::text), text(value) {}
    Json(std::string value) : kind(Kind::text), text(std::move(value)) {}
    Json(std::vector<Json> value) : kind(Kind::list), list(std::move(value)) {}
    Json(std::map<std::string, Json> value) : kind(Kind::map), map(std::move(value)) {}

    bool has(const std::string& name) const { return map.count(name) > 0; }
    const Json& operator[](const std::string& name) const {
        const auto found = map.find(name);
        if (found == map.end()) throw std::runtime_error("no " + name);
        return found->second;
    }

    static Json read(const std::string& line) {
        std::size_t at = 0;
        return value(line, at);
    }

    std::string written() const {
        switch (kind) {
            case Kind::null: return "null";
            case Kind::truth: return truth ? "true" : "false";
            case Kind::number: return std::to_string(static_cast<long long>(number));
            case Kind::text: return quoted(text);
            case Kind::list: {
                std::string found;
                for (const Json& one : list) found += (found.empty() ? "" : ",") + one.written();
                return "[" + found + "]";
            }
            default: {
                std::string found;
                for (const auto& [name, one] : map) found += (found.empty() ? "" : ",") + quoted(name) + ":" + one.written();
                return "{" + found + "}";
            }
        }
    }

private:
    static void skip(const std::string& s, std::size_t& at) {
        while (at < s.size() && std::string(" \t\r\n").find(s[at]) != std::string::npos) ++at;
    }

    static char sign(const std::string& s, std::size_t& at) {
        skip(s, at);
        return s.at(at);
    }

    static Json value(const std::string& s, std::size_t& at) {
        switch (sign(s, at)) {
            case '{': return mapping(s, at);
            case '[': return listing(s, at);
            case '"': return Json(string(s, at));
            case 't': at += 4; return Json(true);
            case 'f': at += 5; return Json(false);
            case 'n': at += 4; return Json();
            default: {
                std::size_t length = 0;
                Json found(0);
                found.number = std::stod(s.substr(at), &length);
                at += length;
                return found;
            }
        }
    }

    static Json mapping(const std::string& s, std::size_t& at) {
        std::map<std::string, Json> found;
        for (++at; sign(s, at) != '}';) {
            if (s[at] == ',') ++at;
            skip(s, at);
            const std::string name = string(s, at);
            if (sign(s, at) != ':') throw std::runtime_error("no JSON");
            found[name] = value(s, ++at);
        }
        ++at;
        return Json(found);
    }

    static Json listing(const std::string& s, std::size_t& at) {
        std::vector<Json> found;
        for (++at; sign(s, at) != ']';) {
            if (s[at] == ',') ++at;
            found.push_back(value(s, at));
        }
        ++at;
        return Json(found);
    }

    static std::string string(const std::string& s, std::size_t& at) {
        std::string found;
        for (++at; s.at(at) != '"'; ++at) {
            if (s[at] != '\\') {
                found += s[at];
                continue;
            }
            const char kind = s.at(++at);
            const std::size_t plain = std::string("ntrbf").find(kind);
            if (kind == 'u') {
                found += '?';  // names of cards, seats and places are plain signs
                at += 4;
            } else {
                found += plain == std::string::npos ? kind : "\n\t\r\b\f"[plain];
            }
        }
        ++at;
        return found;
    }

    static std::string quoted(const std::string& plain) {
        std::string found = "\"";
        for (const char c : plain) {
            if (c == '"' || c == '\\') found += '\\';
            found += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
        return found + "\"";
    }
};
