// A harness: reads requests, asks your engine, writes answers. Fill in the functions, one after another.
//
// Every function stands in the table of operations and gets the request; what it returns is the answer without its number.
// Whatever is not in the table is answered by "unsupported", which is never a failure.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type message = map[string]any

// Return it with the name of what your engine does not have.
type unsupported struct{ needs string }

func (u unsupported) Error() string { return u.needs }

// Replace this by a call of your engine.
var points = map[string]int{"Jk": 50, "2": 20, "A": 20, "3": 5, "4": 5, "5": 5, "6": 5, "7": 5}

func value(card string) int {
	if card == "3d" || card == "3h" {
		return 0
	}
	if card != "Jk" {
		card = card[:1]
	}
	if worth, known := points[card]; known {
		return worth
	}
	return 10
}

// Say who you are, by which rules you play, and what you can be asked.
func hello(message) (message, error) {
	return message{
		"protocol": 1,
		"engine":   message{"name": "my-canasta", "version": "0.1", "language": "Go"},
		// Options that you choose otherwise: {"id": "classic", "options": {"one_card_for_one": "allowed"}}
		"rulesets":   []message{{"id": "classic"}},
		"levels":     []int{0},
		"operations": []string{"hello", "card_value", "reset", "bye"},
	}, nil
}

// Add up what cards count. Red threes count nothing as cards.
func cardValue(request message) (message, error) {
	sum := 0
	for _, card := range request["cards"].([]any) {
		sum += value(card.(string))
	}
	return message{"value": sum}, nil
}

func nothing(message) (message, error) { return message{}, nil }

// Level 0: meld_check, opening_minimum, opening_check, pile_check, score_deal.
// Level 1, once a position can be set up: load, turn, observe, ledger; put 1 into levels and the names into operations.
// Level 2, once a deal can be begun from a stacked pack: start.
var operations = map[string]func(message) (message, error){
	"hello": hello, "card_value": cardValue, "reset": nothing, "bye": nothing,
}

// Answer one request; whatever goes wrong in your engine is told, and the harness goes on.
func answer(request message) (reply message) {
	operation := request["op"].(string)
	defer func() {
		if fault := recover(); fault != nil {
			reply = message{"seq": request["seq"], "error": true, "text": fmt.Sprint(fault)}
		}
	}()
	do, known := operations[operation]
	if !known {
		return message{"seq": request["seq"], "unsupported": true, "needs": operation}
	}
	reply, err := do(request)
	if lacking, is := err.(unsupported); is {
		return message{"seq": request["seq"], "unsupported": true, "needs": lacking.needs}
	}
	if err != nil {
		return message{"seq": request["seq"], "error": true, "text": err.Error()}
	}
	reply["seq"] = request["seq"]
	return reply
}

// Standard output belongs to the protocol: log to standard error.
func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 0, 65536), 1<<20)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		request := message{}
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := answers.Encode(answer(request)); err != nil {
			os.Exit(1)
		}
		if request["op"] == "bye" {
			return
		}
	}
}
