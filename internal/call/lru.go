package call

import "container/list"

// An lru keeps what was used last, up to a sum of weights. Whoever holds it
// locks it.
type lru[K comparable, V any] struct {
	most   int
	weight int
	order  *list.List // of *lruEntry, the last used in front
	byKey  map[K]*list.Element
}

type lruEntry[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

func newLRU[K comparable, V any](most int) *lru[K, V] {
	return &lru[K, V]{most: most, order: list.New(), byKey: map[K]*list.Element{}}
}

// get returns a value and makes it the last used.
func (l *lru[K, V]) get(key K) (value V, ok bool) {
	e := l.byKey[key]
	if e == nil {
		return value, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*lruEntry[K, V]).value, true
}

// put keeps a value, in place of what the key had, and drops what was not used
// for longest until all fits. A value that alone is too heavy is not kept.
func (l *lru[K, V]) put(key K, value V, weight int) bool {
	l.remove(key)
	if weight > l.most {
		return false
	}
	l.byKey[key] = l.order.PushFront(&lruEntry[K, V]{key, value, weight})
	for l.weight += weight; l.weight > l.most; {
		l.remove(l.order.Back().Value.(*lruEntry[K, V]).key)
	}
	return true
}

func (l *lru[K, V]) remove(key K) {
	if e := l.byKey[key]; e != nil {
		l.weight -= e.Value.(*lruEntry[K, V]).weight
		l.order.Remove(e)
		delete(l.byKey, key)
	}
}

// peek returns a value and leaves the order as it is.
func (l *lru[K, V]) peek(key K) (value V, ok bool) {
	if e := l.byKey[key]; e != nil {
		return e.Value.(*lruEntry[K, V]).value, true
	}
	return value, false
}

// removeFunc removes all values of which old is true.
func (l *lru[K, V]) removeFunc(old func(V) bool) {
	for key, e := range l.byKey {
		if old(e.Value.(*lruEntry[K, V]).value) {
			l.remove(key)
		}
	}
}
