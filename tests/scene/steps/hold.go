package steps

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"argocd-peering.example/scene/stage"
)

// Hold has the steps of each stage that stays, for tests/scene/event.
var Hold = map[string][]Step{
	"installed": {describe, install, stays},
	"connected": {describe, install, synced, connected, stays},
	"fleet":     {describeFleet, install, fleet, stays},
}

var stays = Step{
	Name:    "The stage stays",
	Asserts: "Until the program is interrupted.",
	Run: func(*stage.Stage) {
		end := make(chan os.Signal, 1)
		signal.Notify(end, os.Interrupt, syscall.SIGTERM)
		fmt.Println("    the stage stays: tests/scene/event plays on it, and Ctrl-C ends it")
		<-end
	},
}
