package script

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/tetratelabs/wazero"
)

// openCache opens the directory that keeps the compiled program, nil if there is
// to be none. What lies there is run as it is, so nobody else may write to it.
func openCache(dir string) (wazero.CompilationCache, error) {
	if dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the compilation cache: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("look at the compilation cache: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return nil, fmt.Errorf("others may write to the compilation cache %s: run chmod 700 on it", dir)
	}
	return wazero.NewCompilationCacheWithDir(dir)
}

func closeQuietly(cache wazero.CompilationCache) { _ = cache.Close(context.Background()) }
