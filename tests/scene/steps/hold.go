package steps

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"argocd-peering.example/scene/stage"
)

// Hold is a stage that stays, for tests/scene/event: connected, or installed only.
func Hold(isConnected bool) []Step {
	list := []Step{describe, install}
	if isConnected {
		list = append(list, synced, connected)
	}
	return append(list, stays)
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
