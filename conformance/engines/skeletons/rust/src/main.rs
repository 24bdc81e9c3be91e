//! A harness: reads requests, asks your engine, writes answers. Fill in the operations, one after another.
//!
//! Every operation gets the request; what it returns is the answer without its number. Whatever is not matched is answered
//! by "unsupported", which is never a failure.

use serde_json::{json, Value};
use std::io::{self, BufRead, Write};

enum Fault {
    /// What your engine does not have.
    Unsupported(String),
    /// What went wrong inside it.
    Error(String),
}

/// Replace this by a call of your engine.
fn points(card: &str) -> i64 {
    match card {
        "Jk" => 50,
        "3d" | "3h" => 0, // red threes count nothing as cards
        _ => match &card[..1] {
            "2" | "A" => 20,
            "3" | "4" | "5" | "6" | "7" => 5,
            _ => 10,
        },
    }
}

/// Say who you are, by which rules you play, and what you can be asked.
fn hello() -> Value {
    json!({
        "protocol": 1,
        "engine": {"name": "my-canasta", "version": "0.1", "language": "Rust"},
        // Options that you choose otherwise: {"id": "classic", "options": {"one_card_for_one": "allowed"}}
        "rulesets": [{"id": "classic"}],
        "levels": [0],
        "operations": ["hello", "card_value", "reset", "bye"],
    })
}

/// Add up what cards count.
fn card_value(request: &Value) -> Result<Value, Fault> {
    let cards = request["cards"].as_array().ok_or_else(|| Fault::Error("no cards".into()))?;
    let sum: i64 = cards.iter().filter_map(Value::as_str).map(points).sum();
    Ok(json!({"value": sum}))
}

/// Level 0: meld_check, opening_minimum, opening_check, pile_check, score_deal.
/// Level 1, once a position can be set up: load, turn, observe, ledger; put 1 into levels and the names into operations.
/// Level 2, once a deal can be begun from a stacked pack: start.
fn operate(op: &str, request: &Value) -> Result<Value, Fault> {
    match op {
        "hello" => Ok(hello()),
        "card_value" => card_value(request),
        "reset" | "bye" => Ok(json!({})),
        _ => Err(Fault::Unsupported(op.into())),
    }
}

/// Answer one request; whatever goes wrong in your engine is told, and the harness goes on.
fn answer(request: &Value) -> Value {
    let op = request["op"].as_str().unwrap_or("");
    let mut reply = match operate(op, request) {
        Ok(reply) => reply,
        Err(Fault::Unsupported(needs)) => json!({"unsupported": true, "needs": needs}),
        Err(Fault::Error(text)) => json!({"error": true, "text": text}),
    };
    reply["seq"] = request["seq"].clone();
    reply
}

/// Standard output belongs to the protocol: log with eprintln!.
fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?).map_err(io::Error::other)?;
        writeln!(out, "{}", answer(&request))?;
        out.flush()?;
        if request["op"] == "bye" {
            break;
        }
    }
    Ok(())
}
