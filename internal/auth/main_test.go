package auth

import (
	"testing"

	"toolcrib/internal/mcptest"
)

func TestMain(m *testing.M) { mcptest.Main(m) }
