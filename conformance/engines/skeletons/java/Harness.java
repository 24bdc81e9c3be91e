// A harness: reads requests, asks your engine, writes answers. Fill in the operations, one after another.
//
// Every operation gets the request; what it returns is the answer without its number. Whatever is not in the switch is
// answered by "unsupported", which is never a failure.

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

public final class Harness {

    /** Throw it with the name of what your engine does not have. */
    static final class Unsupported extends RuntimeException {
        Unsupported(String needs) {
            super(needs);
        }
    }

    /** Replace this by a call of your engine. */
    static int points(String card) {
        if (card.equals("Jk")) {
            return 50;
        }
        if (card.equals("3d") || card.equals("3h")) {
            return 0; // red threes count nothing as cards
        }
        return switch (card.charAt(0)) {
            case '2', 'A' -> 20;
            case '3', '4', '5', '6', '7' -> 5;
            default -> 10;
        };
    }

    /** Say who you are, by which rules you play, and what you can be asked. Options that you choose otherwise stand in rulesets:
     *  {"id": "classic", "options": {"one_card_for_one": "allowed"}}. */
    static JsonObject hello() {
        return JsonParser.parseString("""
            {"protocol": 1,
             "engine": {"name": "my-canasta", "version": "0.1", "language": "Java"},
             "rulesets": [{"id": "classic"}],
             "levels": [0],
             "operations": ["hello", "card_value", "reset", "bye"]}""").getAsJsonObject();
    }

    static JsonObject cardValue(JsonObject request) {
        int sum = 0;
        for (JsonElement card : request.getAsJsonArray("cards")) {
            sum += points(card.getAsString());
        }
        JsonObject reply = new JsonObject();
        reply.addProperty("value", sum);
        return reply;
    }

    /** Level 0: meld_check, opening_minimum, opening_check, pile_check, score_deal. Level 1, once a position can be set up: load,
     *  turn, observe, ledger; put 1 into levels and the names into operations. Level 2, from a stacked pack: start. */
    static JsonObject operate(String op, JsonObject request) {
        return switch (op) {
            case "hello" -> hello();
            case "card_value" -> cardValue(request);
            case "reset", "bye" -> new JsonObject();
            default -> throw new Unsupported(op);
        };
    }

    /** Answer one request; whatever goes wrong in your engine is told, and the harness goes on. */
    static JsonObject answer(JsonObject request) {
        JsonObject reply;
        try {
            reply = operate(request.get("op").getAsString(), request);
        } catch (Unsupported lacking) {
            reply = new JsonObject();
            reply.addProperty("unsupported", true);
            reply.addProperty("needs", lacking.getMessage());
        } catch (RuntimeException fault) {
            reply = new JsonObject();
            reply.addProperty("error", true);
            reply.addProperty("text", fault.toString());
        }
        reply.add("seq", request.get("seq"));
        return reply;
    }

    /** Standard output belongs to the protocol: log to System.err. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonObject request = JsonParser.parseString(line).getAsJsonObject();
            answers.print(answer(request) + "\n");
            answers.flush();
            if (request.get("op").getAsString().equals("bye")) {
                break;
            }
        }
    }
}
